// SPDX-License-Identifier: MIT
package import PictureModel

// A picture made of characters. The upper half of a cell is a pixel in the colour of the text, the lower half one in the colour of the
// background. That is text like any other: it is compared and painted like it, and survives in panes, over ssh and in `less`.
extension Frame {
  /// Puts a picture with its upper left pixel into this cell. What lies outside the grid is left out. Where the picture is transparent
  /// the terminal's own background is seen.
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
    // Programs that read the screen aloud leave out spaces, and one colour is shorter to say than two.
    case (let upper?, let lower?) where upper == lower: .space(CellStyle(paper: upper))
    case (let upper?, let lower?): Cell("▀", CellStyle(ink: upper, paper: lower))
    }
  }
}

extension PNGPicture {
  /// The colour of a pixel; nil if it is rather transparent than not, or below the picture.
  fileprivate func colour(_ x: Int, _ y: Int) -> CellStyle.Ink? {
    guard y < height else { return nil }
    let place = 4 * (y * width + x)
    guard pixels[place + 3] >= 128 else { return nil }
    return .rgb(pixels[place], pixels[place + 1], pixels[place + 2])
  }
}
