// SPDX-License-Identifier: MIT

/// The plain form of a text, which every terminal shows equally wide.
///
/// Terminals disagree about characters made of several code points: a family emoji takes 2 columns on one and 8 on another, a heart with a variation
/// selector 1 or 2. If a width is wrong, the rest of the line is shifted. So code points that join, select or colour others are removed, and each
/// base character keeps at most two combining marks.
package enum PlainForm {
  /// The most combining marks on a character; more of them reach into the lines above and below.
  static let mostMarks = 2

  /// The plain form of a text. Most texts have it already and are returned unchanged.
  package static func of(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var maker = Maker()
    for scalar in text.unicodeScalars { maker.take(scalar) }
    return maker.isSame ? text : String(maker.scalars)
  }

  private struct Maker {
    private(set) var scalars = String.UnicodeScalarView()
    private(set) var isSame = true
    private var last: Unicode.Scalar?
    private var marks = 0
    private var isAfterJoiner = false

    mutating func take(_ scalar: Unicode.Scalar) {
      // Only joined emoji are changed: the scripts of India and Arabia use the same joiner between letters.
      let isJoined = isAfterJoiner && scalar.properties.isEmoji && !scalar.isASCII
      isAfterJoiner = scalar.value == 0x200D
      if isJoined || PlainForm.isDropped(scalar) || isSkinTone(scalar) { return isSame = false }
      if scalar.properties.generalCategory.isMark {
        marks += 1
        if marks > PlainForm.mostMarks { return isSame = false }
      } else {
        marks = 0
      }
      append(scalar)
    }

    private func isSkinTone(_ scalar: Unicode.Scalar) -> Bool {
      (0x1F3FB...0x1F3FF).contains(scalar.value) && last != nil
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
      if let last, let syllable = PlainForm.syllable(last, scalar) {
        scalars.removeLast()
        scalars.append(syllable)
        (self.last, isSame) = (syllable, false)
        return
      }
      let plain = PlainForm.letter(scalar)
      if plain != scalar { isSame = false }
      scalars.append(plain)
      last = plain
    }
  }

  /// Whether a code point is removed: joiners, selectors, tags, soft hyphens and other code points that are only hints.
  private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xAD, 0x34F, 0x61C, 0x180B...0x180F, 0x200B, 0x200D, 0x2060...0x2065, 0x206A...0x206F, 0x20E3,
      0xFE00...0xFE0F,
      0xFEFF, 0xE0000...0xE0FFF:
      true
    default: false
    }
  }

  /// A code point that replaces this one: the letters of a flag become capital letters, and a Korean vowel or final that stands alone, which cannot
  /// be shown, is replaced.
  private static func letter(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x1F1E6...0x1F1FF: Unicode.Scalar(UInt8(scalar.value - 0x1F1E6) + UInt8(ascii: "A"))
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: "\u{FFFD}"
    default: scalar
    }
  }

  /// The Korean syllable that two code points make together; nil if they make none.
  private static func syllable(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Unicode.Scalar? {
    let (lead, vowel, final, base): (UInt32, UInt32, UInt32, UInt32) = (0x1100, 0x1161, 0x11A7, 0xAC00)
    if (lead..<lead + 19).contains(first.value), (vowel..<vowel + 21).contains(second.value) {
      return Unicode.Scalar(base + ((first.value - lead) * 21 + second.value - vowel) * 28)
    }
    if (base..<base + 11_172).contains(first.value), (first.value - base) % 28 == 0,
      (final + 1..<final + 28).contains(second.value)
    {
      return Unicode.Scalar(first.value + second.value - final)
    }
    return nil
  }
}

extension Unicode.GeneralCategory {
  /// Whether a code point of this category is drawn on the character before it and takes no column.
  var isMark: Bool { self == .nonspacingMark || self == .enclosingMark }
}

/// The number of columns that a character takes on a terminal, computed from its plain form.
enum CharacterWidth {
  static func of(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    let first = scalars[scalars.startIndex]
    if scalars.count == 1 { return of(first) }
    return PlainForm.of(String(character)).unicodeScalars.reduce(0) { $0 + of($1) }
  }

  /// The number of columns that one code point takes on a terminal.
  static func of(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20..<0x7F: return 1
    case 0..<0x20, 0x7F..<0xA0, 0xAD: return 0
    case 0xA0..<0x300: return 1
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 1  // shown as a sign that something is missing
    case 0x1F1E6...0x1F1FF: return 1  // the letters of a flag
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    case .format: return isShownFormat(scalar.value) ? 1 : 0
    default: return isWide(scalar) ? 2 : 1
    }
  }

  // Format characters that are visible: signs that span the digits after them.
  private static func isShownFormat(_ value: UInt32) -> Bool {
    switch value {
    case 0x0600...0x0605, 0x06DD, 0x070F, 0x0890...0x0891, 0x08E2, 0x110BD, 0x110CD: true
    default: false
    }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    guard value >= 0x1100 else { return false }
    if value >= 0x231A, scalar.properties.isEmojiPresentation { return true }
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

/// Functions for text on a terminal: measures its width, cuts it to a width, and makes foreign text safe to show.
package enum TerminalText {
  /// The number of columns that a text takes. Control characters count as zero; make text from outside `printable`
  /// first.
  package static func width(_ text: String) -> Int {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text.utf8.count }
    return text.reduce(0) { $0 + CharacterWidth.of($1) }
  }

  /// How many columns of a terminal one code point takes: 0, 1 or 2.
  package static func width(of scalar: Unicode.Scalar) -> Int { CharacterWidth.of(scalar) }

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

  /// The text for a terminal: in its plain form and `escaped`.
  package static func printable(_ text: String) -> String { escaped(PlainForm.of(text)) }

  /// The text with escapes in place of control characters, which a terminal would obey instead of show. A tag or a file name must not move the
  /// cursor, set the clipboard or reverse the line. All other characters stay, for a reader that is no terminal.
  package static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
    guard text.unicodeScalars.contains(where: isHazardous) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      result += isHazardous(scalar) ? visible(scalar) : String(scalar)
    }
    return result
  }

  /// Whether a character is a command to a terminal, so that it must not be printed from a file's tags: control characters, line separators, and what
  /// turns the direction of writing around. The left-to-right and right-to-left marks are not among these, because Arabic and Hebrew
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
