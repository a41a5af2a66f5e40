// SPDX-License-Identifier: MIT
package import PictureModel

/// A picture of pixels on a frame, and the cells that it has.
///
/// Each of these cells says which part of the picture it is, so whatever else is put there, or was there before, is a difference like any
/// other. How a terminal is told of the picture is for the painter to know.
package struct PlacedPicture: Sendable, Hashable {
  /// The picture in the form that the terminal takes.
  package enum Content: Sendable, Hashable {
    case file(PNGFile)
    case sixel(SixelPicture)
  }

  package let content: Content
  package let row: Int
  package let column: Int
  package let columns: Int
  package let rows: Int
}

extension Frame {
  /// Puts a picture onto these cells. One for which there is no room is left out, and so is a second one.
  mutating func place(_ content: PlacedPicture.Content, at row: Int, _ column: Int, columns: Int, rows: Int) {
    guard picture == nil, row >= 0, column >= 0, (1...PicturePart.most).contains(columns),
      (1...PicturePart.most).contains(rows), row + rows <= size.rows, column + columns <= size.columns
    else { return }
    picture = PlacedPicture(content: content, row: row, column: column, columns: columns, rows: rows)
    for y in 0..<rows {
      for x in 0..<columns { put(PicturePart.cell(row: y, column: x), at: row + y, column + x) }
    }
  }
}

/// Cells that stand for parts of a picture, as kitty's protocol has them: a character that nobody else uses, with a mark for the row of the
/// part and one for its column.
enum PicturePart {
  static let character: Unicode.Scalar = "\u{10EEEE}"

  /// Which mark means which number is laid down in the protocol. It has more of them than a cover has rows or columns.
  private static let marks: [Unicode.Scalar] = [
    0x305, 0x30D, 0x30E, 0x310, 0x312, 0x33D, 0x33E, 0x33F, 0x346, 0x34A, 0x34B, 0x34C, 0x350, 0x351, 0x352,
    0x357,
    0x35B, 0x363, 0x364, 0x365, 0x366, 0x367, 0x368, 0x369, 0x36A, 0x36B, 0x36C, 0x36D, 0x36E, 0x36F, 0x483,
    0x484,
    0x485, 0x486, 0x487, 0x592, 0x593, 0x594, 0x595, 0x597, 0x598, 0x599, 0x59C, 0x59D, 0x59E, 0x59F, 0x5A0,
    0x5A1,
    0x5A8, 0x5A9, 0x5AB, 0x5AC, 0x5AF, 0x5C4, 0x610, 0x611, 0x612, 0x613, 0x614, 0x615, 0x616, 0x617, 0x657,
    0x658,
    0x659, 0x65A, 0x65B, 0x65D, 0x65E, 0x6D6, 0x6D7, 0x6D8, 0x6D9, 0x6DA, 0x6DB, 0x6DC, 0x6DF, 0x6E0, 0x6E1,
    0x6E2,
  ].compactMap { Unicode.Scalar($0) }

  static var most: Int { marks.count }

  static func cell(row: Int, column: Int) -> Cell {
    Cell(character, marks: (marks[row], marks[column]), .plain)
  }
}
