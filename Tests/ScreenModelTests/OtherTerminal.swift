// SPDX-License-Identifier: MIT
import CommandModel
import FermataTestKit
@testable import ScreenModel

/// A terminal by other people: libvterm, which shares no code and no author with ours. It is given what the painter makes of frames, one after the
/// other, and tells at the end which cells it showed after each.
///
/// Dim text is not compared, and frames have no pictures here, because libvterm knows neither.
struct OtherTerminal {
  /// Whether its headers are installed.
  static let isInstalled = (try? Child.run(finder, ["--exists", "vterm"])) != nil

  private static var finder: Program {
    get throws { try .named("pkg-config", package: "pkg-config") }
  }

  /// How many frames it was given.
  private(set) var count = 0
  // What the program reads: after a line with size and length the bytes of each frame.
  private var input: [UInt8] = []
  // What the program is to print.
  private var expected: [UInt8] = []
  private var shown: Frame?
  private var traits: TerminalTraits?
  // What another program writes before the next frame.
  private var foreign = ""

  /// Resizes it if the frame has another size, and paints the frame over the one before. With other traits it counts as a new terminal.
  mutating func show(_ frame: Frame, traits: TerminalTraits) {
    let old = traits == self.traits ? shown : nil
    let bytes = foreign.utf8 + Painter.bytes(from: old, to: frame, traits: traits)
    input += "\(frame.size.columns) \(frame.size.rows) \(bytes.count)\n".utf8 + bytes
    expected += CellText(traits).text(frame).utf8
    (shown, self.traits, foreign) = (frame, traits, "")
    count += 1
  }

  /// Lets another program write over it, so that the next frame is painted without knowing what it shows.
  mutating func disturb() {
    // In ASCII, as libvterm 0.1.4 crashes when a wide character comes where there is one column only.
    foreign = "\u{1B}[2;3H\u{1B}[1;4;7;35;48;5;99m" + String(repeating: "something else ", count: 40)
    shown = nil
  }

  /// The first line that it tells differently; nil if it showed exactly the frames. Blocks.
  func difference() throws -> String? {
    let folder = try TemporaryDirectory()
    let told = try Child.run(
      Program(path: Self.build.get()), [try folder.write("frames", input)]
    ).utf8.split(separator: UInt8(ascii: "\n"))
    let wanted = expected.split(separator: UInt8(ascii: "\n"))
    guard let place = Self.difference(told, wanted) else { return nil }
    let frame = wanted[...min(place, wanted.count - 1)].count { $0.starts(with: "frame".utf8) }
    func line(_ lines: [some Sequence<UInt8>]) -> String {
      place < lines.count ? "'\(String(decoding: Array(lines[place]), as: UTF8.self))'" : "nothing"
    }
    return "frame \(frame): \(line(told)) for \(line(wanted))"
  }

  private static func difference(_ told: [Substring.UTF8View], _ wanted: [ArraySlice<UInt8>]) -> Int? {
    let common = min(told.count, wanted.count)
    return (0..<common).first { !told[$0].elementsEqual(wanted[$0]) }
      ?? (told.count == wanted.count ? nil : common)
  }

  /// The path of the program in Tests/OtherTerminal, which is built once.
  private static let build = Result {
    // This file is in Tests/ScreenModelTests of the package.
    let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
    let script = Program(path: "\(root)/Tests/OtherTerminal/build.sh")
    return try String(Child.run(script, ["\(root)/.build/other-terminal"]).prefix { $0 != "\n" })
  }
}

// MARK: Characters

extension OtherTerminal {
  /// The characters that are compared: all that have a meaning, but those about whose width libvterm has another opinion.
  static let characters = (UInt32(0x20)..<0x110000).compactMap(Unicode.Scalar.init).filter {
    switch $0.properties.generalCategory {
    case .unassigned, .privateUse: false
    default: !TerminalText.isHazardous($0) && agrees(String($0))
    }
  }

  /// Whether libvterm counts as many columns for a text as we do. What is left out is judged otherwise by 0.1.4 and by 0.3.3.
  static func agrees(_ text: String) -> Bool {
    TerminalText.printable(text).unicodeScalars.allSatisfy { !isTooNew($0) && !isDisputed($0.value) }
  }

