// SPDX-License-Identifier: MIT
import FaceModel
import FermataTestKit
import MediaModel
import PlaybackLogic
@testable import ScreenModel
import Testing

@Suite("The words of a song")
struct LyricsTests {
  private func stage(rows: Int = 50) -> ScreenStage { .playing(rows: rows) }

  @Test("the line that is sung is chosen by the clock, and the next look is when the next one begins")
  func sungLine() {
    var stage = stage()
    stage.queue[2].item.tags.lyrics = "[01:57.20] first\n[1:57.50]second\n[02:10]third"
    stage.set(.playing, row: 3, position: .milliseconds(117_100))
    stage.press("5 L")
    let (sung, start) = (
      { (stage: inout ScreenStage) in stage.frame().text(stage.frame().cursor.row) }, stage.time
    )
    #expect(stage.screen.wake(after: stage.time) == start + .milliseconds(102))
    stage.time = start + .milliseconds(102)
    stage.send(.tick)
    #expect(sung(&stage) == " ▶ first")
    stage.time = start + .milliseconds(402)
    stage.send(.tick)
    #expect(sung(&stage) == " ▶ second")
    // From then on only the seconds change.
    #expect(stage.screen.wake(after: stage.time) == start + .milliseconds(902))
    stage.press("L")
    #expect(!stage.frame().text(6).hasPrefix(" ▶"))
  }

  @Test("words that only the library has are asked for once, and a track without words says so")
  func askedWords() {
    var stage = stage()
    var known = stage.queue[2]
    known.item.tags.lyrics = "One line\n\nAnother"
    stage.library = [known]
    stage.press("5 L")
    #expect((1..<21).contains { stage.frame().text($0) == "   Another" })
    stage.press("L")
    stage.set(.playing, row: 4)
    stage.press("L")
    #expect(stage.screen.message?.text == "no words in its tags")
  }

  @Test("words without times scroll with every key, down and up again")
  func scrolledWords() {
    var stage = stage()
    stage.queue[2].item.tags.lyrics = (1...60).map { "Line \($0)." }.joined(separator: "\n")
    stage.set(.playing, row: 3)
    stage.press("5 L")
    func first() -> String? {
      let frame = stage.frame()
      return (0..<24).map { frame.text($0).split(separator: " ") }.first { $0.first == "Line" }.map {
        String($0[1])
      }
    }
    #expect(first() == "1.")
    for (keys, line) in [("j", "2."), ("j j", "4."), ("k", "3."), ("g g", "1.")] {
      stage.press(keys)
      #expect(first() == line, "\(keys)")
    }
    stage.press("G k")
    let last = first()
    stage.press("k")
    #expect(last != first())
  }

  @Test(
    "words are read with and without times",
    arguments: [
      ("", nil), ("\n \n", nil), ("[ar:x]\n[ti:y]", nil), ("[00:01.00]", nil),
      ("a\nb\n", ["- a", "- b"]), ("[Chorus]\nla", ["- [Chorus]", "- la"]),
      ("[00:02]b\n[00:01.5]a", ["1.5 a", "2.0 b"]), ("[0:01][1:00]again", ["1.0 again", "60.0 again"]),
      ("[offset:+500]\n[0:01]a\n[0:00.1]b", ["0.0 b", "0.5 a"]),
      ("[00:01]<00:01.00>word <00:01.50>by <x> word", ["1.0 word by <x> word"]),
      ("[99999:01]a\n[:]b\n[1:xx]c", nil), ("[00:01]a\nno time", ["1.0 a"]),
    ] as [(String, [String]?)])
  func reading(text: String, lines: [String]?) {
    let read = Lyrics(text)?.lines.map { line in
      "\(line.start.map { "\($0 / .seconds(1))" } ?? "-") \(line.text)"
    }
    #expect(read == lines)
  }

  @Test("a line that is too long for the screen is shown whole, in several rows that are sung together")
  func long() {
    var stage = ScreenStage(44, 24, rows: 3)
    let words = (1...12).map { "word\($0)" }.joined(separator: " ")
    stage.queue[0].item.tags.lyrics = "[0:00.00]first\n[0:00.01]\(words)\n[9:00.00]last"
    stage.set(.playing, row: 1)
    stage.press("5 L")
    let frame = stage.frame()
    let rows = (0..<24).map { frame.text($0) }
    let sung = rows.firstIndex { $0.contains("▶ word1 ") }
    #expect(sung != nil && rows.contains { $0.contains("word12") } && rows.contains { $0.contains("last") })
    #expect(!rows.contains { $0.contains("word") && $0.contains("…") }, "\(rows)")
  }

  @Test("whatever a tag says, its words can be read, and the line at a place is the last one that has begun")
  func anyWords() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    let pieces = [
      "[", "]", "0", "1:2", ":", ".", "<", ">", "la", "\n", "\r\n", "offset:", "-", "é", " ", "[0:3]",
      "[1:02.3]",
    ]
    for _ in 0..<500 {
      let text = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }.joined()
      guard let lyrics = Lyrics(text), lyrics.isTimed else { continue }
      for second in stride(from: 0, to: 200, by: 7) {
        let place = Duration.seconds(second)
        let begun = lyrics.lines.lastIndex { ($0.start ?? .zero) <= place }
        #expect(lyrics.line(at: place) == begun, "seed \(seed)")
        let next = lyrics.lines.first { ($0.start ?? .zero) > place }
        #expect(lyrics.nextStart(after: place) == next?.start, "seed \(seed)")
      }
    }
  }
}
