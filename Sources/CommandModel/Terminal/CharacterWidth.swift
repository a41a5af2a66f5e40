// SPDX-License-Identifier: MIT

/// The number of columns that a character takes on a terminal.
enum CharacterWidth {
  /// A grapheme cluster that is shown as one emoji takes two columns. Any other takes the sum of its scalars'
  /// columns.
  static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    let first = scalars[scalars.startIndex]
    if first.isASCII, scalars.count == 1 { return first.value < 0x20 || first.value == 0x7F ? 0 : 1 }
    // U+FE0F selects the emoji form of the character before it: ❤ takes one column, ❤️ two.
    if first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}") { return 2 }
    return scalars.reduce(0) { $0 + width($1) }
  }

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0: return 0
    case 0xAD: return 1  // terminals show the soft hyphen
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0  // vowels and finals of a Hangul syllable
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    case .format: return isShownFormat(scalar.value) ? 1 : 0
    default: return isWide(scalar.value) ? 2 : 1
    }
  }

  // Signs that span the digits after them. They are format characters, but they are visible.
  private static func isShownFormat(_ value: UInt32) -> Bool {
    switch value {
    case 0x0600...0x0605, 0x06DD, 0x070F, 0x0890...0x0891, 0x08E2, 0x110BD, 0x110CD: true
    default: false
    }
  }

  private static func isWide(_ value: UInt32) -> Bool {
    guard value >= 0x1100 else { return false }
    var low = 0
    var high = wide.count
    while low < high {
      let middle = (low + high) / 2
      if wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < wide.count && wide[low].contains(value)
  }

  // The East Asian wide and fullwidth blocks (Unicode's EastAsianWidth), in ascending order. Unassigned code points
  // inside a block count as wide, as the standard recommends. Wide emoji outside these blocks are recognized by their
  // emoji presentation.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2630...0x2637, 0x268A...0x268F, 0x2E80...0x303E, 0x3041...0x3247,
    0x3250...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F,
    0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF, 0x1D300...0x1D376,
    0x1F200...0x1F265, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
  ]
}
