// SPDX-License-Identifier: MIT
import AudioModel
import AgentLoop
import BusIO
import BusModel
import Fermata
import FermataAgent
import FermataPlayer
import FermataTestKit
import Glibc

/// A session with a sound server and a bus of its own, and one of the library's players in it.
final class Stage {
  /// Which player it is: that of the session, with an agent, or that of this program, without one.
  enum Kind: CaseIterable { case system, application }

  let server: PrivatePulse
  let bus: PrivateBus
  let folder: TemporaryDirectory
  let player: MusicPlayer
  private let kind: Kind
  private var agents: [Child] = []

  private init(_ kind: Kind, _ server: PrivatePulse) throws {
    self.kind = kind
    self.server = server
    bus = try PrivateBus()
    folder = try TemporaryDirectory()
    switch kind {
    case .system:
      player = MusicPlayer(on: .address(bus.address))
      agents = [try Self.start(server, bus, folder)]
    case .application:
      player = Self.applicationPlayer(server, bus)
    }
  }

  /// What the program is called that has a player of its own.
  static let program = "drum dub"

  private static func applicationPlayer(_ server: PrivatePulse, _ bus: PrivateBus) -> MusicPlayer {
    var surroundings = ProcessPlayer.Surroundings()
    (surroundings.server, surroundings.bus) = (server.serverAddress, .address(bus.address))
    (surroundings.settingsFile, surroundings.artFolder) = (nil, nil)
    surroundings.program = program
    return MusicPlayer(inside: surroundings)
  }

  /// A player of this program's own, beside that of the session.
  func applicationPlayer() -> MusicPlayer { Self.applicationPlayer(server, bus) }

  private var agent: Child {
    guard let agent = agents.last else { preconditionFailure("there is no agent here") }
    return agent
  }

  private static func start(
    _ server: PrivatePulse, _ bus: PrivateBus, _ folder: TemporaryDirectory
  ) throws -> Child {
    try Child(
      .beside("fermata-agent"), ["agent"], environment: environment(server, bus, folder))
  }

  private static func environment(
    _ server: PrivatePulse, _ bus: PrivateBus, _ folder: TemporaryDirectory
  ) -> [String: String] {
    [
      "PULSE_SERVER": server.serverAddress, "DBUS_SESSION_BUS_ADDRESS": bus.address, "HOME": folder.path,
      "XDG_RUNTIME_DIR": folder.path, "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder.path)/no-bus",
    ]
  }

  /// Runs a body in a session, with a player that answers, and ends everything.
  static func run(_ kind: Kind = .system, _ body: (Stage) async throws -> Void) async throws {
    try await withPulse(sinks: ["speakers"]) { server in
      let stage = try Stage(kind, server)
      try await stage.untilThere()
      do { try await body(stage) } catch {
        throw KitError("\(error); the agent says:\n\(stage.agents.last?.standardError ?? "(there is none)")")
      }
      for agent in stage.agents { agent.stop(within: .patience) }
      try stage.bus.stop()
    }
  }

  /// Waits until the agent answers. A question to a bus without one comes back at once.
  func untilThere() async throws {
    let deadline = Deadline.patient
    while (try? await player.status) == nil {
      if deadline.hasPassed { throw KitError("no player comes") }
    }
    // A player of this program is asked before it has found the sound server.
    if kind == .application { try await AudioSession(of: player).activate() }
  }

  /// Asks again and again until the answer is yes.
  func wait(for what: String, _ holds: () async throws -> Bool) async throws {
    let deadline = Deadline.patient
    while try await !holds() {
      if deadline.hasPassed { throw KitError("waited in vain for \(what)") }
    }
  }

  /// Kills the agent, as a crash would.
  func kill() { agent.kill() }

  /// Starts another agent in the same session.
  func restart() async throws {
    agents = [try Self.start(server, bus, folder)]
    try await untilThere()
  }

  /// Waits until the player has a name on the bus, by which the desktop knows it.
  func untilShown() async throws {
    try await wait(for: "the player's name") {
      try run(Program(path: "/usr/bin/playerctl"), ["-l"]).contains(kind == .system ? "fermata" : "drum_dub")
    }
  }

  /// Gives an order as the desktop does, to whichever player there is.
  func playerctl(_ words: String...) throws { _ = try run(Program(path: "/usr/bin/playerctl"), words) }

