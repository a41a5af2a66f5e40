// SPDX-License-Identifier: MIT

/// Turns the difference of two frames into the bytes that make a terminal, which shows the one, show the other.
package enum Painter {
  /// The bytes that make a terminal show a frame. `old` is the frame that it shows now; nil if that is not known. Empty if both are equal. Write them
  /// in one call.
  package static func bytes(from old: Frame?, to new: Frame, traits: TerminalTraits) -> [UInt8] {
    var brush = Brush(traits)
    let known = old.flatMap { $0.size == new.size ? $0 : nil }
    if known == nil { brush.clear() }
    let before = known ?? Frame(new.size)
    // A picture that changes or moves gives back all of its cells.
    let keepsPicture = before.picture == new.picture
    if !keepsPicture { brush.replace(before.picture, by: new.picture) }
    for row in 0..<new.size.rows {
      paint(new.row(row), over: before.row(row), row, repaintsPicture: !keepsPicture, &brush)
    }
    if let picture = new.picture { brush.lay(picture, isThere: keepsPicture) }
    brush.finish(new, cursorWasShown: known?.isCursorShown, cursorWas: known?.cursor)
    return brush.bytes
  }

  private static func paint(
    _ cells: [Cell], over before: [Cell], _ row: Int, repaintsPicture: Bool, _ brush: inout Brush
  ) {
    if cells == before, !repaintsPicture { return }
    // Many blank cells at the end of the row are erased by one sequence instead of written cell by cell.
    var end = cells.count
    while end > 0, cells[end - 1] == .blank { end -= 1 }
    let erases = cells.count - end > 8 && before[end...].count(where: { $0 != .blank }) > 4
    let last = erases ? end : cells.count
    var column = 0
    while column < last {
      guard
        cells[column] != before[column] || isHalved(column, cells, before)
          || repaintsPicture && cells[column].isPicture
      else {
        column += 1
        continue
      }
      // The second half of a wide character is written together with the first.
      if cells[column].isTail, column > 0 { column -= 1 }
      brush.move(to: row, column)
      brush.write(cells[column], isWide: column + 1 < cells.count && cells[column + 1].isTail)
      column += column + 1 < cells.count && cells[column + 1].isTail ? 2 : 1
    }
    if erases { brush.eraseLine(row, from: end) }
  }

  /// Whether a wide character begins here whose second half was not there before. It is written again, even if its first cell is unchanged.
  private static func isHalved(_ column: Int, _ new: [Cell], _ old: [Cell]) -> Bool {
    column + 1 < new.count && new[column + 1].isTail && !old[column + 1].isTail
  }
}

/// Writes escape sequences, and remembers the terminal's cursor and current style.
private struct Brush {
  private(set) var bytes: [UInt8] = []
  private let traits: TerminalTraits
  /// Where the terminal's cursor is; nil if not known.
  private var cursor: (row: Int, column: Int)?
  private var style: CellStyle?
  /// Whether something was written into cells that are to show a part of a picture.
  private var hasTouchedPicture = false

  private static let begin = "\u{1B}[?2026h"

  init(_ traits: TerminalTraits) { self.traits = traits }

  /// Clears the terminal; afterwards its cursor is in the first cell.
  mutating func clear() {
    open()
    if let graphics = traits.graphics { bytes += graphics.removal }
    put("\u{1B}[m\u{1B}[H\u{1B}[2J")
    (cursor, style) = ((0, 0), .plain)
  }

  // Before the first bytes of a frame, tells a terminal that can show frames at once that one begins.
  private mutating func open() {
    guard bytes.isEmpty, traits.isSynchronized else { return }
    put(Self.begin)
  }

  private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func move(to row: Int, _ column: Int) {
    open()
    if let cursor, cursor == (row, column) { return }
    if let cursor, cursor.row == row, column > cursor.column {
      let distance = column - cursor.column
      put(distance == 1 ? "\u{1B}[C" : "\u{1B}[\(distance)C")
    } else if column == 0, let cursor, cursor.row + 1 == row {
      put("\r\n")
    } else {
      put(column == 0 ? "\u{1B}[\(row + 1)H" : "\u{1B}[\(row + 1);\(column + 1)H")
    }
    cursor = (row, column)
  }

