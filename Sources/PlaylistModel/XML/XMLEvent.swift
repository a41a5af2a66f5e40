// SPDX-License-Identifier: MIT

/// What comes next in a document.
enum XMLEvent: Equatable {
  /// An element begins; its name without a prefix, and what its `xml:base` says. Other attributes are passed over.
  case start(String, base: String?)
  /// The innermost element ends.
  case end(String)
  /// A piece of the text between.
  case text(String)
}

/// Why a document can't be read further.
struct XMLError: Error, Equatable {
  let line: Int
  let reason: String
}
