// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@Suite("The table of routes on PulseAudio", .serialized, .longRealTime, .endsAnyway)
struct PulseAudioRowTests {
  @Test("every row, told and heard", arguments: RouteCase.all(on: .pulseAudio))
  func row(_ test: RouteCase) throws { try test.run() }
}

@Suite("The table of routes on PipeWire", .serialized, .realTime, .endsAnyway)
struct PipeWireRowTests {
  @Test("every row, told and heard", arguments: RouteCase.all(on: .pipeWire))
  func row(_ test: RouteCase) throws { try test.run() }
}

extension RouteCase {
  /// Brings it about with the agent itself, and compares what it told and what was heard with the row.
  fileprivate func run() throws {
    let stage = try RouteStage(
      server, sinks: row.sinks, cards: row.cards, modules: row.modules, filters: row.filters,
      start: row.start, isChosen: row.isChosen)
    try stage.play(on: row.start)
    try row.act(stage)
    stage.events.wait(forChanges: row.reasons.count)
    switch row.end {
    case .paused: try stage.expectSilence()
    case .sounds(let sink): try stage.expectSound(on: sink)
    }
    stage.expectReasons(row.reasons)
    let losses = row.reasons.filter { $0 == "oldDeviceUnavailable" || $0 == "noSuitableRouteForCategory" }
    #expect(stage.events.pausingReasons == Array(losses.prefix(1)), "the first of them paused it")
    let loud = stage.ears.heard.filter { row.silent.contains($0.key) && $0.value >= .milliseconds(100) }
    #expect(loud.isEmpty, "sound where nobody wanted it")
    try stage.stop()
  }
}