  mutating func write(_ cell: Cell, isWide: Bool) {
    if cell.isPicture { hasTouchedPicture = true }
    set(cell.isPicture ? pictureStyle : cell.style)
    let scalars = cell.isPicture && !hasPlaceholders ? [" "] : cell.scalars
    if traits.isUnicode {
      for scalar in scalars {
        if scalar.isASCII { bytes.append(UInt8(scalar.value)) } else { put(String(scalar)) }
      }
    } else {
      bytes.append(scalars.first.map(ASCIISigns.letter) ?? UInt8(ascii: "?"))
      if isWide { bytes.append(UInt8(ascii: " ")) }
    }
    // At the last column terminals wrap in different ways, and they disagree about the width of some characters; then the cursor's place is not
    // known.
    cursor =
      cell.isCertain && !isWide || !traits.isUnicode
      ? cursor.map { ($0.row, $0.column + (isWide ? 2 : 1)) } : nil
  }

  mutating func eraseLine(_ row: Int, from column: Int) {
    move(to: row, column)
    set(.plain)
    put("\u{1B}[K")
  }

  mutating func finish(_ frame: Frame, cursorWasShown: Bool?, cursorWas: (row: Int, column: Int)?) {
    let isPainted = !bytes.isEmpty
    let place = frame.cursor
    if isPainted || cursorWas.map({ $0 != place }) ?? true {
      if isPainted { set(.plain) }
      // At the last column the cursor may be about to wrap, so its place counts as unknown.
      if let cursor, cursor.column >= frame.size.columns { self.cursor = nil }
      move(to: place.row, place.column)
    }
    if cursorWasShown != frame.isCursorShown {
      open()
      put(frame.isCursorShown ? "\u{1B}[?25h" : "\u{1B}[?25l")
    }
    if !bytes.isEmpty, traits.isSynchronized { put("\u{1B}[?2026l") }
  }

  // MARK: Pictures

  private var hasPlaceholders: Bool { if case .placeholders = traits.graphics { true } else { false } }

