// SPDX-License-Identifier: MIT
import CommandModel
import FermataTestKit
import ScreenModel
import Testing

@Suite("Painting")
struct PainterTests {
  private static let traits = TerminalTraits(colours: .full, isSynchronized: true)

  static let pieces = [
    "a", "Paranoid Android", " ", "日本語", "e\u{301}\u{302}\u{303}", "👩‍👩‍👧", "❤\u{FE0F}", "👍🏽", "🇸🇪", "\u{1B}[2J",
    "\u{9B}31m",
    "\u{7}", "\u{1B}]0;x\u{7}", "\u{301}", "שלום", "नि", "ᄒ\u{1161}\u{11AB}", "\u{202E}abc", "…", "━╸─", "▶ ‖",
    "\u{1FAE8}",
    "\r\n", "\u{1B}_Gx\u{1B}\\", "\u{200B}", "\u{FE0F}", "\u{AD}", "\u{E0041}",
  ]

  static let styles = [
    CellStyle.plain, .bold, .dim, CellStyle(.reverse), .playing, .warning,
    CellStyle([.bold, .reverse], ink: .palette(12)),
    CellStyle(ink: .rgb(1, 200, 3), paper: .rgb(9, 8, 7)), CellStyle(.underline, paper: .palette(4)),
  ]

  static func scribble(
    _ frame: inout Frame, _ generator: inout SeededGenerator, pieces: [String] = pieces,
    styles: [CellStyle] = styles
  ) {
    for _ in 0..<Int.random(in: 0...6, using: &generator) {
      let text = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }
      frame.put(
        text.joined(), at: Int.random(in: 0..<frame.size.rows, using: &generator),
        Int.random(in: 0..<frame.size.columns, using: &generator),
        width: Int.random(in: 0...30, using: &generator),
        styles.randomElement(using: &generator) ?? .plain)
    }
    if Int.random(in: 0..<4, using: &generator) == 0 {
      frame.clear(Int.random(in: 0..<frame.size.rows, using: &generator))
    }
    frame.cursor = (
      Int.random(in: 0..<frame.size.rows, using: &generator),
      Int.random(in: 0..<frame.size.columns, using: &generator)
    )
    frame.isCursorShown = Bool.random(using: &generator)
  }

  @Test("a terminal shows exactly the frame, whatever it showed before")
  func exactness() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let size = ScreenSize(
        columns: Int.random(in: 1...40, using: &generator), rows: Int.random(in: 1...8, using: &generator))
      var terminal = ReferenceTerminal(size)
      var shown: Frame?
      var frame = Frame(size)
      for _ in 0..<12 {
        Self.scribble(&frame, &generator)
        try terminal.take(Painter.bytes(from: shown, to: frame, traits: Self.traits))
        #expect(terminal.difference(from: frame) == nil, "seed \(seed)")
        shown = frame
      }
    }
  }

  @Test("what has not changed costs nothing, and a tick of the clock little")
  func economy() {
    var frame = Frame(ScreenSize(columns: 80, rows: 24))
    frame.put("1:57 ━━━━━━━━━━━╸──────────── 6:23", at: 23, 0)
    frame.cursor = (4, 0)
    #expect(Painter.bytes(from: frame, to: frame, traits: Self.traits) == [])
    var next = frame
    next.put("1:58 ━━━━━━━━━━━━╸─────────── 6:23", at: 23, 0)
    #expect(Painter.bytes(from: frame, to: next, traits: Self.traits).count <= 60)
  }

  @Test("a hostile title leaves none of its commands in the output")
  func hostility() throws {
    for piece in Self.pieces {
      var frame = Frame(ScreenSize(columns: 40, rows: 2))
      frame.put(String(repeating: piece, count: 8), at: 0, 0)
      var terminal = ReferenceTerminal(frame.size)
      try terminal.take(Painter.bytes(from: nil, to: frame, traits: Self.traits))
      #expect(terminal.difference(from: frame) == nil, "\(piece.debugDescription)")
    }
  }

  @Test("without UTF-8 only ASCII is written, as wide as the frame")
  func withoutUnicode() {
    var frame = Frame(ScreenSize(columns: 20, rows: 1))
    frame.put("▶ 日本 é ━╸─…", at: 0, 0)
    let bytes = Painter.bytes(from: nil, to: frame, traits: TerminalTraits(colours: .none, isUnicode: false))
    #expect(bytes.allSatisfy { $0 < 0x80 })
    #expect(String(decoding: bytes, as: UTF8.self).contains("=--~"))
  }

  @Test("a cell takes 16 bytes")
  func cellSize() { #expect(MemoryLayout<Cell>.stride == 16) }
}