  /// What that program answers.
  func playerctlOutput(_ words: String...) throws -> String {
    try run(Program(path: "/usr/bin/playerctl"), words)
  }

  /// Whether the desktop may end the program, as the desktop is told.
  func canQuitProgram() async throws -> Bool {
    let address = bus.address
    return try await onLoop { @AgentLoop in
      let connection = try await BusConnection.open(.address(address))
      defer { connection.close() }
      guard
        let name = try await connection.names().first(where: {
          $0.hasPrefix("org.mpris.MediaPlayer2.drum_dub")
        }),
        let owner = BusName(name)
      else { throw KitError("the program has no name") }
      let get = BusTarget(owner, "/org/mpris/MediaPlayer2", StandardInterfaces.properties.name, "Get")
      let answer = try await connection.call(get, .arguments("org.mpris.MediaPlayer2", "CanQuit"))
      guard case .variant(let value)? = answer.first, let canQuit = Bool(wire: value) else {
        throw KitError("it does not say")
      }
      return canQuit
    }
  }

  /// Runs a command of the command line in the session.
  func fermata(_ words: String...) throws { _ = try run("fermata", words) }

  /// Runs a program of the package in the session, and returns what it writes.
  func run(_ program: String, _ words: [String]) throws -> String {
    try run(.beside(program), words)
  }

  private func run(_ program: Program, _ words: [String]) throws -> String {
    try Child.run(program, words, environment: Self.environment(server, bus, folder))
  }

  /// Starts a program of the package in the session, with its output on `nextLine`.
  func start(_ program: String, _ words: [String]) throws -> Child {
    try Child(
      .beside(program), words, environment: Self.environment(server, bus, folder), isInteractive: true)
  }

  /// Starts a program of the package that is typed to and read line by line, as on a terminal.
  func startTalking(_ program: String, _ words: [String]) throws -> Child {
    try Child(
      Program(path: "/usr/bin/stdbuf"), ["-oL", Program.beside(program).path] + words,
      environment: Self.environment(server, bus, folder), isInteractive: true)
  }

  /// How many files the agent has open, and how much memory of its own it has, in KiB.
  func footprint() throws -> (files: Int, memory: Int) {
    let place = "/proc/\(agent.processID)"
    let files = try Child.run(Program(path: "/bin/ls"), ["\(place)/fd"]).split(separator: "\n").count
    let status = try Child.run(Program(path: "/bin/cat"), ["\(place)/status"]).split(separator: "\n")
    guard let line = status.first(where: { $0.hasPrefix("RssAnon:") }),
      let memory = line.split(separator: " ").compactMap({ Int($0) }).first
    else { throw KitError("the agent is gone") }
    return (files, memory)
  }

  /// A file with a tone that no test hears the end of.
  func tone(_ name: String) throws -> MusicSource { .path(try folder.write("\(name).wav", Self.tone)) }

  private static let tone: [UInt8] = {
    let format = AudioFormat(rate: 8_000, channels: 1)
    return WAVFile.bytes(Tone.sine(frames: 60 * 8_000, format), format)
  }()

  /// A short tagged file below `Music`.
  func write(_ name: String, pitch: Int, _ tags: KeyValuePairs<String, String>) throws {
    let format = AudioFormat(rate: 8_000, channels: 1)
    try folder.makeFolder("Music")
    let flags = tags.map { "--tag=\($0)=\($1)" }
    _ = try ToneFile.flac(
      "Music/\(name)", Tone.sine(Double(pitch), frames: 4_000, format), format, flags: flags, in: folder)
  }

  /// How many match rules the bus keeps for connections that are neither the agent's nor the one that asks.
  func rulesOfClients() async throws -> Int {
    let address = bus.address
    return try await onLoop { @AgentLoop in
      let connection = try await BusConnection.open(.address(address))
      defer { connection.close() }
      let agent = try await connection.owner(of: "org.fermata.Agent")
      let stats = BusTarget(
        "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.Debug.Stats",
        "GetAllMatchRules")
      let rules = try await connection.call(stats).decoded(as: [String: [String]].self)
      return rules.filter { $0.key != agent?.text && $0.key != connection.uniqueName?.text }
        .values.reduce(0) { $0 + $1.count }
    }
  }
}
