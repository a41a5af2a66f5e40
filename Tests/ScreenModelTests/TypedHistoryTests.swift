// SPDX-License-Identifier: MIT
import CommandModel
import FermataTestKit
@testable import ScreenModel
import Testing

@Suite("What was typed on the screen before")
struct TypedHistoryTests {
  private static func history(_ lines: String...) -> TypedHistory {
    var history = TypedHistory()
    for line in lines {
      history.add(KeptLine(line.first == ":" ? .command : .words, String(line.dropFirst())))
    }
    return history
  }

  @Test("a file of it says the same again, and what is typed twice stands in it once")
  func file() {
    let history = Self.history(":volume 40%", "/björk", ":q", "/björk", ":volume 40%")
    #expect(String(decoding: history.file, as: UTF8.self) == ":q\n/björk\n:volume 40%\n")
    #expect(TypedHistory(history.file) == history)
    #expect(history.texts(.command) == ["q", "volume 40%"] && history.texts(.words) == ["björk"])
    #expect(TypedHistory([]) == TypedHistory())
  }

  @Test("a text whose first sign is an accent, which joins the sign before it, costs no other line")
  func accents() {
    var history = TypedHistory()
    let texts = ["one", "\u{301}abc", "\u{FE0F}", "\u{E34}\u{E19}"]
    for text in texts { history.add(KeptLine(.words, text)) }
    history.add(KeptLine(.command, "\u{200D}q"))
    #expect(history.lines.count == 5)
    #expect(TypedHistory(history.file) == history)
  }

  @Test("it has at most 500 lines, the newest ones")
  func bounds() {
    var history = TypedHistory()
    for number in 0..<700 { history.add(KeptLine(number % 2 == 0 ? .command : .words, "\(number)")) }
    #expect(
      history.lines.count == 500 && history.lines.first?.text == "200"
        && history.lines.last?.text == "699")
    let long = (0..<900).map { ":\($0)\n" }.joined()
    #expect(TypedHistory(Array(long.utf8))?.texts(.command).first == "400")
  }

  @Test("of the lists on which the screen was left it has the last one")
  func lastList() {
    var history = Self.history("/björk")
    for name in ["Library", "Now", "Jobs"] { history.add(KeptLine(.screen, name)) }
    #expect(String(decoding: history.file, as: UTF8.self) == "/björk\n@Jobs\n")
    #expect(TypedHistory(history.file) == history)
  }

  @Test("a file with anything else in it is none, and nothing that a terminal would obey is kept")
  func damage() {
    for text in ["volume\n", ":a\nb\n", ":a\u{0}\n", ":\u{1B}[2J\n", "\u{202E}"] {
      #expect(TypedHistory(Array(text.utf8)) == nil, "\(text.debugDescription)")
    }
    #expect(TypedHistory([0x3A, 0xFF, 0x0A]) == nil)
    #expect(TypedHistory([UInt8](repeating: 0x3A, count: TypedHistory.largestFile + 1)) == nil)
    #expect(Self.history(":a\u{1B}", ":a\nb", ":").lines.isEmpty)
  }

  @Test("any bytes are a history or none, and one that is read can be read again")
  func anything() {
    var generator = SeededGenerator(seed: UInt64.random(in: 0...UInt64.max))
    for _ in 0..<500 {
      let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        Bool.random(using: &generator)
          ? [0x3A, 0x2F, 0x0A, 0x61].randomElement(using: &generator) ?? 0
          : UInt8.random(in: 0...255, using: &generator)
      }
      if let history = TypedHistory(bytes) { #expect(TypedHistory(history.file) == history) }
    }
  }

  // MARK: On the screen

  private static func stage(_ history: TypedHistory) -> ScreenStage {
    var stage = ScreenStage(rows: 5)
    stage.open()
    stage.send(.history(history))
    return stage
  }

  @Test("the arrow up brings back lines of earlier screens, and what is entered is to be kept")
  func commands() {
    var stage = Self.stage(Self.history(":volume 40%", "/björk", ":seek 10"))
    stage.press(":")
    stage.press("Up")
    #expect(stage.frame().text(21).hasPrefix(" :seek 10"))
    stage.press("Up")
    #expect(stage.frame().text(21).hasPrefix(" :volume 40%"))
    stage.press("Down Enter")
    stage.press(":")
    stage.press("Enter")
    #expect(stage.remembered == [KeptLine(.command, "seek 10")])
  }

  @Test("words that a list was narrowed by come back in the same way, and narrow it again")
  func words() {
    var stage = Self.stage(Self.history("/Track 2", ":seek 10", "/Track 4"))
    stage.press("/")
    stage.type("Tra")
    stage.press("Up")
    #expect(stage.frame().text(21).hasPrefix(" /Track 4") && stage.frame().text(2).contains("Track 4"))
    stage.press("Up")
    #expect(stage.frame().text(2).contains("Track 2"))
    stage.press("Down Down")
    #expect(stage.frame().text(21).hasPrefix(" /Tra") && stage.screen.prompt == .narrowing)
    stage.type("ck 3")
    stage.press("Enter")
    #expect(stage.remembered == [KeptLine(.words, "Track 3")])
  }
}
