// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import PlaybackLogic
@testable import ScreenModel
import Testing

@Suite("The pads on the screen")
struct PadsScreenTests {
  private func stage(rows: Int = 50) -> ScreenStage { .playing(rows: rows) }

  @Test("on Pads digits strike, 0 silences, Esc goes back, and every other key keeps its meaning")
  func pads() {
    var stage = stage()
    stage.press("2 6")
    _ = stage.takeEffects()
    stage.press("1 4 0 p")
    let (first, fourth) = (PadNumber(rawValue: 1), PadNumber(rawValue: 4))
    #expect(stage.takeEffects() == [.hit(first), .hit(fourth), .stopPads, .order(.toggle)])
    stage.press("9")
    #expect(stage.takeEffects() == [] && stage.screen.message?.text == "the kit has no pad 9")
    #expect(stage.screen.tab == .pads)
    stage.press("Esc")
    #expect(stage.screen.tab == .library)
  }

  @Test("a struck pad is lit for a moment, and a silenced one is struck but not lit")
  func litPad() {
    var stage = stage()
    stage.set(.paused, why: "user", row: 3)
    stage.press("6")
    stage.time += Screen.messageTime
    stage.send(.tick)
    let dark = stage.frame()
    stage.press("2")
    let lit = stage.frame()
    #expect(lit.row(5) != dark.row(5))
    #expect(stage.screen.wake(after: stage.time) == stage.time + PadsScreen.glow)
    stage.time += PadsScreen.glow
    stage.send(.tick)
    #expect(stage.frame().row(5) == dark.row(5))
    #expect(stage.screen.wake(after: stage.time) == nil)
    stage.pads.isEnabled = false
    stage.send(.news(.pads(stage.pads)))
    _ = stage.takeEffects()
    stage.press("2")
    #expect(stage.takeEffects() == [.hit(PadNumber(rawValue: 2))])
    #expect(stage.screen.wake(after: stage.time) == nil)
  }

  @Test("a click strikes the pad below it")
  func clickedPad() {
    var stage = stage()
    stage.press("6")
    _ = stage.takeEffects()
    for (row, column) in [(5, 3), (5, 30), (8, 60), (8, 3), (4, 3)] {
      stage.send(.input(.mouse(MouseReport(action: .press, row: row, column: column))))
    }
    let hits = [1, 2, 4].map { ScreenEffect.hit(PadNumber(rawValue: $0)) }
    #expect(stage.takeEffects() == hits)
  }
}
