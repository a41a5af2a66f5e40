// SPDX-License-Identifier: MIT
package import AudioModel

/// Tells what the guard, which pauses players whose device is gone, would do to each program that has a stream now. `fermata doctor` shows this, so
/// that a user knows it before a plug is pulled.
package struct GuardOutlook: Sendable {
  /// What the guard would do to a program if its device were gone.
  package enum Standing: Sendable, Hashable {
    /// The program will be paused when its device is gone.
    case guarded
    /// A setting says to leave the program alone.
    case excepted
    /// The program has a call, so it is not paused.
    case calling
    /// No player on the bus belongs to the program, so it can't be paused.
    case unreachable
  }

  /// The programs by their names, each once, in the order of their names.
  package let programs: [(name: String, standing: Standing)]

  /// The outlook for the streams in `world`, a reading of the sound server. `players` are those on the bus, and `identities` the names for people
  /// that they give themselves, by their owners. `agent` is our agent's process, which is not listed.
  package init(
    in world: AudioWorld, players: [BusPlayer], identities: [String: String] = [:],
    processes: [Int32: ProcessRecord], settings: GuardSettings, agent: Int32?
  ) {
    let search = PlayerSearch(players, processes)
    let others = ForeignStreams(in: world, own: nil)
    let callers = others.callers
    let calling = Set(callers.compactMap { search.player(of: $0)?.owner })
    var found: [String: Standing] = [:]
    for stream in others.players {
      let program = StreamProgram(of: stream, in: world)
      guard agent == nil || program.process != agent else { continue }
      let player = search.player(of: program)
      let name = player?.name ?? program.name
      let isCalling =
        callers.contains { $0.isSame(as: program) } || player.map { calling.contains($0.owner) } ?? false
      let names = [name] + (player.flatMap { identities[$0.owner] }.map { [$0] } ?? [])
      let isExcepted = names.contains(where: settings.excepts)
      found[name] =
        isCalling ? .calling : isExcepted ? .excepted : player == nil ? .unreachable : .guarded
    }
    programs = found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The processes of all streams and recordings in a reading of the sound server. Their kernel records are needed to make an outlook.
  package static func processes(in world: AudioWorld) -> [Int32] {
    let others = ForeignStreams(in: world, own: nil)
    let programs = others.players.map { StreamProgram(of: $0, in: world) } + others.callers
    return Set(programs.compactMap(\.process)).sorted()
  }
}
