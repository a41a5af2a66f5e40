// SPDX-License-Identifier: MIT
import CommandModel
import FermataTestKit
import Testing

@Suite("Text on a terminal")
struct TerminalTextTests {
  @Test(
    "a text is as wide as a terminal shows it",
    arguments: [
      ("", 0), ("abc", 3), ("Café", 4), ("Cafe\u{301}", 4), ("日本語", 6), ("ｶﾅ", 2), ("ＡＢ", 4), ("한국", 4),
      ("\u{1112}\u{1161}\u{11AB}", 2), ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("🇸🇪", 2), ("❤", 1), ("❤\u{FE0F}", 1),
      ("a\u{200B}b", 2), ("…", 1), ("Ω", 1), ("שלום", 4), ("\u{200F}ab", 2), ("नि", 2), ("\u{AD}", 0),
      ("🎵 a", 4),
    ])
  func width(text: String, columns: Int) {
    #expect(TerminalText.width(text) == columns, "\(text)")
  }

  @Test(
    "what doesn't fit is cut before a letter, with an ellipsis",
    arguments: [
      ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""),
      ("日本語", 5, "日本…"),
      ("日本語", 4, "日…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…"), ("ab", 2, "ab"),
    ])
  func truncation(text: String, columns: Int, expected: String) {
    #expect(TerminalText.truncated(text, to: columns) == expected)
  }

  @Test(
    "a line that is too long goes on below its last column",
    arguments: [
      ("short", 10, ["short"]), ("one two three", 8, ["one two", "three"]),
      ("  --id  the number one", 18, ["  --id  the number", "        one"]),
      ("  - one two", 8, ["  - one", "  two"]), ("abcdefghij kl", 5, ["abcde", "fghij", "kl"]),
      ("日本語です", 5, ["日本", "語で", "す"]), ("日", 1, ["日"]), ("a  b  c  d  e", 7, ["a  b  c", "   d  e"]),
    ])
  func wrapping(text: String, columns: Int, expected: [String]) {
    #expect(Wrap.line(text, width: columns) == expected)
  }

  @Test("padding counts columns, not letters")
  func padding() {
    #expect(TerminalText.padded("日本", to: 6) == "日本  ")
    #expect(TerminalText.padded("日本", to: 3) == "日本")
  }

  @Test(
    "what a terminal would obey is shown instead",
    arguments: [
      ("a\nb\tc\r", #"a\nb\tc\r"#), ("\u{1B}[2J", #"\u{1B}[2J"#), ("\u{9B}2J", #"\u{9B}2J"#),
      ("\u{7F}", #"\u{7F}"#),
      ("abc\u{202E}fdp.exe", #"abc\u{202E}fdp.exe"#), ("\u{2066}x", #"\u{2066}x"#),
      ("a\u{2028}b", #"a\u{2028}b"#),
      ("\r\n", #"\r\n"#), ("e\u{301} 日本 👩‍👩‍👧 \u{200F}", "e\u{301} 日本 👩 \u{200F}"), ("\u{0}", #"\u{0}"#),
    ])
  func printable(text: String, expected: String) {
    #expect(TerminalText.printable(text) == expected)
  }

  @Test("a reader that is no terminal gets all but the control characters")
  func exact() {
    let text = "👨‍👩‍👧‍👦 🇸🇪 ❤\u{FE0F} 👍🏽 \u{1112}\u{1161}"
    #expect(Array(TerminalText.escaped(text).unicodeScalars) == Array(text.unicodeScalars))
    #expect(TerminalText.escaped("a\n👍🏽\u{1B}") == #"a\n👍🏽\u{1B}"#)
    let styled = StyledText.outside(text, .bold)
    #expect(Array(styled.rendered(.exact).unicodeScalars) == Array(text.unicodeScalars))
    #expect(styled.rendered(.plain) == "👨 SE ❤ 👍 하" && styled.width == TerminalText.width(text))
    #expect(styled.rendered(.monochrome) == "\u{1B}[1m👨 SE ❤ 👍 하\u{1B}[0m")
  }

  @Test(
    "a text takes the form that all terminals show equally wide",
    arguments: [
      ("❤\u{FE0F}", "❤"), ("👍🏽", "👍"), ("👨‍👩‍👧‍👦!", "👨!"), ("🇸🇪", "SE"), ("1\u{FE0F}\u{20E3}", "1"),
      ("a\u{AD}b", "ab"),
      ("Z\u{301}\u{302}\u{303}\u{304}a", "Z\u{301}\u{302}a"), ("\u{1112}\u{1161}\u{11AB}", "한"),
      ("\u{1161}", "\u{FFFD}"),
      ("क्\u{200D}ष", "क्ष"), ("日本 é", "日本 é"), ("\u{1F3FD}", "\u{1F3FD}"), ("a\u{E0041}\u{200B}b", "ab"),
    ])
  func plainForm(text: String, plain: String) {
    #expect(Array(PlainForm.of(text).unicodeScalars) == Array(plain.unicodeScalars))
    #expect(PlainForm.of(plain) == plain)
  }

  @Test("whatever text is cut, it fits and is a beginning of what was there")
  func anyText() {
    let pieces = [
      "a", "日", "e\u{301}", "👩‍👩‍👧", "\u{301}", "\u{200D}", "🇸", "❤\u{FE0F}", "한", "\u{11AB}", " ", "\u{FE0F}",
    ]
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<5000 {
      let count = Int.random(in: 0...8, using: &generator)
      let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      let columns = Int.random(in: 0...12, using: &generator)
      let cut = TerminalText.truncated(text, to: columns)
      #expect(TerminalText.width(cut) <= columns, "seed \(seed)")
      #expect(cut == text || text.hasPrefix(String(cut.dropLast())), "seed \(seed)")
      let styled = StyledText(text) + StyledText("日本", .bold) + StyledText(text, .dim)
      #expect(styled.truncated(to: columns).width <= columns, "seed \(seed)")
    }
  }
}
