// SPDX-License-Identifier: MIT
import CommandModel

package struct ScreenSize: Sendable, Hashable {
  package var columns: Int
  package var rows: Int

  /// The size, clamped to what is useful, because a terminal may report any numbers.
  package init(columns: Int, rows: Int) {
    self.columns = min(max(1, columns), 1000)
    self.rows = min(max(1, rows), 500)
  }
}

/// The content of a terminal: a grid of cells, and the cursor.
///
/// Each row is an array of its own. A copy of a frame shares them until they are written to, so a row that nobody has written to is copied and
/// compared by its address.
package struct Frame: Sendable, Hashable {
  package let size: ScreenSize
  private var rows: [[Cell]]
  /// The cursor's place. It is in the chosen row, because screen readers follow it.
  package var cursor: (row: Int, column: Int) {
    get { (cursorRow, cursorColumn) }
    set {
      cursorRow = min(max(0, newValue.row), size.rows - 1)
      cursorColumn = min(max(0, newValue.column), size.columns - 1)
    }
  }
  private var cursorRow = 0
  private var cursorColumn = 0
  /// Whether the cursor is visible, as it is while text is typed.
  package var isCursorShown = false
  /// The picture that is laid over some of the cells, such as a cover; nil if there is none. Those cells are `PicturePart`s.
  package internal(set) var picture: PlacedPicture?

  package init(_ size: ScreenSize) {
    self.size = size
    rows = Array(repeating: Array(repeating: .blank, count: size.columns), count: size.rows)
  }

  package subscript(row: Int, column: Int) -> Cell { rows[row][column] }

  package func row(_ row: Int) -> [Cell] { rows[row] }

  /// The text of a row, without the spaces at its end.
  package func text(_ row: Int) -> String {
    var text = String.UnicodeScalarView()
    for cell in self.row(row) { text.append(contentsOf: cell.scalars) }
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// Puts a text on a row, from `column` on, and returns the column after it. At most `width` columns are used: a longer text ends with an ellipsis.
  /// Text outside the grid is left out. Control characters and the like are removed from the text here.
  @discardableResult
  package mutating func put(
    _ text: String, at row: Int, _ column: Int, width: Int = .max, _ style: CellStyle = .plain
  ) -> Int {
    guard (0..<size.rows).contains(row), column >= 0, column < size.columns else { return column }
    let room = min(width, size.columns - column)
    guard room > 0 else { return column }
    if putASCII(text, at: row, column, room, style) { return column + text.utf8.count }
    var pen = CellPen(room: room, style)
    pen.write(TerminalText.printable(text))
    cut(row, column..<column + pen.cells.count)
    rows[row].replaceSubrange(column..<column + pen.cells.count, with: pen.cells)
    return column + pen.cells.count
  }

  /// Puts one cell of one column; does nothing outside the grid.
  mutating func put(_ cell: Cell, at row: Int, _ column: Int) { fill(row, column..<column + 1, cell) }

  /// Fills a range of a row with a cell of one column. What is outside the grid is left out.
  mutating func fill(_ row: Int, _ columns: Range<Int>, _ cell: Cell) {
    guard (0..<size.rows).contains(row) else { return }
    let columns = columns.clamped(to: 0..<size.columns)
    cut(row, columns)
    for column in columns { rows[row][column] = cell }
  }

  // Most fields are short ASCII texts, which are put here without a search for graphemes. For any other text this returns false.
  private mutating func putASCII(
    _ text: String, at row: Int, _ column: Int, _ room: Int, _ style: CellStyle
  ) -> Bool {
    let count = text.utf8.count
    guard count <= room, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return false }
    cut(row, column..<column + count)
    var column = column
    for byte in text.utf8 {
      rows[row][column] = Cell(Unicode.Scalar(byte), style)
      column += 1
    }
    return true
  }

  // Before a range of a row is written: a wide character that reaches over one of its ends becomes two spaces. Only where it does is its second half in
  // the first cell of what is written, or of what follows.
  private mutating func cut(_ row: Int, _ columns: Range<Int>) {
    guard !columns.isEmpty else { return }
    cut(row, columns.lowerBound)
    cut(row, columns.upperBound)
  }

  private mutating func cut(_ row: Int, _ end: Int) {
    guard end > 0, end < size.columns, self[row, end].isTail else { return }
    for column in end - 1...end { rows[row][column] = .space(self[row, column].style) }
  }

  /// Changes the style of the cells in a range of a row, and keeps their characters.
  package mutating func style(_ row: Int, _ columns: Range<Int>, _ change: (CellStyle) -> CellStyle) {
    guard (0..<size.rows).contains(row) else { return }
    for column in columns.clamped(to: 0..<size.columns) {
      rows[row][column] = self[row, column].with(change(self[row, column].style))
    }
  }

  /// Shows a range of a row as one bar, because it is the chosen one. Texts of several inks, each reversed, would make stripes of it.
  package mutating func choose(_ row: Int, _ columns: Range<Int>, ink: CellStyle.Ink = .standard) {
    style(row, columns) { CellStyle($0.attributes.subtracting(.dim).union(.reverse), ink: ink) }
  }

  /// Makes a range of a row blank.
  package mutating func clear(_ row: Int, _ columns: Range<Int>? = nil, _ style: CellStyle = .plain) {
    fill(row, columns ?? 0..<size.columns, .space(style))
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(rows) }

  package static func == (first: Frame, second: Frame) -> Bool {
    first.size == second.size && first.cursorRow == second.cursorRow
      && first.cursorColumn == second.cursorColumn
      && first.isCursorShown == second.isCursorShown && first.picture == second.picture
      && first.rows == second.rows
  }
}

/// Turns a text into cells until the width is used up. The text is in its plain form, which all terminals show equally wide.
private struct CellPen {
  private(set) var cells: [Cell] = []
  private let room: Int
  private let style: CellStyle

  init(room: Int, _ style: CellStyle) { (self.room, self.style) = (room, style) }

  mutating func write(_ text: String) {
    let glyphs = Self.glyphs(text)
    let total = glyphs.reduce(0) { $0 + $1.width }
    let limit = total > room ? room - 1 : room
    for glyph in glyphs {
      guard cells.count + glyph.width <= limit else { break }
      cells.append(Cell(glyph.base, marks: glyph.marks, style))
      if glyph.width == 2 { cells.append(.tail(style)) }
    }
    if total > room, room > 0 { cells.append(Cell("…", style)) }
  }

  private struct Glyph {
    let base: Unicode.Scalar
    var marks: (Unicode.Scalar?, Unicode.Scalar?) = (nil, nil)
    let width: Int
  }

  // A combining mark without a character before it is put on a space.
  private static func glyphs(_ text: String) -> [Glyph] {
    var glyphs: [Glyph] = []
    for scalar in text.unicodeScalars {
      let width = TerminalText.width(of: scalar)
      if width > 0 {
        glyphs.append(Glyph(base: scalar, width: width))
        continue
      }
      if glyphs.isEmpty { glyphs.append(Glyph(base: " ", width: 1)) }
      let last = glyphs.count - 1
      if glyphs[last].marks.0 == nil {
        glyphs[last].marks.0 = scalar
      } else if glyphs[last].marks.1 == nil {
        glyphs[last].marks.1 = scalar
      }
    }
    return glyphs
  }
}
