// SPDX-License-Identifier: MIT
package import PictureModel

// Draws pictures with characters. The upper half of a cell is a pixel in the text's colour, and the lower half is one in the background's colour.
// This is ordinary text: it is compared and painted as such, and it works in terminal panes, over ssh and in `less`.
extension Frame {
  /// Draws a picture with its upper left pixel in this cell. Pixels outside the grid are left out. Transparent pixels show the terminal's background.
  package mutating func put(_ picture: PNGPicture, at row: Int, _ column: Int) {
    for line in 0..<(picture.height + 1) / 2 {
      for x in 0..<picture.width {
        put(
          HalfBlock.cell(picture.colour(x, 2 * line), picture.colour(x, 2 * line + 1)), at: row + line,
          column + x)
      }
    }
  }
}

/// A cell that shows two pixels.
enum HalfBlock {
  typealias Ink = CellStyle.Ink

  /// The cell for these two colours, the upper one first; nil is the terminal's background.
  static func cell(_ upper: Ink?, _ lower: Ink?) -> Cell {
    switch (upper, lower) {
    case (nil, nil): .blank
    case (let upper?, nil): Cell("▀", CellStyle(ink: upper))
    case (nil, let lower?): Cell("▄", CellStyle(ink: lower))
    // A space with a background is preferred, because screen readers skip spaces, and its style needs only one colour.
    case (let upper?, let lower?) where upper == lower: .space(CellStyle(paper: upper))
    case (let upper?, let lower?): Cell("▀", CellStyle(ink: upper, paper: lower))
    }
  }
}

extension PNGPicture {
  /// The colour of a pixel; nil if it is mostly transparent, or below the picture.
  fileprivate func colour(_ x: Int, _ y: Int) -> CellStyle.Ink? {
    guard y < height else { return nil }
    let place = 4 * (y * width + x)
    guard pixels[place + 3] >= 128 else { return nil }
    return .rgb(pixels[place], pixels[place + 1], pixels[place + 2])
  }
}
