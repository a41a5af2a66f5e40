// SPDX-License-Identifier: MIT
import FermataTestKit

extension Bench {
  /// What a player used in one state.
  private struct State {
    var own: Usage
    var server: Usage
    var footprint: Footprint
  }

  private typealias States = [PlayerOrder: State]
  private typealias Measured = (ours: States, others: [(String, States?)])

  /// An MP3 V0 playing, then paused, then stopped, on both servers. Nothing listens meanwhile, as a recorder would hurry the sink.
  func playing() throws -> [Figure] {
    let pulse = try states(on: Stage.card(self))
    let pipeWire = try states(on: Stage(self, PrivatePipeWire(sinks: ["speakers"])))
    func figure(
      _ state: PlayerOrder, _ name: String, _ unit: String, _ budget: Double?, _ value: (State) -> Double
    ) -> Figure { self.figure(pulse, state, name, unit, budget, value) }
    func figureOnPipeWire(
      _ state: PlayerOrder, _ name: String, _ budget: Double?, _ value: (State) -> Double
    ) -> Figure { self.figure(pipeWire, state, "\(name), PipeWire", "/s", budget, value) }
    return [
      figure(.play, "wakeups, playing", "/s", 1.5) { $0.own.wakeupsPerSecond },
      figureOnPipeWire(.play, "wakeups, playing", 1.5) { $0.own.wakeupsPerSecond },
      figure(.pause, "wakeups, paused", "/s", 0) { $0.own.wakeupsPerSecond },
      figureOnPipeWire(.pause, "wakeups, paused", 0) { $0.own.wakeupsPerSecond },
      figure(.stop, "wakeups, stopped", "/s", 0) { $0.own.wakeupsPerSecond },
      figure(.play, "processor, playing", "ms/s", nil) { $0.own.processor },
      figure(.play, "the server's processor, playing", "ms/s", nil) { $0.server.processor },
      figure(.play, "the server's wakeups, playing", "/s", nil) { $0.server.wakeupsPerSecond },
      figureOnPipeWire(.play, "the server's wakeups, playing", nil) { $0.server.wakeupsPerSecond },
      figure(.pause, "the server's wakeups, paused", "/s", nil) { $0.server.wakeupsPerSecond },
      figure(.play, "threads, playing", "", nil) { Double($0.footprint.threads) },
      figure(.play, "resident memory, playing", "MB", 13) { $0.footprint.resident },
      figure(.play, "anonymous memory, playing", "MB", 3) { $0.footprint.anonymous },
    ]
  }

  private func figure(
    _ measured: Measured, _ state: PlayerOrder, _ name: String, _ unit: String, _ budget: Double?,
    _ value: (State) -> Double
  ) -> Figure {
    Figure(
      name: name, ours: measured.ours[state].map(value), unit: unit, budget: budget.map { .atMost($0) },
      others: measured.others.compactMap { name, states in states?[state].map { (name, value($0)) } },
      note: measured.ours[state] == nil ? "the player took no such order" : "")
  }

  /// The states of our player and of the others, one player after another.
  private func states(on stage: Stage) throws -> Measured {
    let seconds = Int(span.seconds) * 2 + 45
    let file = try Tunes.busyMP3(seconds: seconds, in: stage.directory)
    let ours = try states(of: program == nil ? stage.ours : AgentPlayer.self, [file], on: stage)
    let beside: [any Player.Type] = [BarePlayer.self] + stage.others
    return (ours, beside.map { ($0.name, try? states(of: $0, [file], on: stage)) })
  }

  private func states(of type: any Player.Type, _ files: [String], on stage: Stage) throws -> States {
    let player = try type.init(files, on: stage)
    try stage.wait(untilSounding: true)
    // Until the buffers are full.
    var states: States = [.play: try state(of: player, on: stage, after: .seconds(3))]
    for order in [PlayerOrder.pause, .stop] {
      guard (try? player.order(order)) ?? nil != nil else { break }
      try stage.wait(untilSounding: false)
      // Until all that happens once is over: PipeWire suspends an output five seconds after its last sound, and this player's reader of tags ends half a
      // minute after the last file that it read.
      states[order] = try state(of: player, on: stage, after: .seconds(25))
    }
    player.child.stop()
    try stage.wait(untilSounding: false)
    return states
  }

  private func state(of player: any Player, on stage: Stage, after wait: Duration) throws -> State {
    _ = player.child.exit(until: .after(wait))
    let processes = [try player.process] + [stage.serverProcess].compactMap { $0 }
    let usages = try Usage.watch(processes, of: player.child, for: span)
    return State(
      own: usages[0], server: usages.count > 1 ? usages[1] : Usage(), footprint: Footprint(processes[0]))
  }
}
