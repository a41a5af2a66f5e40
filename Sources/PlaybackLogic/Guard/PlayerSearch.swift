// SPDX-License-Identifier: MIT
package import AudioModel

/// Finds the player on the bus that a stream belongs to. What was asked of the bus and of the system is given; nothing is asked here.
package struct PlayerSearch: Sendable {
  /// More ancestors than any player has.
  package static let mostAncestors = 16

  private let players: [BusPlayer]
  private let processes: [Int32: ProcessRecord]

  /// A search among these players. `processes` has what the system says of the players' and the streams' processes, and of their
  /// ancestors.
  package init(_ players: [BusPlayer], _ processes: [Int32: ProcessRecord]) {
    self.players = players
    self.processes = processes
  }

  /// All players, each by its shortest name.
  var all: [BusPlayer] {
    Dictionary(grouping: players, by: \.process).values.compactMap(shortest)
      .sorted { $0.busName < $1.busName }
  }

  /// The player; nil if none fits, or if several do. The program's process says most, then its Flatpak application, then its name.
  package func player(of program: StreamProgram) -> BusPlayer? {
    let process = trustedProcess(of: program)
    return process.flatMap(nearestOwner) ?? ofApplication(program.flatpak ?? process?.flatpak)
      ?? named(program, process)
  }

  /// The process of the stream, if the number that the stream tells can be believed. A program in a sandbox tells the number that it
  /// has in there, which belongs to another program outside.
  private func trustedProcess(of program: StreamProgram) -> ProcessRecord? {
    guard let process = program.process.flatMap({ processes[$0] }) else { return nil }
    if program.isProcessKnown { return process }
    if let flatpak = program.flatpak, process.flatpak != flatpak { return nil }
    guard let told = program.binary, let found = process.program else { return process }
    return told == found ? process : nil
  }

  /// The player of this process, or of the nearest ancestor that has one: browsers play from a child.
  private func nearestOwner(of process: ProcessRecord) -> BusPlayer? {
    var next: ProcessRecord? = process
    for _ in 0...Self.mostAncestors {
      guard let current = next else { return nil }
      if let found = shortest(players.filter { $0.process == current.id }) { return found }
      next = current.parent.flatMap { processes[$0] }
    }
    return nil
  }

  /// The player of a Flatpak application. On the bus it is the sandbox's proxy that has the name, which is no ancestor of the player.
  private func ofApplication(_ flatpak: String?) -> BusPlayer? {
    guard let flatpak else { return nil }
    return shortest(players.filter { processes[$0.process]?.flatpak == flatpak })
  }

  /// The only player with a name of this program. A second window of the same program has a name of its own or none: it is not meant.
  private func named(_ program: StreamProgram, _ process: ProcessRecord?) -> BusPlayer? {
    let names = Set(program.names.map { $0.lowercased() })
    let fitting = players.filter { player in
      let owner = processes[player.process]?.program
      let isOtherWindow = process != nil && owner != nil && owner == process?.program
      return names.contains(player.name.lowercased()) && !isOtherWindow
    }
    return Set(fitting.map(\.process)).count == 1 ? shortest(fitting) : nil
  }

  /// Of several names of one player the shortest: VLC has one with its process's number as well.
  private func shortest(_ players: [BusPlayer]) -> BusPlayer? {
    players.min { ($0.busName.utf8.count, $0.busName) < ($1.busName.utf8.count, $1.busName) }
  }
}

/// A player that has a name on the bus.
package struct BusPlayer: Sendable, Hashable {
  private static let prefix = "org.mpris.MediaPlayer2."

  /// The name on the bus, such as `org.mpris.MediaPlayer2.vlc.instance7`.
  package let busName: String
  /// The connection that had the name when it was asked for. The name may go to another one; the connection is always the same player.
  package let owner: String
  /// The process of that connection.
  package let process: Int32

  /// The player with this name; nil if no player has such a name.
  package init?(busName: String, owner: String, process: Int32) {
    guard busName.hasPrefix(Self.prefix) else { return nil }
    self.busName = busName
    self.owner = owner
    self.process = process
  }

  /// The player's name for people and settings, such as "vlc".
  package var name: String {
    let parts = busName.dropFirst(Self.prefix.count).split(separator: ".", omittingEmptySubsequences: false)
    let end = parts.dropFirst().firstIndex { $0.hasPrefix("instance") } ?? parts.endIndex
    return parts[..<end].joined(separator: ".")
  }
}

/// What the system says of a process.
package struct ProcessRecord: Sendable, Hashable {
  package let id: Int32
  /// The process that started it; nil if that is not known.
  package let parent: Int32?
  /// The name of the program's file; nil if it can't be read.
  package let program: String?
  /// The identifier of the Flatpak application that it belongs to; nil if it belongs to none.
  package let flatpak: String?

  package init(id: Int32, parent: Int32?, program: String? = nil, flatpak: String? = nil) {
    self.id = id
    self.parent = parent
    self.program = program
    self.flatpak = flatpak
  }
}

/// The program behind a stream, as the sound server describes it.
package struct StreamProgram: Sendable, Hashable {
  /// The program's connection to the server.
  package let client: AudioClient.Index?
  /// The program's process; nil if nobody tells it.
  package let process: Int32?
  /// Whether the server found out the process by itself. Otherwise the program says so, and may be wrong.
  package let isProcessKnown: Bool
  /// The name of the program's file, as the program tells it.
  package let binary: String?
  /// The Flatpak application, if the server says that it is one.
  package let flatpak: String?
  /// How the program calls itself, the best name for people first.
  package let names: [String]

  private static let flatpakKeys = ["pipewire.access.portal.app_id", "pipewire.sec.flatpak.app_id"]

  init(of stream: SinkInput, in world: AudioWorld) {
    self.init(stream.client, stream.properties, stream.name, in: world)
  }

  init(of recording: SourceOutput, in world: AudioWorld) {
    self.init(recording.client, recording.properties, recording.name, in: world)
  }

  private init(
    _ index: AudioClient.Index?, _ stream: [String: String], _ title: String, in world: AudioWorld
  ) {
    let connected = index.flatMap(world.client)
    let client = connected?.properties ?? [:]
    let number = { (key: String) in
      (client[key] ?? stream[key]).flatMap { Int32($0) }.flatMap { $0 > 0 ? $0 : nil }
    }
    // Of PulseAudio's clients PipeWire only knows its own go-between.
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

  /// How the program is called where it has no name on the bus.
  package var name: String { names.first ?? "a program" }

  /// Whether this is the same program. It may have several connections to the server.
  func isSame(as other: StreamProgram) -> Bool {
    if client != nil, client == other.client { return true }
    // Sandboxed programs may all have the same process number.
    return process != nil && process == other.process && names.first == other.names.first
  }
}
