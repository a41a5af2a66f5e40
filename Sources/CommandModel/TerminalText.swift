// SPDX-License-Identifier: MIT

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