  /// With kitty's placeholders, the colour of a cell's text is the number of its picture. With the other protocols the cells below a picture are blank.
  private var pictureStyle: CellStyle {
    guard case .placeholders(let number) = traits.graphics else { return .plain }
    func byte(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: number >> shift) }
    return CellStyle(ink: .rgb(byte(16), byte(8), byte(0)))
  }

  /// Takes the old picture away, before anything is written, and gives the terminal the new one.
  mutating func replace(_ old: PlacedPicture?, by new: PlacedPicture?) {
    switch traits.graphics {
    case .placeholders(let number):
      open()
      if old != nil { put(PictureCommands.deletion(number)) }
      guard let new, case .file(let file) = new.content else { return }
      bytes += PictureCommands.transmission(file, as: number)
      put(PictureCommands.stand(new, number))
    case .placement(let number):
      open()
      if old != nil { put(PictureCommands.deletion(number)) }
      if case .file(let file) = new?.content { bytes += PictureCommands.transmission(file, as: number) }
    // What is written into its cells takes it away.
    case .inline, .sixel, nil: return
    }
  }

  /// Shows the picture on its cells, which are blank by now, unless it is there and nothing has taken it away.
  mutating func lay(_ picture: PlacedPicture, isThere: Bool) {
    switch (traits.graphics, picture.content) {
    case (.placement(let number), _) where !isThere:
      move(to: picture.row, picture.column)
      put(PictureCommands.lay(picture, number))
    case (.inline, .file(let file)) where hasTouchedPicture:
      move(to: picture.row, picture.column)
      set(.plain)
      bytes += PictureCommands.content(file, on: picture)
    case (.sixel, .sixel(let sixel)) where hasTouchedPicture:
      move(to: picture.row, picture.column)
      set(.plain)
      bytes += sixel.bytes
    default: return
    }
    // Not all terminals leave it where it was.
    cursor = nil
  }

  // MARK: Styles

  private mutating func set(_ wanted: CellStyle) {
    guard wanted != style else { return }
    let old = style
    style = wanted
    if wanted == .plain { return put("\u{1B}[m") }
    var codes: [String] = []
    let kept = old.flatMap { $0.attributes.isSubset(of: wanted.attributes) ? $0 : nil }
    if kept == nil { codes.append("0") }
    let had = kept?.attributes ?? []
    for (attribute, code) in Self.codes
    where wanted.attributes.contains(attribute) && !had.contains(attribute) {
      codes.append(code)
    }
    if kept?.ink ?? .standard != wanted.ink { codes += code(wanted.ink, isPaper: false) }
    if kept?.paper ?? .standard != wanted.paper { codes += code(wanted.paper, isPaper: true) }
    guard !codes.isEmpty else { return }
    put("\u{1B}[\(codes.joined(separator: ";"))m")
  }

  private static let codes: [(CellStyle.Attributes, String)] = [
    (.bold, "1"), (.dim, "2"), (.underline, "4"), (.reverse, "7"),
  ]

  private func code(_ ink: CellStyle.Ink, isPaper: Bool) -> [String] {
    guard traits.colours != .none else { return [] }
    switch ink {
    case .standard: return [isPaper ? "49" : "39"]
    case .palette(let number):
      let base = number < 8 ? (isPaper ? 40 : 30) : (isPaper ? 92 : 82)
      return ["\(base + Int(number))"]
    case .rgb(let red, let green, let blue):
      let kind = isPaper ? "48" : "38"
      switch traits.colours {
      case .full: return [kind, "2", "\(red)", "\(green)", "\(blue)"]
      case .palette: return [kind, "5", "\(Self.cube(red, green, blue))"]
      default: return ["\((isPaper ? 40 : 30) + Self.nearest(red, green, blue))"]
      }
    }
  }

  /// The nearest colour of a palette of 256: one of 24 greys, or of a cube of 6×6×6.
  private static func cube(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
    let (darkest, lightest) = (Int(min(red, green, blue)), Int(max(red, green, blue)))
    // The cube has only six greys, too few for pictures.
    if lightest - darkest < 10, (5..<243).contains(darkest) {
      return 232 + min(23, ((darkest + lightest) / 2 - 3) / 10)
    }
    func step(_ value: UInt8) -> Int { value < 48 ? 0 : value < 115 ? 1 : (Int(value) - 35) / 40 }
    return 16 + 36 * step(red) + 6 * step(green) + step(blue)
  }

  private static func nearest(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
    (red > 127 ? 1 : 0) + (green > 127 ? 2 : 0) + (blue > 127 ? 4 : 0)
  }
}

/// ASCII letters that replace the screen's signs on a terminal that does not understand UTF-8.
package enum ASCIISigns {
  private static let table: [Unicode.Scalar: UInt8] = [
    "▶": UInt8(ascii: ">"), "‖": UInt8(ascii: "\""), "■": UInt8(ascii: "."), "▌": UInt8(ascii: "|"),
    "⏸": UInt8(ascii: "\""), "⏹": UInt8(ascii: "."), "⏩": UInt8(ascii: ">"), "⏪": UInt8(ascii: "<"),
    "━": UInt8(ascii: "="), "╸": UInt8(ascii: "-"), "─": UInt8(ascii: "-"), "│": UInt8(ascii: "|"),
    "…": UInt8(ascii: "~"), "·": UInt8(ascii: "-"), "–": UInt8(ascii: "-"), "★": UInt8(ascii: "*"),
    "✓": UInt8(ascii: "v"), "»": UInt8(ascii: ">"), "«": UInt8(ascii: "<"), "✗": UInt8(ascii: "x"),
  ]

  /// A text in ASCII: every other character is replaced by the letter for it in `table`, or by a question mark.
  package static func text(_ text: String) -> String {
    String(decoding: text.unicodeScalars.map(letter), as: UTF8.self)
  }

  static func letter(_ scalar: Unicode.Scalar) -> UInt8 {
    if scalar.isASCII { return UInt8(scalar.value) }
    return table[scalar] ?? UInt8(ascii: "?")
  }
}
