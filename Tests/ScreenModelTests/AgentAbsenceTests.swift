// SPDX-License-Identifier: MIT
import FaceModel
import PlaybackLogic
@testable import ScreenModel
import Testing

@Suite("The screen without an agent")
struct AgentAbsenceTests {
  private func stage(rows: Int = 50) -> ScreenStage { .playing(rows: rows) }

  @Test(
    "the last line says why there is no agent, and what happens then",
    arguments: [
      (AgentAbsence.ended, "the agent was ended · p starts it again"),
      (.crashed(comesBack: true), "the agent has crashed · it is started again"),
      (.crashed(comesBack: false), "the agent has crashed again · p starts it"),
      (.absent, "no agent runs · p starts it"),
      (.noBus("the session bus has ended"), "the session bus has ended · q leaves"),
    ])
  func absence(absence: AgentAbsence, words: String) {
    var stage = stage()
    stage.send(.agentLost(absence))
    #expect(stage.frame().text(23).firstRange(of: words) != nil, "\(stage.frame().text(23))")
    #expect(stage.screen.wake(after: stage.time) == nil)
    stage.send(.agentFound)
    #expect(stage.frame().text(23).firstRange(of: words) == nil)
    let saysSo = (0..<24).contains {
      stage.frame().text($0).contains("the agent had crashed, and runs again")
    }
    #expect(saysSo == words.contains("crashed"))
  }

  @Test(
    "when the agent ends nothing more is asked, whatever else it says, and a key is an order that starts it")
  func ended() {
    var stage = stage()
    stage.send(.news(.ending))
    _ = stage.takeEffects()
    let asked = stage.asked
    stage.press("2 4 5 6 7 1 G")
    stage.send(.agentLost(.ended))
    stage.send(.tick)
    #expect(stage.takeEffects() == [] && stage.asked == asked)
    stage.press("p")
    #expect(stage.takeEffects() == [.order(.toggle)])
  }

  @Test(
    "an agent that crashed is started again, but not one that was ended, nor one that crashes again at once")
  func revival() {
    var revival = AgentRevival()
    #expect(revival.went(at: .seconds(10)) == .crashed(comesBack: true))
    revival.came()
    #expect(revival.went(at: .seconds(20)) == .crashed(comesBack: false))
    revival.came()
    revival.announceEnd()
    #expect(revival.went(at: .seconds(25)) == .ended)
    revival.came()
    #expect(revival.went(at: .seconds(71)) == .crashed(comesBack: true))
    // It said that it ends, but another one came before it went.
    revival.announceEnd()
    revival.came()
    #expect(revival.went(at: .seconds(140)) == .crashed(comesBack: true))
  }
}
