// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import FermataTestKit
import MediaModel
import PictureModel
import PlaybackLogic
@testable import ScreenModel
import Testing

@Suite("Pictures of pixels")
struct PictureTests {
  private static let ways: [Graphics] = [
    .placeholders(number: 0x81_02_F0), .placement(number: 7), .inline, .sixel(colours: 16),
  ]

  private static func traits(_ graphics: Graphics?, isSynchronized: Bool = true) -> TerminalTraits {
    TerminalTraits(
      colours: .full, isSynchronized: isSynchronized, graphics: graphics,
      cell: CellSize(width: 10, height: 20))
  }

  private static func file(_ name: String, edge: Int) throws -> PNGFile {
    try #require(PNGFile(Placeholder(of: name).png(edge: edge).bytes))
  }

  /// A picture for these cells, in the form that a terminal with such graphics takes.
  private static func content(
    _ name: String, edge: Int, _ graphics: Graphics, columns: Int, rows: Int
  ) throws -> PlacedPicture.Content {
    guard case .sixel(let colours) = graphics else { return .file(try file(name, edge: edge)) }
    // The last band has to end within the cells.
    let width = max(1, columns * ReferencePictures.cell.width)
    let height = max(6, rows * ReferencePictures.cell.height / 6 * 6)
    let colour = name.utf8.first ?? 0
    let pixels = (0..<width * height).flatMap { place -> [UInt8] in
      [UInt8(truncatingIfNeeded: place / 7) & 0xF0, colour, 9, 255]
    }
    return .sixel(SixelPicture(PNGPicture(width: width, height: height, pixels: pixels), colours: colours))
  }

  /// A screen with a cover on a terminal with such graphics, whose agent has answered.
  private static func stage(_ columns: Int, _ rows: Int, _ graphics: Graphics?) -> ScreenStage {
    var stage = ScreenStage(columns, rows, rows: 5, traits: traits(graphics))
    stage.set(.playing, row: 2)
    stage.open()
    return stage
  }

  // MARK: Painting

