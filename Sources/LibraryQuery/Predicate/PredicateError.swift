// SPDX-License-Identifier: MIT

/// Why a text is not a valid predicate: what is wrong, where, and what to write instead.
package struct PredicateError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong, why, and what may be written instead, as a sentence for a person.
  package let message: String
  /// The expression as it was written; nil for a predicate that a program has made.
  package let text: String?
  /// Where in the text's UTF-8 the error is. It is the text's length if something is missing at the end.
  package let offset: Int

  package init(_ message: String, in text: String? = nil, at offset: Int = 0) {
    (self.message, self.text, self.offset) = (message, text, offset)
  }

  package var description: String {
    text == nil ? message : "\(message) (at character \(column + 1))"
  }

  /// The number of characters before the error.
  package var column: Int {
    guard let text else { return 0 }
    let end = text.utf8.index(text.startIndex, offsetBy: min(offset, text.utf8.count))
    return text[..<end].count
  }
}