  // Its table of marks is that of Unicode 5.0, and that of wide characters in 0.1.4 of Unicode 9.0. Newer ones are of one column there.
  private static func isTooNew(_ scalar: Unicode.Scalar) -> Bool {
    guard let age = scalar.properties.age else { return true }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return age > (5, 0)
    default: return age > (9, 0)
    }
  }

  private static func isDisputed(_ value: UInt32) -> Bool {
    switch value {
    // It takes signs that span the digits after them for marks, and this one, which was a mark in Unicode 5.0.
    case 0x600...0x603, 0x6DD, 0x70F, 0x6DE: true
    // These have become marks since Unicode 5.0, and the first is none any more.
    case 0x1734, 0x1885...0x1886, 0x1A1B, 0xA802: true
    // Hexagrams and the like are wide since Unicode 16.
    case 0x2630...0x2637, 0x268A...0x268F, 0x1D300...0x1D356, 0x1D360...0x1D371: true
    // East Asian marks. It finds them in its table of wide characters first; two are none any more.
    case 0x302A...0x302F, 0x3099...0x309A: true
    // Numbers in circles, whose width Unicode leaves open, and two signs that lie between wide ones and are not.
    case 0x3248...0x324F, 0x1F93B, 0x1F946: true
    default: false
    }
  }
}

// MARK: Cells

/// What a terminal with such traits is to show of a frame, in the form that other-terminal.c describes.
private struct CellText {
  private let traits: TerminalTraits

  init(_ traits: TerminalTraits) { self.traits = traits }

  func text(_ frame: Frame) -> String {
    var text =
      "frame \(frame.cursor.row) \(frame.cursor.column) \(frame.isCursorShown ? "shown" : "hidden")\n"
    for row in 0..<frame.size.rows { text += line(row, Array(frame.row(row))) }
    return text + "end\n"
  }

  private func line(_ row: Int, _ cells: [Cell]) -> String {
    var (text, style, cellStyle) = ("", "", CellStyle?.none)
    let end = (cells.lastIndex { !isBlank($0) } ?? -1) + 1
    for (column, cell) in cells[..<end].enumerated() {
      // The second half of a wide character shows the style of the first.
      if !cell.isTail, cell.style != cellStyle {
        cellStyle = cell.style
        let next = self.style(cell.style)
        if next != style { text += "\(column > 0 ? "\n" : "")\(row) \(column) \(next)" }
        style = next
      }
      text += " " + characters(cell)
    }
    return end > 0 ? text + "\n" : ""
  }

  private func isBlank(_ cell: Cell) -> Bool {
    cell == .blank || characters(cell) == "20" && style(cell.style) == "- - -"
  }

  private func characters(_ cell: Cell) -> String {
    if !traits.isUnicode { return String(cell.scalars.first.map(ASCIISigns.letter) ?? 0x20, radix: 16) }
    if cell.isTail { return "<" }
    return cell.scalars.map { String($0.value, radix: 16) }.joined(separator: "+")
  }

  private func style(_ style: CellStyle) -> String {
    let letters = [(CellStyle.Attributes.bold, "b"), (.reverse, "r"), (.underline, "u")]
      .filter { style.attributes.contains($0.0) }.map(\.1).joined()
    return "\(letters.isEmpty ? "-" : letters) \(colour(style.ink)) \(colour(style.paper))"
  }

  private func colour(_ ink: CellStyle.Ink) -> String {
    if traits.colours == .none { return "-" }
    switch ink {
    case .standard: return "-"
    case .palette(let number): return "\(number)"
    case .rgb(let red, let green, let blue):
      switch traits.colours {
      case .full:
        return "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      case .palette: return "\(KnownColour.of(red, green, blue)?.palette ?? -1)"
      default: return "\(KnownColour.of(red, green, blue)?.sixteen ?? -1)"
      }
    }
  }
}

/// A colour, and what stands for it on terminals with fewer: the nearest of xterm's palette, and of the eight plain ones.
struct KnownColour {
  let red: UInt8
  let green: UInt8
  let blue: UInt8
  fileprivate let palette: Int
  fileprivate let sixteen: Int

  static let all = [
    KnownColour(red: 1, green: 200, blue: 3, palette: 40, sixteen: 2),  // 0, 215, 0; green
    KnownColour(red: 9, green: 8, blue: 7, palette: 232, sixteen: 0),  // the darkest grey, 8; black
    KnownColour(red: 255, green: 255, blue: 255, palette: 231, sixteen: 7),  // the cube's end; white
    KnownColour(red: 128, green: 128, blue: 128, palette: 244, sixteen: 7),  // grey, 128; white
    KnownColour(red: 200, green: 30, blue: 180, palette: 163, sixteen: 5),  // 215, 0, 175; magenta
    KnownColour(red: 250, green: 140, blue: 90, palette: 209, sixteen: 3),  // 255, 135, 95; yellow
  ]

  var ink: CellStyle.Ink { .rgb(red, green, blue) }

  fileprivate static func of(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> KnownColour? {
    all.first { $0.ink == .rgb(red, green, blue) }
  }
}
