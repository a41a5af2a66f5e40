// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@testable import FermataAgent

@Suite("Where the listener is among the tracks")
struct SoundTableTests {
  private typealias Row = (frame: Int, play: PlayID?, trackFrame: Int?, change: Int?)

  /// Track 1 from its frame 500 on, track 2 from the stream's frame 1,000 on, track 3 behind that.
  private func table(_ ending: SoundTable.Ending = .open) -> SoundTable {
    SoundTable(
      stretches: [
        .init(play: 1, start: 0, trackFrame: 500), .init(play: 2, start: 1_000, trackFrame: 0),
        .init(play: 3, start: 1_600, trackFrame: 0),
      ], ending: ending)
  }

  @Test("each frame belongs to a track, and the next change is known")
  func places() {
    let rows: [Row] = [
      (-1, nil, nil, 0), (0, 1, 500, 1_000), (999, 1, 1_499, 1_000), (1_000, 2, 0, 1_600),
      (1_599, 2, 599, 1_600), (1_600, 3, 0, 2_000), (1_999, 3, 399, 2_000), (2_000, 3, 400, 2_000),
    ]
    for row in rows {
      let table = table(.silence(after: 3, at: 2_000))
      #expect(table.place(of: row.frame)?.play == row.play, "frame \(row.frame)")
      #expect(table.place(of: row.frame)?.frame == row.trackFrame, "frame \(row.frame)")
      #expect(table.change(after: row.frame) == row.change, "frame \(row.frame)")
    }
  }

  @Test("a track of which nothing was written is not heard at its place, which stays that of the one before")
  func unwritten() {
    var table = table(.silence(after: 3, at: 1_600))
    table.end = 1_600
    #expect(table.place(of: 1_600)?.play == 2)
    #expect(table.place(of: 1_600)?.frame == 600)
    var listener = Listener()
    #expect(steps(of: &listener, at: 1_600, in: table) == [.heard(2), .left(2), .ended(3)])
    table.end = 1_601
    #expect(table.place(of: 1_600)?.play == 3)
  }

  @Test("where more may come, nothing is known behind the last track's beginning")
  func openEnd() {
    #expect(table().change(after: 1_599) == 1_600)
    #expect(table().change(after: 1_600) == nil)
  }

  /// All that is to be told at a frame.
  private func steps(of listener: inout Listener, at frame: Int, in table: SoundTable) -> [Listener.Step] {
    var steps: [Listener.Step] = []
    while let step = listener.step(at: frame, in: table) {
      steps.append(step)
      // The others change what is asked next time.
      switch step {
      case .heard, .left: continue
      default: return steps
      }
    }
    return steps
  }

  @Test(
    "the listener is told of each boundary once, and when the next one is due",
    arguments: [
      (SoundTable.Ending.open, [Listener.Step](), [Listener.Step]()),
      (.silence(after: 3, at: 2_000), [.wait(frames: 300)], [.left(3), .ended(3)]),
      (.nextStream(at: 2_000), [.wait(frames: 300)], [.left(3), .nextStream]),
    ])
  func steps(ending: SoundTable.Ending, late: [Listener.Step], end: [Listener.Step]) {
    var listener = Listener()
    let table = table(ending)
    #expect(steps(of: &listener, at: 10, in: table) == [.heard(1), .wait(frames: 990)])
    #expect(steps(of: &listener, at: 400, in: table) == [.wait(frames: 600)])
    #expect(steps(of: &listener, at: 1_000, in: table) == [.left(1), .heard(2), .wait(frames: 600)])
    #expect(steps(of: &listener, at: 1_700, in: table) == [.left(2), .heard(3)] + late)
    #expect(steps(of: &listener, at: 2_000, in: table) == end)
    #expect(listener.play == 3)
  }

  @Test("who comes late is told where he is, and not of what he slept through")
  func late() {
    var listener = Listener()
    #expect(steps(of: &listener, at: 1_650, in: table()) == [.heard(3)])
  }

  @Test("a track of no length is passed over, and one that is played again is told of by its number")
  func empty() {
    let table = SoundTable(
      stretches: [
        .init(play: 7, start: 0, trackFrame: 0), .init(play: 8, start: 100, trackFrame: 0),
        .init(play: 9, start: 100, trackFrame: 0),
      ], ending: .silence(after: 9, at: 200))
    var listener = Listener()
    #expect(steps(of: &listener, at: 0, in: table) == [.heard(7), .wait(frames: 100)])
    #expect(steps(of: &listener, at: 100, in: table) == [.left(7), .heard(9), .wait(frames: 100)])
  }
}
