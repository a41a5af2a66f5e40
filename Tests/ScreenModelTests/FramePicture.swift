// SPDX-License-Identifier: MIT
import CommandModel
import FermataTestKit
@testable import ScreenModel
import Testing

/// A frame as a picture for people: an SVG that shows its cells as a dark terminal would.
struct FramePicture {
  // One cell, in the picture's units, and where letters stand in it.
  private static let (width, height, baseline) = (8.4, 18.0, 13.5)
  private static let margin = 10.0
  private static let (paper, ink) = ("#16181d", "#d7dae0")
  private static let palette = [
    "#000000", "#ff6b6b", "#7bd88f", "#fcd566", "#6cb6ff", "#d7a1ff", "#5ad4e6", "#ffffff", "#767b85",
  ]

  private let frame: Frame
  private var shapes = ""

  /// The picture of a frame, as the text of a file.
  static func text(_ frame: Frame) -> String {
    var picture = FramePicture(frame)
    for row in 0..<frame.size.rows { picture.draw(row: row) }
    return picture.file
  }

  private init(_ frame: Frame) { self.frame = frame }

  private var file: String {
    let size =
      "\(Self.number(Double(frame.size.columns) * Self.width + 2 * Self.margin)) "
      + Self.number(Double(frame.size.rows) * Self.height + 2 * Self.margin)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size)" font-family="monospace" font-size="14" shape-rendering="crispEdges" xml:space="preserve">
      <rect width="100%" height="100%" rx="8" fill="\(Self.paper)"/>
      \(shapes)</svg>

      """
  }

  // Cells of one style are one text, whose length is told: so columns stay where they are in any font.
  private mutating func draw(row: Int) {
    var column = 0
    while column < frame.size.columns {
      let style = frame[row, column].style
      var end = column + 1
      while end < frame.size.columns, frame[row, end].style == style { end += 1 }
      draw(row, column..<end, style)
      column = end
    }
  }

  private mutating func draw(_ row: Int, _ columns: Range<Int>, _ style: CellStyle) {
    if let paper = Self.colour(style.paper) { rectangle(row, columns, 0, Self.height, paper) }
    let isReverse = style.attributes.contains(.reverse)
    let ink = Self.colour(style.ink) ?? Self.ink
    if isReverse { rectangle(row, columns, 0, Self.height, ink) }
    let colour = isReverse ? Self.paper : ink
    var words = columns.lowerBound
    while words < columns.upperBound {
      if let shape = Self.shape(frame[row, words]) {
        let faint = style.attributes.contains(.dim)
        rectangle(row, words..<words + 1, shape.top, shape.height, colour, part: shape.part, isFaint: faint)
        words += 1
        continue
      }
      var end = words
      while end < columns.upperBound, Self.shape(frame[row, end]) == nil { end += 1 }
      text(row, words..<end, colour, style)
      words = end
    }
    if style.attributes.contains(.underline) { rectangle(row, columns, Self.height - 2, 1, colour) }
  }

  // Words that are far apart are texts of their own, as not every program that shows pictures keeps several spaces.
  private mutating func text(_ row: Int, _ columns: Range<Int>, _ colour: String, _ style: CellStyle) {
    var first = columns.lowerBound
    while first < columns.upperBound {
      var end = first
      while end < columns.upperBound, !isGap(row, end, columns) { end += 1 }
      if end > first { words(row, first..<end, colour, style) }
      first = max(end, first + 1)
    }
  }

  /// Whether a space is followed by another, or is the last cell or the one before letters that are far from the last.
  private func isGap(_ row: Int, _ column: Int, _ columns: Range<Int>) -> Bool {
    guard frame[row, column].isSpace else { return false }
    let (before, after) = (column - 1, column + 1)
    return !columns.contains(after) || frame[row, after].isSpace || !columns.contains(before)
      || frame[row, before].isSpace
  }

  private mutating func words(_ row: Int, _ columns: Range<Int>, _ colour: String, _ style: CellStyle) {
    let (first, end) = (columns.lowerBound, columns.upperBound)
    var letters = String.UnicodeScalarView()
    for column in first..<end { letters.append(contentsOf: frame[row, column].scalars) }
    let weight = style.attributes.contains(.bold) ? " font-weight=\"bold\"" : ""
    let faint = style.attributes.contains(.dim) ? " opacity=\"0.6\"" : ""
    shapes +=
      "<text x=\"\(Self.x(first))\" y=\"\(Self.number(Self.margin + Double(row) * Self.height + Self.baseline))\" "
      + "textLength=\"\(Self.number(Double(end - first) * Self.width))\" lengthAdjust=\"spacingAndGlyphs\" "
      + "fill=\"\(colour)\"\(weight)\(faint)>\(Self.escaped(String(letters)))</text>\n"
  }

  private mutating func rectangle(
    _ row: Int, _ columns: Range<Int>, _ top: Double, _ height: Double, _ colour: String, part: Double = 1,
    isFaint: Bool = false
  ) {
    shapes +=
      "<rect x=\"\(Self.x(columns.lowerBound))\" y=\"\(Self.number(Self.margin + Double(row) * Self.height + top))\" "
      + "width=\"\(Self.number(Double(columns.count) * Self.width * part))\" height=\"\(Self.number(height))\" "
      + "fill=\"\(colour)\"\(isFaint ? " opacity=\"0.5\"" : "")/>\n"
  }

  /// Lines and blocks, which fonts draw with gaps; nil for a letter.
  private static func shape(_ cell: Cell) -> (top: Double, height: Double, part: Double)? {
    switch cell.scalars.first {
    case "━": (7.5, 3, 1)
    case "╸": (7.5, 3, 0.5)
    case "─": (8.5, 1, 1)
    case "▌": (0, 18, 0.35)
    case "│": (0, 18, 0.12)
    case "▀": (0, 9, 1)
    case "▄": (9, 9, 1)
    default: nil
    }
  }

  private static func colour(_ ink: CellStyle.Ink) -> String? {
    switch ink {
    case .standard: nil
    case .palette(let number): palette[min(Int(number), palette.count - 1)]
    case .rgb(let red, let green, let blue): "rgb(\(red),\(green),\(blue))"
    }
  }

  private static func x(_ column: Int) -> String { number(margin + Double(column) * width) }

  /// With at most one digit after the point, the same on every machine.
  private static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(abs(tenths % 10))"
  }

  private static func escaped(_ text: String) -> String {
    text.map { $0 == "&" ? "&amp;" : $0 == "<" ? "&lt;" : $0 == ">" ? "&gt;" : String($0) }.joined()
  }
}

/// The pictures that README shows. `make pictures` draws them anew.
@Suite("The pictures of the screen")
struct FramePictureTests {
  private static let folder =
    #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" } + "/docs/pictures"

  private func expect(_ name: String, _ change: (inout ScreenStage) -> Void) {
    var stage = GoldenFrameTests.stage((100, 24), rows: 14, traits: TerminalTraits(colours: .full))
    change(&stage)
    Golden.expect(FramePicture.text(stage.frame()), isAt: "\(Self.folder)/\(name).svg")
  }

  @Test("the queue, paused because the headphones went")
  func queue() { expect("screen-queue", GoldenFrameTests.pause) }

  @Test("the library in columns") func library() { expect("screen-library") { $0.press("2 l l j") } }

  @Test("what plays, with its words")
  func now() { expect("screen-now", GoldenFrameTests.sing) }
}
