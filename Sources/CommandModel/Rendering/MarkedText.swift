// SPDX-License-Identifier: MIT

/// A definition's text, split at its backticks into prose and literal words.
struct MarkedText {
  struct Piece: Equatable {
    let text: String
    let isLiteral: Bool
  }

  let pieces: [Piece]

  init(_ text: String) {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    precondition(parts.count % 2 == 1, "an odd number of backticks: \(text)")
    pieces = parts.enumerated()
      .map { Piece(text: String($0.element), isLiteral: $0.offset % 2 == 1) }
      .filter { !$0.text.isEmpty }
  }

  /// As plain text, with the literal words in quotes.
  var plain: String { pieces.map { $0.isLiteral ? "'\($0.text)'" : $0.text }.joined() }
}
