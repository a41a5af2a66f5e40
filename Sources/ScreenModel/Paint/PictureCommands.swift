// SPDX-License-Identifier: MIT
package import PictureModel

/// The commands by which a terminal takes a picture's file, shows it and forgets it. What the file says gets into them as Base64 only, whose
/// letters can end or begin no command.
enum PictureCommands {
  /// Kitty takes no longer piece at once.
  private static let longestPiece = 4_096

  // MARK: Kitty's protocol

  // The terminal is to answer nothing (q=2): the answers would come between the keys.

  /// Gives the terminal a picture under this number. It is not shown yet.
  static func transmission(_ file: PNGFile, as number: UInt32) -> [UInt8] {
    let text = Base64.text(of: file.bytes)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count + text.count / 100 + 100)
    for start in stride(from: 0, to: text.count, by: longestPiece) {
      let end = min(start + longestPiece, text.count)
      let keys = start == 0 ? "a=t,t=d,f=100,i=\(number),q=2" : "q=2"
      bytes += "\u{1B}_G\(keys),m=\(end < text.count ? 1 : 0);".utf8
      bytes += text[start..<end]
      bytes += "\u{1B}\\".utf8
    }
    return bytes
  }

  /// Makes cells that stand for the parts of a picture show it: so many of them in all.
  static func stand(_ picture: PlacedPicture, _ number: UInt32) -> String {
    "\u{1B}_Ga=p,U=1,i=\(number),c=\(picture.columns),r=\(picture.rows),q=2\u{1B}\\"
  }

  /// Puts a picture over the cells that begin at the cursor. The cursor stays where it is.
  static func lay(_ picture: PlacedPicture, _ number: UInt32) -> String {
    "\u{1B}_Ga=p,i=\(number),p=1,c=\(picture.columns),r=\(picture.rows),C=1,q=2\u{1B}\\"
  }

  /// Takes a picture away, and has the terminal forget it.
  static func deletion(_ number: UInt32) -> String { "\u{1B}_Ga=d,d=I,i=\(number),q=2\u{1B}\\" }

  /// The same where a part of a picture may have been sent. Terminals would take the next picture for the rest of it, so it gets an end.
  static func removal(_ number: UInt32) -> [UInt8] {
    Array("\u{1B}_Gq=2,m=0;\u{1B}\\\(deletion(number))".utf8)
  }

  // MARK: iTerm2's protocol

  /// Makes a picture the content of the cells from the cursor on.
  static func content(_ file: PNGFile, on picture: PlacedPicture) -> [UInt8] {
    let keys =
      "inline=1;size=\(file.bytes.count);width=\(picture.columns);height=\(picture.rows);preserveAspectRatio=1;doNotMoveCursor=1"
    return Array("\u{1B}]1337;File=\(keys):".utf8) + Base64.text(of: file.bytes) + [0x07]
  }
}

/// Bytes as letters that mean nothing to a terminal.
package enum Base64 {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  package static func text(of bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      var number: UInt32 = 0
      for offset in 0..<3 { number = number << 8 | (offset < count ? UInt32(bytes[start + offset]) : 0) }
      for index in 0..<4 {
        text.append(
          index <= count ? letters[Int(number >> UInt32(18 - 6 * index) & 63)] : UInt8(ascii: "="))
      }
    }
    return text
  }
}

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
