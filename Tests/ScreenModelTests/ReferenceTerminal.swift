// SPDX-License-Identifier: MIT
import CommandModel
@testable import ScreenModel

/// A terminal that shows what it is sent, and refuses every sequence that the painter has no business to send.
struct ReferenceTerminal {
  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var cells: [String]
  private(set) var styles: [CellStyle]
  private(set) var row = 0
  private(set) var column = 0
  private(set) var isCursorShown = true
  private var isSynchronizing = false
  private var style = CellStyle.plain
  private(set) var pictures: ReferencePictures
  /// Whether what it is sent may have been cut off anywhere, and something else begins there.
  private var isCut = false
  private let size: ScreenSize

  init(_ size: ScreenSize, filledWith text: String = "#", graphics: Graphics? = nil) {
    self.size = size
    pictures = ReferencePictures(graphics, size)
    cells = Array(repeating: text, count: size.columns * size.rows)
    styles = Array(repeating: CellStyle(.reverse), count: cells.count)
  }

  mutating func take(_ bytes: [UInt8]) throws {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw Refusal(description: "not UTF-8") }
    var scalars = text.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\u{1B}": try sequence(&scalars)
      case "\r": column = 0
      case "\n": row = min(row + 1, size.rows - 1)
      default: try show(scalar)
      }
    }
    if isSynchronizing { throw Refusal(description: "a frame has no end") }
    try pictures.expectWhole()
  }

  /// Takes what gives the terminal back behind a part of a frame, which ends within a command for pictures.
  mutating func take(cut bytes: ArraySlice<UInt8>, _ farewell: [UInt8]) throws {
    isCut = true
    defer { isCut = false }
    try take(bytes + farewell)
  }

  private mutating func show(_ scalar: Unicode.Scalar) throws {
    if TerminalText.isHazardous(scalar) { throw Refusal(description: "a control character: \(scalar.value)") }
    let width = TerminalText.width(of: scalar)
    if width == 0 {
      // A mark goes onto the character before it.
      var place = row * size.columns + column - 1
      if cells[place].isEmpty { place -= 1 }
      return cells[place].unicodeScalars.append(scalar)
    }
    guard column + width <= size.columns else { throw Refusal(description: "text runs over the edge") }
    let place = row * size.columns + column
    // Half a wide character that is overwritten becomes a blank.
    if cells[place].isEmpty, column > 0 { cells[place - 1] = " " }
    pictures.write(row: row, column..<column + width)
    let next = place + width
    if column + width < size.columns, cells[next].isEmpty { cells[next] = " " }
    cells[place] = String(scalar)
    styles[place] = style
    if width == 2 { (cells[place + 1], styles[place + 1]) = ("", style) }
    column += width
  }

  private mutating func sequence(_ scalars: inout Substring.UnicodeScalarView) throws {
    switch scalars.popFirst() {
    case "[": break
    case "_":
      let text = try Self.string(&scalars)
      do { try pictures.command(text, at: row, column) } catch { if !isCut { throw error } }
      return
    case "]":
      let text = try Self.string(&scalars)
      do { try pictures.file(text, at: row, column) } catch { if !isCut { throw error } }
      return
    case "P":
      let text = try Self.string(&scalars)
      do { try pictures.sixel(text, at: row, column) } catch { if !isCut { throw error } }
      return
    case "\\" where isCut: return
    case "\u{1B}" where isCut: return try sequence(&scalars)
    default: throw Refusal(description: "an escape that is no control sequence")
    }
    var parameters = ""
    while let scalar = scalars.popFirst() {
      guard (0x40...0x7E).contains(scalar.value) else {
        parameters.unicodeScalars.append(scalar)
        continue
      }
      return try control(parameters, Character(scalar))
    }
    throw Refusal(description: "a sequence without an end")
  }

  /// The text up to its end mark.
  private static func string(_ scalars: inout Substring.UnicodeScalarView) throws -> String {
    var text = ""
    while let scalar = scalars.popFirst() {
      if scalar == "\u{7}" { return text }
      if scalar == "\u{1B}" {
        // Where the first half of the end mark was cut off, all of it comes again.
        scalars = scalars.drop { $0 == "\u{1B}" }
        if scalars.popFirst() == "\\" { return text }
      }
      guard (0x20..<0x7F).contains(scalar.value) else { throw Refusal(description: "a command in a string") }
      text.unicodeScalars.append(scalar)
    }
    throw Refusal(description: "a string without an end")
  }

  private mutating func control(_ parameters: String, _ final: Character) throws {
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    switch (parameters, final) {
    case ("?2026", "h"): isSynchronizing = true
    case ("?2026", "l"): isSynchronizing = false
    case ("?25", "h"): isCursorShown = true
    case ("?25", "l"): isCursorShown = false
    case ("2", "J"):
      for place in cells.indices { erase(place) }
      pictures.clear()
    case ("", "K"):
      for column in column..<size.columns { erase(row * size.columns + column) }
      pictures.write(row: row, column..<size.columns)
    case (_, "H"):
      (row, column) = (max(1, numbers.first ?? 1) - 1, max(1, numbers.count > 1 ? numbers[1] : 1) - 1)
      guard row < size.rows, column < size.columns else { throw Refusal(description: "moves outside") }
    case (_, "C"):
      column += max(1, numbers.first ?? 1)
      guard column < size.columns else { throw Refusal(description: "moves outside") }
    case (_, "m"): try graphics(numbers)
    default: throw Refusal(description: "ESC [ \(parameters) \(final)")
    }
  }

  private mutating func erase(_ place: Int) { (cells[place], styles[place]) = (" ", style) }

  private mutating func graphics(_ numbers: [Int]) throws {
    var (attributes, ink, paper) = (style.attributes, style.ink, style.paper)
    var rest = numbers[...]
    while let number = rest.popFirst() {
      switch number {
      case 0: (attributes, ink, paper) = ([], .standard, .standard)
      case 1: attributes.insert(.bold)
      case 2: attributes.insert(.dim)
      case 4: attributes.insert(.underline)
      case 7: attributes.insert(.reverse)
      case 30...37: ink = .palette(UInt8(number - 30))
      case 90...97: ink = .palette(UInt8(number - 82))
      case 40...47: paper = .palette(UInt8(number - 40))
      case 100...107: paper = .palette(UInt8(number - 92))
      case 39: ink = .standard
      case 49: paper = .standard
      case 38 where rest.popFirst() == 2: ink = Self.rgb(&rest)
      case 48 where rest.popFirst() == 2: paper = Self.rgb(&rest)
      default: throw Refusal(description: "style \(number)")
      }
    }
    style = CellStyle(attributes, ink: ink, paper: paper)
  }

  private static func rgb(_ rest: inout ArraySlice<Int>) -> CellStyle.Ink {
    let parts = (0..<3).map { _ in UInt8(clamping: rest.popFirst() ?? 0) }
    return .rgb(parts[0], parts[1], parts[2])
  }

  /// What differs from a frame; nil if it shows exactly that.
  func difference(from frame: Frame) -> String? {
    for place in cells.indices {
      let (row, column) = (place / size.columns, place % size.columns)
      let cell = frame[row, column]
      var expected = cell.isTail ? "" : String(String.UnicodeScalarView(cell.scalars))
      if cell.isPicture, pictures.standsNumber == nil { expected = " " }
      if Array(cells[place].unicodeScalars) != Array(expected.unicodeScalars) {
        return "row \(row), column \(column): '\(cells[place])' for '\(expected)'"
      }
      let style = cell.isPicture ? pictures.cellStyle : cell.style
      if styles[place] != style { return "row \(row), column \(column): another style" }
    }
    if let difference = pictures.difference(from: frame.picture) { return difference }
    if (row, column) != frame.cursor { return "cursor at \(row), \(column) for \(frame.cursor)" }
    return isCursorShown == frame.isCursorShown ? nil : "the cursor is \(isCursorShown ? "shown" : "hidden")"
  }
}
