// SPDX-License-Identifier: MIT
import FaceModel
import PlaybackLogic
import Testing

@testable import FermataCommands

@Suite("Lines of events")
struct EventLinesTests {
  @Test("two events that mean the same are one line, unless time has passed or something came between")
  func same() {
    var lines = EventLines()
    let (early, late) = (Moment(milliseconds: 1_700_000_000_123), Moment(milliseconds: 1_700_000_001_000))
    let began = AgentNews.interruptionBegan("call", wasPlaying: true)
    let state = AgentNews.state(.interrupted, why: "call")
    let written = [
      lines.line(began, early), lines.line(state, early), lines.line(.state(.playing, why: nil), early),
      lines.line(state, early), lines.line(began, late),
    ]
    #expect(written.map { $0 == nil } == [false, true, false, false, false])
    #expect(written[0]?.hasSuffix("  interrupted by a call") == true)
  }

  @Test(
    "what is told in between does not have it said twice: the server goes, its route goes, the music waits for it"
  )
  func between() {
    var lines = EventLines()
    let moment = Moment(milliseconds: 1_700_000_000_999)
    let lost = AgentNews.routeChange(.mediaServicesWereLost, previous: nil, current: nil, paused: false)
    let state = AgentNews.state(.interrupted, why: "server")
    let written = [AgentNews.interruptionBegan("server", wasPlaying: true), lost].map {
      lines.line($0, moment)
    }
    #expect(written.map { $0 == nil } == [false, false])
    #expect(lines.line(state, Moment(milliseconds: 1_700_000_001_001)) == nil)
  }

  @Test("what came from outside is no order to a terminal")
  func outside() {
    var lines = EventLines()
    let line = lines.line(.state(.paused, why: "tool:\u{1B}[2J"), Moment(milliseconds: 0))
    #expect(line?.contains("\u{1B}") == false)
  }
}
