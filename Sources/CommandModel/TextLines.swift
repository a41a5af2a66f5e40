// SPDX-License-Identifier: MIT

/// Reads files that people write with an editor of their own.
package enum TextLines {
  /// The lines of a text, empty ones too, without what editors of Windows add: a byte order mark before the first line, and a carriage return at the end
  /// of each.
  package static func lines(of text: String) -> [Substring] {
    let hasMark = text.unicodeScalars.first == "\u{FEFF}"
    let start = hasMark ? text.unicodeScalars.index(after: text.startIndex) : text.startIndex
    return text[start...].split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }
}
