// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import MediaModel
import PlaybackLogic
@testable import ScreenModel
import Testing

@Suite("A queue that is edited while it is looked at")
struct QueueEditTests {
  private func stage(rows: Int, current: Int = 1) -> ScreenStage {
    var stage = ScreenStage(rows: rows)
    stage.set(.playing, row: current)
    stage.open()
    stage.press("gg")
    _ = stage.takeEffects()
    return stage
  }

  /// The rows in view whose number and title are not those of the agent's queue.
  private func wrongRows(_ stage: inout ScreenStage) -> [String] {
    let frame = stage.frame()
    return (2..<21).map { frame.text($0) }.filter { line in
      let words = line.split(separator: " ").drop { Int($0) == nil }
      guard let number = words.first.flatMap({ Int($0) }) else { return true }
      return !stage.queue[number - 1].item.displayTitle.elementsEqual(
        words.dropFirst().prefix(2).joined(separator: " "))
    }
  }

  @Test("after an edit no row of the time before is shown for longer than until the answer")
  func olderRows() {
    var stage = stage(rows: 200)
    stage.press("Ctrl-F Ctrl-F Ctrl-F gg")
    stage.remove(row: 1)
    for _ in 0..<6 {
      #expect(wrongRows(&stage) == [])
      stage.press("Ctrl-F")
    }
    stage.press("gg")
    stage.queue.reverse()
    stage.send(.news(.queue(QueueNews(.replaced, length: stage.queue.count))))
    for _ in 0..<6 {
      #expect(wrongRows(&stage) == [])
      stage.press("Ctrl-F")
    }
  }

  @Test(
    "an answer to a question from before an edit is dropped, whether it comes before the next answer or after"
  )
  func lateAnswers() {
    var stage = stage(rows: 200)
    stage.holdsQueue = true
    stage.press("G")
    let late = stage.queueAnswers
    stage.queueAnswers = []
    stage.remove(row: 1, count: 100)
    #expect(late.count == 1 && stage.queueAnswers.count == 1)
    late.forEach { stage.send($0) }
    #expect(stage.screen.queue.count == 100)
    stage.answerQueue()
    #expect(wrongRows(&stage) == [])
    late.forEach { stage.send($0) }
    #expect(stage.screen.queue.count == 100 && wrongRows(&stage) == [])
  }

  @Test("a slow answer does not tell the current row of the time when it was asked for")
  func lateCurrentRow() {
    var stage = stage(rows: 1200, current: 5)
    stage.holdsQueue = true
    stage.press("G")
    stage.send(.news(.row(6)))
    stage.answerQueue()
    #expect(stage.screen.queue.current == 5)
  }

  @Test("rows in view are no page of the whole queue, in which words are looked for")
  func pagesOfTheWhole() {
    var stage = stage(rows: 1200)
    stage.holdsQueue = true
    stage.send(.news(.queue(QueueNews(.replaced, length: 1200))))
    stage.press("/")
    stage.type("Track")
    for _ in 0..<5 { stage.answerQueue() }
    #expect(stage.screen.queue.narrowing?.matches.count == 1200)
  }
}
