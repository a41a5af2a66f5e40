// SPDX-License-Identifier: MIT
package import AudioModel

/// Finds the player on the bus that a stream belongs to. It gets the answers of the bus and the kernel as values, and asks nobody itself.
package struct PlayerSearch: Sendable {
  /// How many ancestors of a process are looked at; no player has more.
  package static let mostAncestors = 16

  private let players: [BusPlayer]
  private let processes: [Int32: ProcessRecord]

  /// A search among these players. `processes` has the kernel's records of the players' and the streams' processes, and of their ancestors.
  package init(_ players: [BusPlayer], _ processes: [Int32: ProcessRecord]) {
    self.players = players
    self.processes = processes
  }

  /// All players on the bus, each once, by the shortest of its names. VLC has two names for one player, each with a connection of its own. A process
  /// may also have several players: one that shows those of a phone, for example. Their names differ.
  var all: [BusPlayer] {
    let connections = Dictionary(grouping: players, by: \.owner).values.compactMap(shortest)
    return Dictionary(grouping: connections) { "\($0.process) \($0.name)" }.values.compactMap(shortest)
      .sorted { $0.busName < $1.busName }
  }

  /// The player that a program's stream belongs to; nil if none fits, or if several do. The program's process counts most, then its Flatpak
  /// application, then its name.
  package func player(of program: StreamProgram) -> BusPlayer? {
    let process = trustedProcess(of: program)
    return process.flatMap(nearestOwner) ?? ofApplication(program.flatpak ?? process?.flatpak)
      ?? named(program, process)
  }

  /// The record of the stream's process, if the process number can be trusted. A program in a sandbox reports the number that it has inside the
  /// sandbox; outside, that number belongs to another process.
  private func trustedProcess(of program: StreamProgram) -> ProcessRecord? {
    guard let process = program.process.flatMap({ processes[$0] }) else { return nil }
    if program.isProcessKnown { return process }
    if let flatpak = program.flatpak, process.flatpak != flatpak { return nil }
    guard let told = program.binary, let found = process.program else { return process }
    return told == found ? process : nil
  }

  /// The player of this process, or of the nearest ancestor that has one: browsers play from a child process.
  private func nearestOwner(of process: ProcessRecord) -> BusPlayer? {
    var next: ProcessRecord? = process
    for _ in 0...Self.mostAncestors {
      guard let current = next else { return nil }
      if let found = shortest(players.filter { $0.process == current.id }) { return found }
      next = current.parent.flatMap { processes[$0] }
    }
    return nil
  }

  /// The player that belongs to a Flatpak application. Its name on the bus is owned by the sandbox's proxy, which is no ancestor of the player's
  /// process, so it cannot be found by process.
  private func ofApplication(_ flatpak: String?) -> BusPlayer? {
    guard let flatpak else { return nil }
    return shortest(players.filter { processes[$0.process]?.flatpak == flatpak })
  }

  /// The player whose name on the bus is a name of this program, if there is just one. If `process` runs the same program as the player does, it is
  /// another window, which has another name on the bus or none, and the player is not the one.
  private func named(_ program: StreamProgram, _ process: ProcessRecord?) -> BusPlayer? {
    let names = Set(program.names.map { $0.lowercased() })
    let fitting = players.filter { player in
      let owner = processes[player.process]?.program
      let isOtherWindow = process != nil && owner != nil && owner == process?.program
      return names.contains(player.name.lowercased()) && !isOtherWindow
    }
    return Set(fitting.map(\.process)).count == 1 ? shortest(fitting) : nil
  }

  /// Of these, which are mostly one player's names, the one with the shortest name. VLC, for one, has a second name with its process number in it.
  private func shortest(_ players: [BusPlayer]) -> BusPlayer? {
    players.min { ($0.busName.utf8.count, $0.busName) < ($1.busName.utf8.count, $1.busName) }
  }
}

