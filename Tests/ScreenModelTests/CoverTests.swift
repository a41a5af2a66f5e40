// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import FermataTestKit
import MediaModel
import PictureModel
import PlaybackLogic
@testable import ScreenModel
import Testing

@Suite("Covers on the screen")
struct CoverTests {
  private static let colourful = TerminalTraits(colours: .full)

  private static func picture(_ width: Int, _ height: Int, _ pixels: [UInt8]...) -> PNGPicture {
    PNGPicture(width: width, height: height, pixels: pixels.flatMap { $0 })
  }

  /// The cover asked for, and what it answers, of a screen whose agent has not answered.
  private static func requests(_ effects: [ScreenEffect]) -> [CoverRequest] {
    effects.compactMap { if case .needCover(let request) = $0 { request } else { nil } }
  }

  private static func stage(_ columns: Int, _ rows: Int, _ traits: TerminalTraits = colourful) -> ScreenStage
  {
    var stage = ScreenStage(columns, rows, rows: 5, traits: traits)
    stage.set(.playing, row: 2)
    stage.open()
    return stage
  }

  private static func blocks(_ frame: Frame) -> Int {
    (0..<frame.size.rows).reduce(0) { count, row in
      count
        + frame.row(row).count { cell in
          if case .rgb = cell.style.paper { return true }
          if case .rgb = cell.style.ink { return true }
          return false
        }
    }
  }

  @Test("two pixels are one cell, and what is transparent is the terminal's background")
  func cells() {
    let (red, blue): (CellStyle.Ink, CellStyle.Ink) = (.rgb(255, 0, 0), .rgb(0, 0, 255))
    #expect(HalfBlock.cell(red, blue) == Cell("▀", CellStyle(ink: red, paper: blue)))
    #expect(HalfBlock.cell(red, red) == .space(CellStyle(paper: red)))
    #expect(HalfBlock.cell(red, nil) == Cell("▀", CellStyle(ink: red)))
    #expect(HalfBlock.cell(nil, red) == Cell("▄", CellStyle(ink: red)))
    #expect(HalfBlock.cell(nil, nil) == .blank)
  }

  @Test("an odd row is half a cell, and what lies outside the frame is left out")
  func edges() {
    let red: [UInt8] = [255, 0, 0, 255]
    let clear: [UInt8] = [1, 2, 3, 127]
    let picture = Self.picture(2, 3, red, clear, red, red, clear, red)
    var frame = Frame(ScreenSize(columns: 3, rows: 2))
    frame.put(picture, at: 0, 1)
    #expect((0..<2).map { frame.text($0) } == ["  ▄", "  ▀"])
    #expect(frame[0, 1].style.paper == .rgb(255, 0, 0))
    for (row, column) in [(-1, 0), (1, 2), (0, -1), (5, 5)] { frame.put(picture, at: row, column) }
    #expect(frame[1, 2].style.paper == .rgb(255, 0, 0))
  }

  @Test(
    "a cover has the room that is left, in few sizes",
    arguments: [(15, 40, nil), (16, 8, 16), (23, 40, 16), (36, 18, 32), (36, 15, 24), (500, 500, 80)]
      as [(Int, Int, Int?)])
  func sizes(columns: Int, rows: Int, edge: Int?) {
    #expect(CoverPlace.edge(columns: columns, rows: rows) == edge)
  }

  @Test(
    "where there is no room or too few colours nothing is asked for, and the frame has no picture",
    arguments: [
      (40, 24, TerminalTraits(colours: .full)), (80, 7, TerminalTraits(colours: .full)),
      (80, 24, TerminalTraits(colours: .sixteen)), (80, 24, TerminalTraits(colours: .none)),
      (80, 24, TerminalTraits(colours: .full, isUnicode: false)),
    ])
  func nowhere(columns: Int, rows: Int, traits: TerminalTraits) {
    var stage = Self.stage(columns, rows, traits)
    var asked = 0
    stage.cover = { _ in
      asked += 1
      return nil
    }
    stage.press("5")
    #expect(Self.blocks(stage.frame()) == 0)
  }

  @Test("beside the queue from 110 columns on, and on Now from 60 on", arguments: [59, 60, 109, 110])
  func widths(columns: Int) {
    var stage = Self.stage(columns, 30)
    #expect((Self.blocks(stage.frame()) > 0) == (columns >= 110))
    stage.press("5")
    #expect((Self.blocks(stage.frame()) > 0) == (columns >= 60))
    stage.press("7")
    #expect(Self.blocks(stage.frame()) == 0)
  }

  @Test("it is asked for once for a track and a size, and again where the agent is another")
  func asking() {
    var screen = Self.stage(80, 24).screen
    var effects = screen.handle(.input(.key(KeyPress(.character("5")))), at: .zero)
    let first = Self.requests(effects)
    #expect(first == [CoverRequest(entry: EntryID(rawValue: 2), edge: 32)])
    effects =
      screen.handle(.tick, at: .seconds(1)) + screen.handle(.cover(nil, for: first[0]), at: .seconds(1))
    #expect(Self.requests(effects).isEmpty)
    effects = screen.handle(.resized(ScreenSize(columns: 81, rows: 24)), at: .seconds(2))
    #expect(Self.requests(effects).isEmpty)
    effects = screen.handle(.resized(ScreenSize(columns: 120, rows: 40)), at: .seconds(2))
    #expect(Self.requests(effects).map(\.edge) == [48])
    effects = screen.handle(.agentFound, at: .seconds(3))
    #expect(Self.requests(effects).map(\.edge) == [48])
  }

