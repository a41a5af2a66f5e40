// SPDX-License-Identifier: MIT
import CommandModel
import FermataTestKit
import MediaModel
import PictureModel
import PlaybackLogic
@testable import ScreenModel
import Testing

@Suite("Covers by sixel")
struct SixelCoverTests {
  // MARK: The terminal

  private struct Terminal {
    var version: String? = "foot(1.16.2)"
    var attributes = [62, 4, 22]
    var registers: Int? = 256
    var cell: (Int, Int)? = (9, 18)
    var environment = ["TERM": "foot", "LANG": "C.UTF-8"]
    /// What the system says of a cell.
    var systemCell: CellSize?

    var traits: TerminalTraits {
      var probe = TerminalProbe()
      if let version { probe.take(.version(version)) }
      if let cell { probe.take(.cell(width: cell.0, height: cell.1)) }
      if let registers { probe.take(.registers(registers)) }
      probe.take(.attributes(attributes))
      var traits = TerminalTraits { environment[$0] }
      traits.cell = systemCell
      traits.take(probe, number: 7)
      return traits
    }
  }

  @Test(
    "a terminal without a name that we know gets sixel if it says so and all that is needed is known",
    arguments: [
      (Terminal(), .sixel(colours: 256)), (Terminal(version: nil), .sixel(colours: 256)),
      (Terminal(version: "XTerm(379)", attributes: [63, 1, 4], registers: 16), .sixel(colours: 16)),
      (Terminal(registers: nil), .sixel(colours: 256)), (Terminal(registers: 1_024), .sixel(colours: 256)),
      (Terminal(registers: 15), nil), (Terminal(registers: 0), nil), (Terminal(registers: -1), nil),
      (Terminal(registers: .max), .sixel(colours: 256)),
      (Terminal(attributes: [62, 22]), nil), (Terminal(attributes: [4, 6]), nil),
      (Terminal(attributes: []), nil),
      (Terminal(cell: nil), nil), (Terminal(cell: (0, 0)), nil), (Terminal(cell: (9, 99_999)), nil),
      (Terminal(cell: nil, systemCell: CellSize(width: 8, height: 16)), .sixel(colours: 256)),
      (Terminal(environment: ["TERM": "foot", "NO_COLOR": "1"]), nil),
      (Terminal(version: "tmux 3.4", attributes: [1, 2, 4], registers: 1_024), nil),
      (Terminal(version: "WezTerm 20240203"), .inline), (Terminal(version: "iTerm2 3.5.0"), .inline),
      (Terminal(version: "Konsole 23.08.1"), nil), (Terminal(version: "kitty(0.36.4)"), nil),
    ] as [(Terminal, Graphics?)])
  private func names(terminal: Terminal, graphics: Graphics?) {
    #expect(terminal.traits.graphics == graphics)
  }

  @Test("the terminal's word for the size of its cells counts for more than the system's")
  func cells() {
    var terminal = Terminal(systemCell: CellSize(width: 8, height: 16))
    #expect(terminal.traits.cell == CellSize(width: 9, height: 18))
    terminal.cell = nil
    #expect(terminal.traits.cell == CellSize(width: 8, height: 16))
  }

  @Test("after the last answer only the size of a cell is taken, and none that a cell cannot have")
  func late() {
    var probe = TerminalProbe()
    probe.take(.attributes([62, 4]))
    #expect(probe.takesSixel && probe.registers == nil && probe.cell == nil)
    probe.take(.registers(16))
    probe.take(.attributes([62]))
    #expect(probe.takesSixel && probe.registers == nil)
    for (size, known) in [((7, 14), (7, 14)), ((0, 0), (7, 14)), ((1 << 40, 9), (7, 14)), ((8, 16), (8, 16))]
    {
      probe.take(.cell(width: size.0, height: size.1))
      #expect(probe.cell == CellSize(width: known.0, height: known.1))
    }
  }

  @Test("the answer about colours is understood, and no other is taken for it")
  func answers() {
    for (text, answer) in [
      ("\u{1B}[?1;0;256S", TerminalAnswer.registers(256)), ("\u{1B}[?1;0;S", .registers(0)),
      ("\u{1B}[?63;1;4c", .attributes([63, 1, 4])),
    ] {
      var decoder = TerminalInputDecoder()
      #expect(decoder.decode(Array(text.utf8)) == [.answer(answer)])
    }
    for text in [
      "\u{1B}[?1;3;256S", "\u{1B}[?1;1;0S", "\u{1B}[?2;0;800;480S", "\u{1B}[?1;0S", "\u{1B}[?S",
      "\u{1B}[?1;0;256;1S", "\u{1B}[>1;0;256S", "\u{1B}[?1:0;0:1;9S",
    ] {
      var decoder = TerminalInputDecoder()
      #expect(decoder.decode(Array(text.utf8)).allSatisfy { $0 == .answer(.registers(9)) })
    }
    var decoder = TerminalInputDecoder()
    let endless = Array("\u{1B}[?1;0;".utf8) + [UInt8](repeating: UInt8(ascii: "9"), count: 20)
    for case .answer(.registers(let count)) in decoder.decode(endless + Array("S".utf8)) {
      #expect(count > 256 && count < 1 << 30)
    }
    // The key F4 ends in the same letter.
    #expect(decoder.decode(Array("\u{1B}[1;2S".utf8)) == [.key(KeyPress(.function(4), .shift))])
  }

