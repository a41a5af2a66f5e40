// SPDX-License-Identifier: MIT
import CommandModel

/// One cell of the screen, in 16 bytes: a character with at most two combining marks, and its style.
package struct Cell: Sendable, Hashable {
  // A glyph is up to three code points of 21 bits. A wide character has its code points in its first cell and this bit alone in its second.
  private static let tail: UInt64 = 1 << 63

  private let glyph: UInt64
  package let style: CellStyle

  private init(glyph: UInt64, _ style: CellStyle) { (self.glyph, self.style) = (glyph, style) }

  /// A cell with a character and its combining marks.
  init(_ base: Unicode.Scalar, marks: (Unicode.Scalar?, Unicode.Scalar?) = (nil, nil), _ style: CellStyle) {
    let first = UInt64(marks.0?.value ?? 0)
    let second = UInt64(marks.1?.value ?? 0)
    self.init(glyph: UInt64(base.value) | first << 21 | second << 42, style)
  }

  package static let blank = Cell(" ", .plain)

  /// The second cell of a wide character, in the character's style.
  static func tail(_ style: CellStyle) -> Cell { Cell(glyph: tail, style) }

  package static func space(_ style: CellStyle) -> Cell { Cell(" ", style) }

  /// Whether this is the second cell of a wide character.
  package var isTail: Bool { glyph == Self.tail }
  package var isSpace: Bool { glyph == 0x20 }
  /// Whether the terminal draws a part of a picture on this cell.
  package var isPicture: Bool { glyph & 0x1F_FFFF == UInt64(PicturePart.character.value) }

  /// The code points of the character and of its marks.
  package var scalars: [Unicode.Scalar] {
    guard !isTail else { return [] }
    return [0, 21, 42].compactMap { shift in
      let value = UInt32(truncatingIfNeeded: glyph >> UInt64(shift) & 0x1F_FFFF)
      return value == 0 ? nil : Unicode.Scalar(value)
    }
  }

  /// Whether all terminals agree how wide this character is: plain Latin letters, lines and blocks. After any other character the painter sets the
  /// cursor's position explicitly.
  var isCertain: Bool {
    let value = glyph & 0x1F_FFFF
    return isPicture
      || glyph < 1 << 21
        && (value < 0x300 || (0x2010..<0x2030).contains(value) || (0x2500..<0x25A0).contains(value))
  }

  func with(_ style: CellStyle) -> Cell { Cell(glyph: glyph, style) }
}

/// The style of a cell, packed into 8 bytes.
package struct CellStyle: Sendable, Hashable {
  /// A colour of the foreground or the background.
  package enum Ink: Sendable, Hashable {
    /// The terminal's default colour.
    case standard
    /// One of the terminal's sixteen palette colours.
    case palette(UInt8)
    case rgb(UInt8, UInt8, UInt8)

    fileprivate var bits: UInt64 {
      switch self {
      case .standard: 0
      case .palette(let number): 1 << 24 | UInt64(number & 15)
      case .rgb(let red, let green, let blue): 2 << 24 | UInt64(red) << 16 | UInt64(green) << 8 | UInt64(blue)
      }
    }

    fileprivate init(bits: UInt64) {
      switch bits >> 24 & 3 {
      case 1: self = .palette(UInt8(bits & 15))
      case 2: self = .rgb(UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255))
      default: self = .standard
      }
    }
  }

  package struct Attributes: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let bold = Attributes(rawValue: 1)
    package static let dim = Attributes(rawValue: 2)
    package static let reverse = Attributes(rawValue: 4)
    package static let underline = Attributes(rawValue: 8)
  }

  private let bits: UInt64

  package init(_ attributes: Attributes = [], ink: Ink = .standard, paper: Ink = .standard) {
    bits = UInt64(attributes.rawValue) << 52 | ink.bits << 26 | paper.bits
  }

  package static let plain = CellStyle()
  package static let bold = CellStyle(.bold)
  package static let dim = CellStyle(.dim)

  package var attributes: Attributes { Attributes(rawValue: UInt8(truncatingIfNeeded: bits >> 52)) }
  package var ink: Ink { Ink(bits: bits >> 26 & 0x3FF_FFFF) }
  package var paper: Ink { Ink(bits: bits & 0x3FF_FFFF) }

  package func adding(_ more: Attributes) -> CellStyle {
    CellStyle(attributes.union(more), ink: ink, paper: paper)
  }
}

extension CellStyle {
  // Colours of the terminal's own palette, named by their meaning on the screen.
  package static let playing = CellStyle(.bold, ink: .palette(2))
  package static let warning = CellStyle(.bold, ink: .palette(3))
  package static let failure = CellStyle(.bold, ink: .palette(1))
  package static let accent = CellStyle(ink: .palette(6))
  package static let heading = CellStyle(.bold, ink: .palette(6))
  package static let mark = CellStyle(ink: .palette(5))
}
