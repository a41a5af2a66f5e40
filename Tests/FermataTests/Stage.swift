// SPDX-License-Identifier: MIT
import AudioModel
import AgentLoop
import BusIO
import BusModel
import Fermata
import FermataTestKit
import Glibc

/// A session with a sound server, a bus and an agent of its own, and the library's player for it.
final class Stage {
  let server: PrivatePulse
  let bus: PrivateBus
  let folder: TemporaryDirectory
  let player: MusicPlayer
  private(set) var agent: Child

  private init(_ server: PrivatePulse) throws {
    self.server = server
    bus = try PrivateBus()
    folder = try TemporaryDirectory()
    player = MusicPlayer(on: .address(bus.address))
    agent = try Self.start(server, bus, folder)
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

  /// Runs a body in a session, with an agent that answers, and ends everything.
  static func run(_ body: (Stage) async throws -> Void) async throws {
    try await withPulse(sinks: ["speakers"]) { server in
      let stage = try Stage(server)
      try await stage.untilThere()
      do { try await body(stage) } catch {
        throw KitError("\(error); the agent says:\n\(stage.agent.standardError)")
      }
      stage.agent.stop(within: .patience)
      try stage.bus.stop()
    }
  }

  /// Waits until the agent answers. A question to a bus without one comes back at once.
  func untilThere() async throws {
    let deadline = Deadline.patient
    while (try? await player.status) == nil {
      if deadline.hasPassed { throw KitError("no agent comes:\n\(agent.standardError)") }
    }
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
    agent = try Self.start(server, bus, folder)
    try await untilThere()
  }

  /// Runs a command of the command line in the session.
  func fermata(_ words: String...) throws { _ = try run("fermata", words) }

  /// Runs a program of the package in the session, and returns what it writes.
  func run(_ program: String, _ words: [String]) throws -> String {
    try Child.run(.beside(program), words, environment: Self.environment(server, bus, folder))
  }

  /// Starts a program of the package in the session, with its output on `nextLine`.
  func start(_ program: String, _ words: [String]) throws -> Child {
    try Child(
      .beside(program), words, environment: Self.environment(server, bus, folder), isInteractive: true)
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
