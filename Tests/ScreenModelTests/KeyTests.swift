// SPDX-License-Identifier: MIT
import CommandModel
@testable import ScreenModel
import PlaybackLogic
import Testing

@Suite("The keys of the screen")
struct KeyTableTests {
  @Test(
    "every key that help names is a key, and no two rows of a scheme contradict each other",
    arguments: KeyTable.Scheme.allCases)
  func table(scheme: KeyTable.Scheme) {
    for row in KeyTable(scheme).bindings { #expect(KeyPress.sequence(row.keys) != nil, "\(row.keys)") }
    let table = KeyTable(scheme)
    for tab in ScreenTab.allCases { #expect(table.help(for: tab).count > 20) }
  }

  @Test(
    "a key's name and the key are one",
    arguments: ["Ctrl-D", "Space", "F5", "Shift-Up", "Alt-x", "Del", "q", "Shift-Tab", "<", "="])
  func names(name: String) { #expect(KeyPress(name: name)?.name == name) }

  @Test("the user's file changes keys, and its mistakes are told by their lines")
  func file() {
    var table = KeyTable()
    let text = """
      # my keys
      F5 = :library scan
      d = none
      = = :volume +10%
      Hyper-X = :stop
      gh = stop
      gx = :nonsense

      """
    let mistakes = KeysFile.apply(text, to: &table) { $0 == "nonsense" ? "no such command" : nil }
    #expect(mistakes.map(\.line) == [5, 6, 7])
    #expect(KeysFile.text(of: mistakes)?.hasSuffix("; also wrong: lines 6, 7") == true)
    #expect(KeysFile.text(of: []) == nil)
    #expect(table.meaning(of: [KeyPress(.function(5))], on: .queue) == .action(.command("library scan")))
    #expect(table.meaning(of: [KeyPress(.character("d"))], on: .queue) == .nothing)
    #expect(table.meaning(of: [KeyPress(.character("="))], on: .queue) == .action(.command("volume +10%")))
  }

  @Test(
    "a line that can never have an effect is a mistake",
    arguments: [
      ("dd = :queue clear", "'dd' cannot be typed on Queue, Jobs, where 'd' alone does something"),
      ("rr = :stop", "'rr' cannot be typed, where 'r' alone does something; 'r = none' takes that away"),
      ("g = :stop\ngx = :stop", "'gx' cannot be typed, where 'g' alone"),
      ("del = none", "'del' does nothing that could be taken away"),
      ("dd = :queue clear\nd = none", nil), ("gx = :stop", nil), ("gg = :stop", nil), ("Del = none", nil),
    ] as [(String, String?)])
  func unreachable(text: String, reason: String?) {
    var table = KeyTable()
    let mistakes = KeysFile.apply(text, to: &table) { _ in nil }
    #expect(mistakes.count == (reason == nil ? 0 : 1))
    if let reason { #expect(mistakes.first?.reason.hasPrefix(reason) == true, "\(mistakes)") }
  }

  @Test("a file as an editor of Windows writes it is read")
  func windowsFile() {
    var table = KeyTable()
    let mistakes = KeysFile.apply("\u{FEFF}F5 = :stop\r\nF6 = :nothing\r\n", to: &table) {
      $0 == "stop" ? nil : "?"
    }
    #expect(mistakes.map(\.line) == [2])
    #expect(table.meaning(of: [KeyPress(.function(5))], on: .queue) == .action(.command("stop")))
  }

  @Test("a begun chord says what may follow")
  func chords() {
    guard case .begun(let rest) = KeyTable().meaning(of: [KeyPress(.character("g"))], on: .queue) else {
      Issue.record("g begins nothing")
      return
    }
    #expect(rest == ["g first, last row"])
  }

  @Test("the user's file takes over a program's keys, until others are chosen")
  func schemeInFile() {
    var stage = ScreenStage(100, 24, rows: 3)
    #expect(stage.screen.takeKeys("F5 = :stop\r\n :keys cmus\r\n").isEmpty)
    stage.set(.paused, why: "user", row: 1)
    #expect(stage.frame().text(23).hasSuffix("paused · c plays"))
    stage.press(":")
    stage.type("keys fermata")
    stage.press("Enter")
    _ = stage.takeEffects()
    #expect(stage.frame().text(23).hasSuffix("paused · p plays"))
    stage.press("F5")
    #expect(stage.takeEffects() == [.command(["stop"], line: "stop")])
    let mistakes = stage.screen.takeKeys(":keys vim")
    #expect(mistakes.map(\.reason) == ["':keys': write one of fermata, cmus, ncmpcpp"])
  }

  @Test("keys that others of a scheme cut short are not shown")
  func cutShort() {
    let isShown = { (scheme: KeyTable.Scheme, keys: String) in
      KeyTable(scheme).bindings.contains { $0.keys == keys }
    }
    #expect(isShown(.fermata, "sa") && isShown(.fermata, "zz"))
    for scheme in [KeyTable.Scheme.cmus, .ncmpcpp] {
      #expect(!isShown(scheme, "sa") && !isShown(scheme, "zz") && isShown(scheme, "gg") == (scheme != .cmus))
    }
  }
}

@Suite("What a terminal sends")
struct TerminalInputTests {
  private static let table: [(String, [TerminalInput])] = [
    ("\u{1B}[1;5A", [.key(KeyPress(.up, .control))]), ("\u{1B}x", [.key(KeyPress(.character("x"), .alt))]),
    ("\u{1B}[[A", [.key(KeyPress(.function(1)))]), ("\u{1B}[[E", [.key(KeyPress(.function(5)))]),
    ("\u{1B}[[Zx", [.key(KeyPress(.character("x")))]), ("\u{1B}[M !!j", [.key(KeyPress(.character("j")))]),
    ("\u{1B}[<0;5;3M", [.mouse(MouseReport(action: .press, row: 2, column: 4))]),
    ("\u{1B}[<64;1;1M", [.mouse(MouseReport(action: .wheelUp, row: 0, column: 0))]),
    ("\u{1B}[I\u{1B}[O", [.focus(true), .focus(false)]),
    ("\u{1B}[200~a\u{1B}[2Jb\n\u{1B}[201~", [.paste("a[2Jb\n")]),
    ("\u{1B}[100;5u", [.heldKey(HeldKey(KeyPress(.control("d")), code: 100))]),
    ("\u{1B}[27u", [.heldKey(HeldKey(KeyPress(.escape), code: 27))]),
    ("\u{1B}[44;2;60u", [.heldKey(HeldKey(KeyPress(.character("<")), code: 44))]),
    ("\u{1B}[44;2:2;60u", [.heldKey(HeldKey(KeyPress(.character("<")), code: 44, .repeated))]),
    ("\u{1B}[44;1:3u", [.heldKey(HeldKey(KeyPress(.character(",")), code: 44, .released))]),
    // Without text, with text for a key of the number pad, text without a key, and keys that are nothing alone.
    ("\u{1B}[103;2u", [.heldKey(HeldKey(KeyPress(.character("G")), code: 103))]),
    ("\u{1B}[57400;129;49u", [.heldKey(HeldKey(KeyPress(.character("1")), code: 57400))]),
    ("\u{1B}[57419;1u", [.heldKey(HeldKey(KeyPress(.up), code: 57419))]),
    ("\u{1B}[0;;26085:26412u", [.paste("日本")]), ("\u{1B}[0;;27u\u{1B}[57441;2u\u{1B}[57441;1:3u", []),
    ("\u{1B}[100;9u", []), ("\u{1B}[113;17u", []), ("\u{1B}[1;9A", []), ("\u{1B}[3;33~", []),
    ("\u{1B}[9;2u", [.heldKey(HeldKey(KeyPress(.backTab), code: 9))]),
    ("\u{1B}[1;1:2B\u{1B}[1;1:3B\u{1B}[5;1:3~", [.key(KeyPress(.down))]),
    ("\u{1B}[15~\u{1B}OP", [.key(KeyPress(.function(5))), .key(KeyPress(.function(1)))]),
    ("\u{1B}[?2026;2$y", [.answer(.mode(2026, state: 2))]),
    ("\u{1B}P>|foot(1.2)\u{1B}\\", [.answer(.version("foot(1.2)"))]),
    // As xterm and Windows Terminal answer.
    (
      "\u{1B}[?64;1;2;6;9;15;16;17;18;21;22;28c",
      [.answer(.attributes([64, 1, 2, 6, 9, 15, 16, 17, 18, 21, 22, 28]))]
    ),
    (
      "\u{1B}[?61;4;6;7;14;21;22;23;24;28;32;42;52c",
      [.answer(.attributes([61, 4, 6, 7, 14, 21, 22, 23, 24, 28, 32, 42, 52]))]
    ),
    // Control and Alt with a key of a Russian layout, and the key alone.
    ("\u{1B}[1089::99;5u", [.heldKey(HeldKey(KeyPress(.control("c")), code: 1_089))]),
    // On a German and a Dvorak layout the letters are where they are.
    ("\u{1B}[122::121;5u", [.heldKey(HeldKey(KeyPress(.control("z")), code: 122))]),
    ("\u{1B}[119::44;5u", [.heldKey(HeldKey(KeyPress(.control("w")), code: 119))]),
    ("\u{1B}[1074::100;3u", [.heldKey(HeldKey(KeyPress(.character("d"), .alt), code: 1_074))]),
    ("\u{1B}[1089::99;1;1089u", [.heldKey(HeldKey(KeyPress(.character("с")), code: 1_089))]),
    ("\u{1B}[?62;4c", [.answer(.attributes([62, 4]))]), ("\u{1B}]11;rgb:0/0/0\u{7}", [.answer(.other)]),
    ("\u{1B}\t", [.key(KeyPress(.escape)), .key(KeyPress(.tab))]),
    (
      "\u{1B}[97;1:3u", [.heldKey(HeldKey(KeyPress(.character("a")), code: 97, .released))]
    ),
  ]

  @Test("sequences become input, wherever a read ends", arguments: table)
  func decoding(text: String, inputs: [TerminalInput]) {
    let bytes = Array(text.utf8)
    for place in 0...bytes.count {
      var decoder = TerminalInputDecoder()
      #expect(decoder.decode(bytes[..<place]) + decoder.decode(bytes[place...]) == inputs, "at \(place)")
      #expect(decoder.wait == nil)
    }
  }

  @Test("an answer or a paste without an end is bounded and given up")
  func endless() {
    let seconds = [Duration.milliseconds(500), .seconds(10)]
    for (begin, inputs, wait) in [
      ("\u{1B}P", [], seconds[0]), ("\u{1B}[200~", [TerminalInput.tooLongPaste], seconds[1]),
    ] {
      var decoder = TerminalInputDecoder()
      _ = decoder.decode(Array(begin.utf8))
      _ = decoder.decode([UInt8](repeating: UInt8(ascii: "x"), count: 3_000_000))
      #expect(decoder.wait == wait)
      #expect(decoder.flush() == inputs)
      #expect(decoder.decode(Array("q".utf8)) == [.key(KeyPress(.character("q")))])
    }
  }

  @Test("a sequence that is too long is dropped up to its end, and no part of it is a key")
  func overlong() {
    let numbers = String(repeating: "12;", count: 200)
    var decoder = TerminalInputDecoder()
    let bytes = Array("\u{1B}[?\(numbers)12cq".utf8)
    #expect(decoder.decode(bytes) == [.key(KeyPress(.character("q")))] && decoder.wait == nil)
  }

  @Test("what is asked is fenced by a question that all answer, and late answers are swallowed")
  func probe() {
    var probe = TerminalProbe()
    for answer in [
      TerminalAnswer.version("kitty(0.36)"), .mode(2026, state: 2), .keyboard, .attributes([62]),
      .mode(2026, state: 0),
    ] {
      probe.take(answer)
    }
    #expect(probe.isOver && probe.isSynchronized && probe.hasKeyboard && probe.version == "kitty(0.36)")
    var never = TerminalProbe()
    never.take(.mode(2026, state: 4))
    #expect(!never.isSynchronized)
  }
}