  @Test("whatever a terminal answers, its cells and colours stay within bounds")
  func rubbish() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    let pieces = [
      "\u{1B}[", "\u{1B}[?1;0;", "?", "\u{1B}[6;18;", ";", "S", "t", "c", "4", "18", "99999999999999999999",
      ":", "-",
      "\u{1B}",
    ]
    for _ in 0..<200 {
      var decoder = TerminalInputDecoder()
      var probe = TerminalProbe()
      var traits = TerminalTraits(colours: .full)
      let text = (0..<60).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      // All but the last answer, so that many of them count.
      for case .answer(let answer) in decoder.decode(Array(text.utf8)) {
        if case .attributes = answer { continue }
        probe.take(answer)
      }
      probe.take(.attributes([62, 4]))
      traits.take(probe, number: 7)
      if case .sixel(let colours) = traits.graphics { #expect((16...256).contains(colours), "seed \(seed)") }
      #expect(
        (traits.graphics == nil) == (traits.cell == nil || (probe.registers ?? 16) < 16), "seed \(seed)")
      if let cell = traits.cell { #expect((2...200).contains(cell.width) && (2...200).contains(cell.height)) }
    }
  }

  @Test("how many colours there are is asked before the question that all answer")
  func question() throws {
    let text = String(decoding: TerminalProbe.questions { ["TERM": "xterm"][$0] }, as: UTF8.self)
    #expect(text.contains("\u{1B}[16t\u{1B}[?1;1;0S") && text.hasSuffix("\u{1B}[c"))
    let other = String(decoding: TerminalProbe.questions { ["TERM": "linux"][$0] }, as: UTF8.self)
    #expect(!other.contains("S"))
  }

  // MARK: Covers

  private static func plain(_ width: Int, _ height: Int) -> CoverImage {
    let pixels = [UInt8](repeating: 255, count: 4 * width * height)
    return .sixel(SixelPicture(PNGPicture(width: width, height: height, pixels: pixels), colours: 2))
  }

  @Test(
    "a cover fills its cells and ends within them, with the last band",
    arguments: [
      (10, 20, 318, 32, 16), (7, 15, 224, 32, 16), (9, 18, 288, 32, 16), (6, 13, 192, 32, 15),
      (30, 60, 640, 22, 11), (2, 3, 48, 24, 16),
    ])
  func shapes(width: Int, height: Int, edge: Int, columns: Int, rows: Int) throws {
    let cell = try #require(CellSize(width: width, height: height))
    var stage = ScreenStage(
      80, 24, rows: 5,
      traits: TerminalTraits(colours: .full, graphics: .sixel(colours: 16), cell: cell))
    stage.set(.playing, row: 2)
    stage.open()
    var asked: [CoverRequest] = []
    stage.cover = { request in
      asked.append(request)
      return Self.plain(request.edge, request.edge)
    }
    stage.press("5")
    let picture = try #require(stage.frame().picture)
    #expect(asked.map(\.edge) == [edge] && asked.map(\.form) == [.sixel(colours: 16)])
    #expect(picture.columns == columns && picture.rows == rows)
    #expect(edge <= columns * width && (edge + 5) / 6 * 6 <= rows * height)
  }

  @Test("a picture that is larger than was asked for is not shown")
  func tooLarge() {
    var stage = ScreenStage(
      80, 24, rows: 5,
      traits: TerminalTraits(
        colours: .full, graphics: .sixel(colours: 16), cell: CellSize(width: 10, height: 20)))
    stage.set(.playing, row: 2)
    stage.open()
    stage.cover = { Self.plain($0.edge + 60, 6) }
    stage.press("5")
    #expect(stage.frame().picture == nil)
  }

  @Test("a small cover is enlarged to the pixels that were asked for")
  func smallCover() throws {
    let file = Placeholder(of: "x").png(edge: 10).bytes
    let request = CoverRequest(entry: EntryID(rawValue: 1), edge: 48, form: .sixel(colours: 256))
    guard case .sixel(let picture) = try #require(request.image(in: file)) else {
      Issue.record("another form")
      return
    }
    #expect(picture.width == 48 && picture.height == 48)
    #expect(request.image(in: Array(file.dropLast(20))) == nil)
    // One that is larger than what was asked for is not begun with, whoever sent it.
    #expect(request.image(in: Placeholder(of: "x").png(edge: 49).bytes) == nil)
  }
}
