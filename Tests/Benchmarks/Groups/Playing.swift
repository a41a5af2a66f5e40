// SPDX-License-Identifier: MIT
import FermataTestKit

extension Bench {
  /// What a player used in one state.
  private struct State {
    var own: Usage
    var server: Usage
    var footprint: Footprint
  }

  /// An MP3 V0 playing, then paused, then stopped. Nothing listens meanwhile, as a recorder would hurry the sink.
  func playing() throws -> [Figure] {
    let stage = try Stage.card(self)
    let seconds = Int(span.seconds) * 2 + 20
    let file = try Tunes.busyMP3(seconds: seconds, in: stage.directory)
    let ours = try states(of: program == nil ? stage.ours : AgentPlayer.self, [file], on: stage)
    let beside: [any Player.Type] = [BarePlayer.self] + stage.others
    let others = beside.map { ($0.name, try? states(of: $0, [file], on: stage)) }
    func figure(
      _ state: PlayerOrder, _ name: String, _ unit: String, _ budget: Double?, _ value: (State) -> Double
    ) -> Figure {
      Figure(
        name: name, ours: ours[state].map(value), unit: unit, budget: budget.map { .atMost($0) },
        others: others.compactMap { name, states in states?[state].map { (name, value($0)) } },
        note: ours[state] == nil ? "the player took no such order" : "")
    }
    return [
      figure(.play, "wakeups, playing", "/s", 1.5) { $0.own.wakeupsPerSecond },
      figure(.pause, "wakeups, paused", "/s", 0) { $0.own.wakeupsPerSecond },
      figure(.stop, "wakeups, stopped", "/s", 0) { $0.own.wakeupsPerSecond },
      figure(.play, "processor, playing", "ms/s", nil) { $0.own.processor },
      figure(.play, "the server's processor, playing", "ms/s", nil) { $0.server.processor },
      figure(.play, "the server's wakeups, playing", "/s", nil) { $0.server.wakeupsPerSecond },
      figure(.pause, "the server's wakeups, paused", "/s", nil) { $0.server.wakeupsPerSecond },
      figure(.play, "threads, playing", "", nil) { Double($0.footprint.threads) },
      figure(.play, "resident memory, playing", "MB", 13) { $0.footprint.resident },
      figure(.play, "anonymous memory, playing", "MB", 3) { $0.footprint.anonymous },
    ]
  }

  private func states(of type: any Player.Type, _ files: [String], on stage: Stage) throws -> [PlayerOrder:
    State]
  {
    let player = try type.init(files, on: stage)
    try stage.wait(untilSounding: true)
    var states: [PlayerOrder: State] = [.play: try state(of: player, on: stage)]
    for order in [PlayerOrder.pause, .stop] {
      guard (try? player.order(order)) ?? nil != nil else { break }
      try stage.wait(untilSounding: false)
      states[order] = try state(of: player, on: stage)
    }
    player.child.stop()
    try stage.wait(untilSounding: false)
    return states
  }

  private func state(of player: any Player, on stage: Stage) throws -> State {
    // Until the buffers are full and what the order set off is over.
    _ = player.child.exit(until: .after(.seconds(3)))
    let processes = [try player.process] + [stage.serverProcess].compactMap { $0 }
    let usages = try Usage.watch(processes, of: player.child, for: span)
    return State(
      own: usages[0], server: usages.count > 1 ? usages[1] : Usage(), footprint: Footprint(processes[0]))
  }
}