  @Test("the one of the track before stays until the answer comes, and a late answer is dropped")
  func late() {
    var stage = Self.stage(80, 24)
    stage.press("5")
    #expect(Self.blocks(stage.frame()) > 0)
    var next = stage.status
    next.current = stage.queue[2]
    let request = Self.requests(stage.screen.handle(.status(next), at: stage.time))
    #expect(request.map(\.entry) == [EntryID(rawValue: 3)])
    #expect(Self.blocks(stage.frame()) > 0)
    stage.send(.cover(nil, for: CoverRequest(entry: EntryID(rawValue: 2), edge: 32)))
    #expect(Self.blocks(stage.frame()) > 0)
    stage.send(.cover(nil, for: request[0]))
    #expect(Self.blocks(stage.frame()) == 0)
  }

  @Test("a picture that is larger than was asked for is not shown, and a small one is in the middle")
  func otherSizes() {
    for (edge, isShown) in [(33, false), (32, true), (3, true)] {
      var stage = Self.stage(80, 24)
      stage.cover = { $0.image(in: Placeholder(of: "x").png(edge: edge).bytes) }
      stage.press("5")
      #expect((Self.blocks(stage.frame()) > 0) == isShown, "\(edge)")
    }
    var stage = Self.stage(80, 24)
    stage.cover = { _ in .blocks(Self.picture(1, 1, [9, 9, 9, 255])) }
    stage.press("5")
    #expect(stage.frame()[9, 18].style.ink == .rgb(9, 9, 9))
  }

  @Test("one that was asked for another room is not shown until the right one is there")
  func otherRoom() {
    var stage = Self.stage(200, 60)
    #expect(Self.blocks(stage.frame()) > 0)
    let request = Self.requests(stage.screen.handle(.input(.key(KeyPress(.character("5")))), at: stage.time))
    #expect(request.map(\.edge) == [80])
    #expect(Self.blocks(stage.frame()) == 0)
    stage.send(.cover(stage.cover(request[0]), for: request[0]))
    #expect(Self.blocks(stage.frame()) > 0)
  }

  @Test("it costs bytes when it comes, and a second that passes costs no more than without")
  func bytes() throws {
    var stage = Self.stage(80, 24)
    let before = stage.frame()
    stage.press("5")
    let shown = stage.frame()
    let whole = Painter.bytes(from: before, to: shown, traits: Self.colourful)
    #expect(whole.count > 2_000 && whole.count < 32_000)
    var terminal = ReferenceTerminal(shown.size)
    try terminal.take(Painter.bytes(from: nil, to: before, traits: Self.colourful))
    try terminal.take(whole)
    #expect(terminal.difference(from: shown) == nil)
    stage.time += .seconds(1)
    stage.send(.tick)
    #expect(Painter.bytes(from: shown, to: stage.frame(), traits: Self.colourful).count <= 60)
  }

  @Test(
    "not even a picture of noise takes more than 44 bytes a cell", arguments: [(80, 24, 32), (200, 60, 80)])
  func noise(columns: Int, rows: Int, edge: Int) {
    var stage = Self.stage(columns, rows)
    stage.press("7")
    let before = stage.frame()
    stage.cover = { request in
      var generator = SeededGenerator(seed: 1)
      let pixels = (0..<request.edge * request.edge).flatMap { _ in
        (0..<3).map { _ in UInt8.random(in: 0...255, using: &generator) } + [255]
      }
      return .blocks(PNGPicture(width: request.edge, height: request.edge, pixels: pixels))
    }
    stage.send(.agentFound)
    stage.press("5")
    let count = Painter.bytes(from: before, to: stage.frame(), traits: Self.colourful).count
    let cells = edge * edge / 2
    #expect(count > 30 * cells && count < 44 * cells)
  }

  @Test("where only 256 colours are told, only those are written")
  func palette() {
    var stage = Self.stage(80, 24, TerminalTraits(colours: .palette))
    stage.press("5")
    let text = String(
      decoding: Painter.bytes(from: nil, to: stage.frame(), traits: TerminalTraits(colours: .palette)),
      as: UTF8.self)
    #expect(text.contains("48;5;") && !text.contains("38;2;") && !text.contains("48;2;"))
  }

  @Test("':set covers off' takes it away, and says why it can't be had")
  func setting() {
    var stage = Self.stage(80, 24)
    stage.press("5 :")
    stage.type("set covers off")
    stage.press("Enter")
    #expect(Self.blocks(stage.frame()) == 0)
    stage.press(":")
    stage.type("set covers on")
    stage.press("Enter")
    #expect(Self.blocks(stage.frame()) > 0)
    var poor = Self.stage(80, 24, TerminalTraits())
    poor.press("5 :")
    poor.type("set covers on")
    poor.press("Enter")
    #expect(poor.frame().text(21).contains("too few colours"))
  }
}
