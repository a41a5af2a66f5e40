// SPDX-License-Identifier: MIT
import CommandModel
import FermataTestKit
@testable import ScreenModel
import Testing

@Suite(
  "Painting, as libvterm sees it", .endsAnyway,
  .enabled(if: OtherTerminal.isInstalled, "pkg-config finds no libvterm: install libvterm-dev"))
struct OtherTerminalTests {
  private static let styles =
    PainterTests.styles
    + KnownColour.all.flatMap { [CellStyle(.underline, ink: $0.ink), CellStyle(.reverse, paper: $0.ink)] }
    + (0..<16).map { CellStyle(ink: .palette($0), paper: .palette(15 - $0)) }

  private static let pieces = PainterTests.pieces.filter(OtherTerminal.agrees)

  private static let edges = [(1, 1), (1, 9), (2, 2), (3, 1), (60, 1), (80, 24), (200, 60), (7, 60)]

  @Test(
    "it shows exactly the frame, whatever it showed before and whatever its size was",
    arguments: [TerminalTraits.Colours.none, .sixteen, .palette, .full])
  func exactness(colours: TerminalTraits.Colours) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    var terminal = OtherTerminal()
    let random = (0..<20 * Rounds.count).map { _ in
      (Int.random(in: 1...60, using: &generator), Int.random(in: 1...16, using: &generator))
    }
    for (columns, rows) in (Self.edges + random).shuffled(using: &generator) {
      let traits = TerminalTraits(
        colours: colours, isSynchronized: Bool.random(using: &generator), isUnicode: generator.chance(80))
      var frame = Frame(ScreenSize(columns: columns, rows: rows))
      for _ in 0..<8 {
        Self.scribble(&frame, &generator)
        if generator.chance(10) { terminal.disturb() }
        terminal.show(frame, traits: traits)
      }
    }
    #expect(terminal.count >= 200)
    let difference = try terminal.difference()
    #expect(difference == nil, "seed \(seed)")
  }

  private static func scribble(_ frame: inout Frame, _ generator: inout SeededGenerator) {
    for _ in 0...frame.size.rows / 8 {
      let characters = (0..<8).map { _ in
        OtherTerminal.characters.randomElement(using: &generator).map { String($0) } ?? ""
      }
      PainterTests.scribble(&frame, &generator, pieces: pieces + characters, styles: styles)
    }
  }

  @Test("it shows the frames that a person has looked at, one painted over the other")
  func golden() throws {
    var terminal = OtherTerminal()
    for size in GoldenFrameTests.sizes + [GoldenFrameTests.small] {
      for scene in GoldenFrameTests.scenes where scene.sizes.contains(size) {
        var stage = scene.stage(size)
        terminal.show(stage.frame(), traits: TerminalTraits(colours: .full))
      }
    }
    let difference = try terminal.difference()
    #expect(difference == nil)
  }

  @Test("each character takes the columns that we reckon with")
  func widths() throws {
    var terminal = OtherTerminal()
    var rest = OtherTerminal.characters[...]
    while !rest.isEmpty {
      var frame = Frame(ScreenSize(columns: 120, rows: 60))
      for row in 0..<frame.size.rows {
        for (place, character) in rest.prefix(40).enumerated() {
          frame.put(String(character), at: row, place * 3)
        }
        rest = rest.dropFirst(40)
      }
      terminal.show(frame, traits: TerminalTraits())
    }
    #expect(OtherTerminal.characters.count > 120_000)
    let difference = try terminal.difference()
    #expect(difference == nil)
  }

  @Test("of the characters that the painter is tried with, one is too new for it")
  func leftOut() {
    #expect(PainterTests.pieces.filter { !OtherTerminal.agrees($0) } == ["\u{1FAE8}"])
  }
}