/// Another program's player, which has a name on the session bus by which it can be asked to pause.
package struct BusPlayer: Sendable, Hashable {
  private static let prefix = "org.mpris.MediaPlayer2."

  /// The name on the bus, such as `org.mpris.MediaPlayer2.vlc.instance7`.
  package let busName: String
  /// The unique name of the connection that owned `busName` when it was looked up. Another connection may take over `busName`, but this one is always
  /// the same player.
  package let owner: String
  /// The number of the process that owns the name.
  package let process: Int32

  /// The player with this name on the bus; nil if it is not the name of a player.
  package init?(busName: String, owner: String, process: Int32) {
    guard busName.hasPrefix(Self.prefix) else { return nil }
    self.busName = busName
    self.owner = owner
    self.process = process
  }

  /// Whether the other is the same player, by another name or another connection of it.
  package func isSame(as other: BusPlayer) -> Bool { process == other.process && name == other.name }

  /// The player's name for people and settings, such as "vlc".
  package var name: String {
    let parts = busName.dropFirst(Self.prefix.count).split(separator: ".", omittingEmptySubsequences: false)
    let end = parts.dropFirst().firstIndex { $0.hasPrefix("instance") } ?? parts.endIndex
    return parts[..<end].joined(separator: ".")
  }
}

/// What the kernel says about a process, by which the player is found that a stream belongs to.
package struct ProcessRecord: Sendable, Hashable {
  package let id: Int32
  /// The process that started this one; nil if that is not known.
  package let parent: Int32?
  /// The name of the program's file; nil if it can't be read.
  package let program: String?
  /// The identifier of the process's Flatpak application; nil if it belongs to none.
  package let flatpak: String?

  package init(id: Int32, parent: Int32?, program: String? = nil, flatpak: String? = nil) {
    self.id = id
    self.parent = parent
    self.program = program
    self.flatpak = flatpak
  }

  /// The same record of a process that is in this Flatpak's sandbox.
  package func inside(_ flatpak: String) -> ProcessRecord {
    ProcessRecord(id: id, parent: parent, program: program, flatpak: flatpak)
  }
}

/// The program behind a stream, as the sound server describes it.
package struct StreamProgram: Sendable, Hashable {
  /// The program's connection to the server.
  package let client: AudioClient.Index?
  /// The program's process; nil if it is not known.
  package let process: Int32?
  /// Whether the server found out the process itself. Otherwise the program reported it, and may be wrong.
  package let isProcessKnown: Bool
  /// The name of the program's file, as the program tells it.
  package let binary: String?
  /// The Flatpak application, if the server says that it is one.
  package let flatpak: String?
  /// How the program calls itself, the best name for people first.
  package let names: [String]

  /// The property by which a stream says that its player watches the outputs itself, as ours does in every program that it is in.
  package static let selfGuardedKey = "org.fermata.player"

  // PipeWire finds the first one itself, for PulseAudio's clients too. The second one comes with a security context, which a sandbox may make.
  private static let flatpakKeys = ["pipewire.access.portal.app_id", "pipewire.sec.app-id"]

  init(of stream: SinkInput, in world: AudioWorld) {
    self.init(stream.client, stream.properties, stream.name, in: world)
  }

  init(of recording: SourceOutput, in world: AudioWorld) {
    self.init(recording.client, recording.properties, recording.name, in: world)
  }

  /// The program that has this connection.
  init(of client: AudioClient.Index, in world: AudioWorld) { self.init(client, [:], "", in: world) }

  private init(
    _ index: AudioClient.Index?, _ stream: [String: String], _ title: String, in world: AudioWorld
  ) {
    let connected = index.flatMap(world.client)
    let client = connected?.properties ?? [:]
    let number = { (key: String) in
      (client[key] ?? stream[key]).flatMap { Int32($0) }.flatMap { $0 > 0 ? $0 : nil }
    }
    // For PulseAudio's clients, PipeWire knows only the process of its own PulseAudio server.
    let known = connected?.isOfPulse == false ? number("pipewire.sec.pid") : nil
    self.client = index
    process = known ?? number("application.process.id")
    isProcessKnown = known != nil
    binary = client["application.process.binary"] ?? stream["application.process.binary"]
    flatpak = Self.flatpakKeys.lazy.compactMap { client[$0] ?? stream[$0] }.first { !$0.isEmpty }
    names = [
      client["application.name"], stream["application.name"], connected?.name, binary,
      client["application.id"], title,
    ].compactMap(\.self).filter { !$0.isEmpty }
  }

  /// The program's name, used when its player has no name on the bus.
  package var name: String { names.first ?? "a program" }

  /// Whether this is the same program. It may have several connections to the server.
  func isSame(as other: StreamProgram) -> Bool {
    if client != nil, client == other.client { return true }
    // The process number alone is not enough, because programs in sandboxes may all have the same one. The name alone is not either: Chromium gives
    // the connection that records another one.
    guard process != nil, process == other.process else { return false }
    return names.first == other.names.first
      || binary != nil && binary == other.binary && flatpak == other.flatpak
  }
}
