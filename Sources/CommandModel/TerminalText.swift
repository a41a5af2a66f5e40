// SPDX-License-Identifier: MIT

/// Functions for text on a terminal: its width, cutting it to a width, and making text from outside safe to show.
package enum TerminalText {
  /// The number of columns that a text takes. Control characters count as zero; make text from outside `printable`
  /// first.
  package static func width(_ text: String) -> Int {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text.utf8.count }
    return text.reduce(0) { $0 + CharacterWidth.of($1) }
  }

  /// The text if it fits into this many columns; otherwise its beginning and an ellipsis. A wide character is never
  /// halved, so the result can be one column short.
  package static func truncated(_ text: String, to columns: Int) -> String {
    guard width(text) > columns else { return text }
    guard columns > 0 else { return "" }
    var kept = ""
    var used = 1  // the ellipsis
    for character in text {
      used += CharacterWidth.of(character)
      if used > columns { break }
      kept.append(character)
    }
    return kept + "…"
  }

  /// The text padded with spaces to this many columns.
  package static func padded(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(0, columns - width(text)))
  }

  /// The text with escapes in place of the characters that a terminal would obey instead of show. A tag or a file
  /// name must not move the cursor, set the clipboard or reverse the line.
  package static func printable(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
    guard text.unicodeScalars.contains(where: isHazardous) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      result += isHazardous(scalar) ? visible(scalar) : String(scalar)
    }
    return result
  }

  /// Whether a terminal would obey a scalar: C0 and C1 controls, line separators, and bidirectional embeddings,
  /// overrides and isolates. The left-to-right and right-to-left marks are not among these, because Arabic and Hebrew
  /// titles need them.
  package static func isHazardous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0xFFF9...0xFFFB: true
    default: false
    }
  }

  private static func visible(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
  }
}

/// The number of columns that a character takes on a terminal.
private enum CharacterWidth {
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