  @Test("a terminal shows exactly the frame and its picture, whatever it showed before", arguments: ways)
  func exactness(graphics: Graphics) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    var known: [String: PlacedPicture.Content] = [:]
    for _ in 0..<60 {
      let size = ScreenSize(
        columns: Int.random(in: 1...40, using: &generator), rows: Int.random(in: 1...8, using: &generator))
      let traits = Self.traits(graphics, isSynchronized: Bool.random(using: &generator))
      var terminal = ReferenceTerminal(size, graphics: graphics)
      var (shown, text, picture): (Frame?, Frame, (Frame) -> Frame) = (nil, Frame(size), { $0 })
      for _ in 0..<12 {
        PainterTests.scribble(&text, &generator)
        if Bool.random(using: &generator) {
          let (name, edge) = [("a", 4), ("b", 4), ("a", 90)][Int.random(in: 0..<3, using: &generator)]
          let isThere = Int.random(in: 0..<4, using: &generator) > 0
          let place = (0..<4).map { _ in Int.random(in: 0...9, using: &generator) }
          let key = "\(name) \(edge) \(place[2...])"
          let content =
            try known[key]
            ?? Self.content(name, edge: edge, graphics, columns: place[2], rows: place[3])
          known[key] = content
          picture = { frame in
            var frame = frame
            if isThere {
              frame.place(content, at: place[0], place[1], columns: place[2], rows: place[3])
            }
            return frame
          }
        }
        // The terminal may have been given to somebody else meanwhile.
        if Int.random(in: 0..<8, using: &generator) == 0 { shown = nil }
        let frame = picture(text)
        try terminal.take(Painter.bytes(from: shown, to: frame, traits: traits))
        #expect(terminal.difference(from: frame) == nil, "seed \(seed)")
        shown = frame
      }
    }
  }

  @Test("cut off at any byte, it is ended and taken away by what gives the terminal back", arguments: ways)
  func cuts(graphics: Graphics) throws {
    let size = ScreenSize(columns: 20, rows: 8)
    var frame = Frame(size)
    frame.place(
      try Self.content("a", edge: 300, graphics, columns: 4, rows: 3), at: 1, 2, columns: 4, rows: 3)
    let traits = Self.traits(graphics)
    let empty = Frame(size)
    let bytes = Painter.bytes(from: empty, to: frame, traits: traits)
    let farewell = Array("\u{1B}\\".utf8) + graphics.removal + Array("\u{1B}[?2026l".utf8)
    // Only within the picture: what else is cut is a matter of cells, which are painted anew.
    let text = String(decoding: bytes, as: UTF8.self).utf8
    let (mark, endMark) =
      switch graphics {
      case .inline: ("]1337;", "\u{7}")
      case .sixel: ("P0;1q", "\u{1B}\\")
      case .placeholders, .placement: ("_G", "m=0;")
      }
    let isKept = mark == "_G"
    let first = try #require(text.firstRange(of: mark.utf8)).lowerBound
    let last = try #require(text[first...].firstRange(of: endMark.utf8)).upperBound
    let (start, end) = (
      text.distance(from: text.startIndex, to: first), text.distance(from: text.startIndex, to: last)
    )
    for cut in stride(from: start + 1, to: end + (isKept ? 100 : 0), by: 41) {
      var terminal = ReferenceTerminal(size, graphics: graphics)
      try terminal.take(Painter.bytes(from: nil, to: empty, traits: traits))
      try terminal.take(cut: bytes[..<cut], farewell)
      if isKept { #expect(terminal.pictures.difference(from: nil) == nil, "at \(cut)") }
      try terminal.take(Painter.bytes(from: nil, to: frame, traits: traits))
      #expect(terminal.difference(from: frame) == nil, "at \(cut)")
    }
  }

  @Test("one that stays costs no byte, beside other things that change too", arguments: ways)
  func economy(graphics: Graphics) throws {
    let traits = Self.traits(graphics)
    var (frame, bare) = (Frame(ScreenSize(columns: 80, rows: 24)), Frame(ScreenSize(columns: 80, rows: 24)))
    frame.place(
      try Self.content("a", edge: 300, graphics, columns: 32, rows: 16), at: 1, 2, columns: 32, rows: 16)
    #expect(Painter.bytes(from: frame, to: frame, traits: traits) == [])
    var (next, bareNext) = (frame, bare)
    next.put("1:58", at: 23, 0)
    bareNext.put("1:58", at: 23, 0)
    bare.cursor = frame.cursor
    #expect(
      Painter.bytes(from: frame, to: next, traits: traits)
        == Painter.bytes(from: bare, to: bareNext, traits: traits))
  }

  @Test(
    "where something was written over it, it is sent once more when that is gone",
    arguments: [Graphics.inline, .sixel(colours: 16)])
  func repair(graphics: Graphics) throws {
    let traits = Self.traits(graphics)
    var whole = Frame(ScreenSize(columns: 40, rows: 12))
    whole.place(
      try Self.content("a", edge: 90, graphics, columns: 9, rows: 9), at: 1, 2, columns: 9, rows: 9)
    var covered = whole
    covered.put("hello", at: 4, 4)
    var terminal = ReferenceTerminal(whole.size, graphics: graphics)
    var shown: Frame?
    for (frame, sent) in [(whole, 1), (covered, 1), (whole, 2), (whole, 2)] {
      try terminal.take(Painter.bytes(from: shown, to: frame, traits: traits))
      #expect(terminal.pictures.transmissions == sent)
      shown = frame
    }
    #expect(terminal.difference(from: whole) == nil)
  }

  @Test("one for which there is no room is left out, and so is a second")
  func room() throws {
    let file = PlacedPicture.Content.file(try Self.file("a", edge: 4))
    for (row, column, columns, rows) in [
      (-1, 0, 1, 1), (0, -1, 1, 1), (0, 0, 11, 1), (0, 5, 6, 1), (3, 0, 1, 2), (0, 0, 0, 1),
    ] {
      var frame = Frame(ScreenSize(columns: 10, rows: 4))
      frame.place(file, at: row, column, columns: columns, rows: rows)
      #expect(frame == Frame(frame.size))
    }
    var frame = Frame(ScreenSize(columns: 200, rows: 100))
    frame.place(file, at: 0, 0, columns: 81, rows: 1)
    #expect(frame.picture == nil)
    frame.place(file, at: 0, 0, columns: 80, rows: 80)
    frame.place(file, at: 90, 0, columns: 1, rows: 1)
    #expect(frame.picture?.rows == 80 && !frame[90, 0].isPicture)
    let marks = Set((0..<80).map { frame[$0, 0].scalars[1] })
    #expect(marks.count == 80 && frame[4, 2].scalars == ["\u{10EEEE}", "\u{312}", "\u{30E}"])
  }

  @Test("a file is sent as letters only, in pieces of at most 4096")
  func letters() throws {
    let file = try Self.file("a", edge: 640)
    let command = String(decoding: PictureCommands.transmission(file, as: 5), as: UTF8.self)
    let pieces = command.split(separator: "\u{1B}\\")
    #expect(pieces.count > 2 && pieces.allSatisfy { $0.hasPrefix("\u{1B}_G") })
    for piece in pieces {
      let payload = piece.drop { $0 != ";" }.dropFirst()
      #expect(
        payload.utf8.count <= 4_096
          && payload.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+/=".contains($0)) })
    }
    #expect(pieces.dropLast().allSatisfy { $0.contains("m=1;") } && pieces.last?.contains("m=0;") == true)
    #expect(Base64.text(of: Array("any carnal pleas".utf8)).elementsEqual("YW55IGNhcm5hbCBwbGVhcw==".utf8))
  }

  // MARK: The terminal

  private static func traits(
    _ version: String?, takesGraphics: Bool,
    _ environment: [String: String] = ["TERM": "xterm", "LANG": "C.UTF-8"]
  ) -> TerminalTraits {
    var probe = TerminalProbe()
    if let version { probe.take(.version(version)) }
    if takesGraphics { probe.take(.graphics(takes: true)) }
    probe.take(.cell(width: 9, height: 18))
    probe.take(.attributes([62]))
    var traits = TerminalTraits { environment[$0] }
    traits.take(probe, number: 7)
    return traits
  }

  @Test(
    "whether a terminal shows all letters is known by its locale, and by the locale's name where it is not installed",
    arguments: [
      ("LANG", "ca_ES.UTF-8@valencia", nil, true), ("LC_ALL", "de_DE.utf8", nil, true),
      ("LANG", "vi_VN", "UTF-8", true),
      ("LANG", "de_DE", "ISO-8859-1", false), ("LANG", "C", "ANSI_X3.4-1968", false),
      ("LANG", "vi_VN", nil, false),
      ("LANG", "en_US.UTF-8", nil, true), ("LANG", "ru_RU.KOI8-R", "KOI8-R", false),
    ] as [(String, String, String?, Bool)])
  func letters(name: String, locale: String, charset: String?, isUnicode: Bool) {
    #expect(TerminalTraits(charset: charset) { $0 == name ? locale : nil }.isUnicode == isUnicode)
  }

  @Test(
    "how a terminal takes pictures is known by its name, and only then by what it says",
    arguments: [
      ("kitty(0.36.4)", true, .placeholders(number: 7)), ("kitty(0.28.0)", true, .placeholders(number: 7)),
      ("kitty(1.0)", true, .placeholders(number: 7)), ("kitty(0.26.5)", true, .placement(number: 7)),
      ("kitty(0.36.4)", false, nil), ("ghostty 1.1.0", true, .placeholders(number: 7)),
      ("ghostty 1.1.0", false, nil), ("Konsole 23.08.1", true, .placement(number: 7)),
      ("WezTerm 20240203-110809-5046fc22", true, .inline),
      ("WezTerm 20240203-110809-5046fc22", false, .inline),
      ("iTerm2 3.5.0", false, .inline), ("tmux 3.4", true, nil), ("foot(1.16.2)", false, nil),
      ("XTerm(379)", false, nil),
      ("VTE(7600)", true, nil), ("", true, nil), (nil, true, nil),
    ] as [(String?, Bool, Graphics?)])
  func names(version: String?, takesGraphics: Bool, graphics: Graphics?) {
    let traits = Self.traits(version, takesGraphics: takesGraphics)
    #expect(traits.graphics == graphics)
    #expect(
      (traits.colours == .full)
        == (graphics != nil || version?.hasPrefix("kitty") == true || version?.hasPrefix("ghostty") == true))
    if graphics != nil { #expect(traits.cell == CellSize(width: 9, height: 18)) }
  }

  @Test("without colours there are none, and without UTF-8 no characters stand for them")
  func environments() {
    let bare = Self.traits(
      "kitty(0.36)", takesGraphics: true, ["TERM": "xterm-kitty", "LANG": "C.UTF-8", "NO_COLOR": "1"])
    #expect(bare.graphics == nil && bare.colours == .none)
    let ascii = Self.traits("kitty(0.36)", takesGraphics: true, ["TERM": "xterm-kitty", "LANG": "C"])
    #expect(ascii.graphics == .placement(number: 7))
  }

  @Test(
    "the question about pictures is not put where it would be seen",
    arguments: [
      (["TERM": "xterm-kitty"], true), (["TERM": "foot"], true), (["TERM": "linux"], false),
      (["TERM": "vt220"], false),
      (["TERM": "screen.xterm"], false), (["TERM": "tmux-256color"], false),
      (["TERM": "xterm", "TMUX": "/tmp/x,1,0"], false),
      (["TERM": "xterm", "STY": "1.x"], false),
    ])
  func questions(environment: [String: String], asks: Bool) {
    let text = String(decoding: TerminalProbe.questions { environment[$0] }, as: UTF8.self)
    #expect(text.contains("\u{1B}_G") == asks && text.hasSuffix("\u{1B}[c"))
  }

  @Test("answers about pictures and cells are understood, and others are not taken for keys")
  func answers() {
    for (text, answer) in [
      ("\u{1B}_Gi=1;OK\u{1B}\\", TerminalAnswer.graphics(takes: true)),
      ("\u{1B}_Gi=1;ENOTSUPPORTED:x\u{1B}\\", .graphics(takes: false)),
      ("\u{1B}_G\u{1B}\\", .graphics(takes: false)),
      ("\u{1B}_Xi=1;OK\u{1B}\\", .other), ("\u{1B}[6;20;10t", .cell(width: 10, height: 20)),
    ] {
      var decoder = TerminalInputDecoder()
      #expect(decoder.decode(Array(text.utf8)) == [.answer(answer)])
    }
    for text in ["\u{1B}[4;480;800t", "\u{1B}[6;20t", "\u{1B}[t"] {
      var decoder = TerminalInputDecoder()
      #expect(decoder.decode(Array(text.utf8)).isEmpty)
    }
    #expect(CellSize(width: 0, height: 20) == nil && CellSize(width: 9, height: 9_999) == nil)
  }

  // MARK: Covers

  @Test(
    "the form follows from the terminal and from what somebody wants",
    arguments: [
      (CoverWish.auto, TerminalTraits(colours: .full), CoverForm.blocks), (.auto, TerminalTraits(), nil),
      (.auto, traits(.inline), .pixels), (.blocks, traits(.inline), .blocks), (.off, traits(.inline), nil),
      (.auto, TerminalTraits(colours: .none), nil), (.blocks, TerminalTraits(colours: .sixteen), nil),
      (.auto, TerminalTraits(colours: .full, isUnicode: false), nil),
      (.auto, TerminalTraits(colours: .full, isUnicode: false, graphics: .placement(number: 1)), .pixels),
    ] as [(CoverWish, TerminalTraits, CoverForm?)])
  func forms(wish: CoverWish, traits: TerminalTraits, form: CoverForm?) {
    #expect(CoverForm(traits, wish: wish) == form)
  }

  @Test("a cover is there, is another for another album, and is gone with its screen", arguments: ways)
  func life(graphics: Graphics) throws {
    var stage = Self.stage(80, 24, graphics)
    stage.cover = {
      $0.image(in: Placeholder(of: $0.entry.rawValue < 4 ? "x" : "y").png(edge: $0.edge).bytes)
    }
    var terminal = ReferenceTerminal(ScreenSize(columns: 80, rows: 24), graphics: graphics)
    var shown: Frame?
    @discardableResult
    func show() throws -> Int {
      let frame = stage.frame()
      let bytes = Painter.bytes(from: shown, to: frame, traits: Self.traits(graphics))
      try terminal.take(bytes)
      #expect(terminal.difference(from: frame) == nil)
      shown = frame
      return bytes.count
    }
    try show()
    #expect(terminal.pictures.transmissions == 0)
    stage.press("5")
    try show()
    #expect(shown?.picture?.columns == 32 && shown?.picture?.rows == 16)
    #expect(shown?.picture?.content.width == (graphics == .sixel(colours: 16) ? 318 : 320))
    stage.time += .seconds(1)
    stage.send(.tick)
    #expect(try show() <= 60)
    // The next track of the album.
    stage.set(.playing, row: 3)
    try show()
    #expect(terminal.pictures.transmissions == 1)
    stage.set(.playing, row: 4)
    try show()
    #expect(terminal.pictures.transmissions == 2)
    stage.press("7")
    try show()
    #expect(shown?.picture == nil && terminal.pictures.transmissions == 2)
  }

  @Test("the answers of the terminal, and ':set covers', change the form")
  func changes() {
    var stage = Self.stage(80, 24, nil)
    stage.press("5")
    #expect(stage.frame().picture == nil && stage.frame().text(9).contains("▀"))
    stage.send(.terminal(Self.traits(.inline)))
    #expect(stage.frame().picture != nil && !stage.frame().text(9).contains("▀"))
    for (word, hasPicture, hasBlocks) in [
      ("blocks", false, true), ("on", true, false), ("off", false, false), ("auto", true, false),
    ] {
      stage.press(":")
      stage.type("set covers \(word)")
      stage.press("Enter")
      #expect(
        (stage.frame().picture != nil) == hasPicture && stage.frame().text(9).contains("▀") == hasBlocks)
    }
  }

  @Test(
    "a cover has the shape of its picture, as nearly as cells can, and the size that the cells need",
    arguments: [
      (10, 20, 320, 320, 32, 16, 320), (8, 20, 256, 256, 32, 13, 320), (20, 20, 320, 320, 16, 16, 320),
      (10, 20, 320, 160, 32, 8, 320), (10, 20, 100, 320, 10, 16, 320), (30, 60, 640, 640, 32, 16, 640),
      (5, 10, 1, 160, 1, 16, 160),
    ])
  func shapes(
    width: Int, height: Int, pictureWidth: Int, pictureHeight: Int, columns: Int, rows: Int, edge: Int
  ) throws {
    var stage = ScreenStage(
      80, 24, rows: 5,
      traits: TerminalTraits(colours: .full, graphics: .inline, cell: CellSize(width: width, height: height)))
    stage.set(.playing, row: 2)
    stage.open()
    var asked: [CoverRequest] = []
    stage.cover = { request in
      asked.append(request)
      var file = Placeholder(of: "x").png(edge: 4).bytes
      // A width and a height that are not those of its pixels: nobody here looks at them.
      file.replaceSubrange(
        16..<24,
        with: [0, 0, pictureWidth / 256, pictureWidth % 256, 0, 0, pictureHeight / 256, pictureHeight % 256]
          .map { UInt8($0) })
      return request.image(in: file)
    }
    stage.press("5")
    let picture = try #require(stage.frame().picture)
    #expect(asked.map(\.edge) == [edge] && picture.columns == columns && picture.rows == rows)
  }

  @Test("a file that is torn is no picture")
  func torn() throws {
    let whole = try Self.file("x", edge: 16).bytes
    for count in [0, 8, 40, whole.count - 1] { #expect(PNGFile(Array(whole[..<count])) == nil) }
    #expect(PNGFile(Array("GIF89a".utf8)) == nil)
  }
}
