// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

@Suite(
  "The table of routes for another player, on PulseAudio", .serialized, .longRealTime, .endsAnyway)
struct PulseAudioGuardRowTests {
  @Test("every row: paused after a loss, and left alone otherwise", arguments: RouteCase.all(on: .pulseAudio))
  func row(_ test: RouteCase) throws { try test.runGuarded() }
}

@Suite("The table of routes for another player, on PipeWire", .serialized, .realTime, .endsAnyway)
struct PipeWireGuardRowTests {
  @Test("every row: paused after a loss, and left alone otherwise", arguments: RouteCase.all(on: .pipeWire))
  func row(_ test: RouteCase) throws { try test.runGuarded() }
}

extension RouteCase {
  /// Brings it about while another player plays and our own queue is empty.
  fileprivate func runGuarded() throws {
    let stage = try GuardStage(
      server, sinks: row.sinks, cards: row.cards, start: row.start, isChosen: row.isChosen,
      modules: row.modules, filters: row.filters)
    try stage.play("standin", on: row.start)
    try row.act(stage.routes)
    switch row.end {
    case .paused:
      stage.expect(["standin paused"])
      try stage.expectSilence()
    case .sounds(let sink):
      try stage.routes.server.control.wait(for: sink) { $0.sink(named: sink) != nil }
      try stage.ears.waitForSound(on: sink)
      try stage.ears.listen(for: .milliseconds(1_200))
      try stage.ears.waitForSound(on: sink)
    }
    let isLoss = if case .paused = row.end { true } else { false }
    #expect(stage.pauses(of: "standin") == (isLoss ? 1 : 0))
    stage.expect(isLoss ? ["standin paused"] : [])
    try stage.stop()
  }
}
