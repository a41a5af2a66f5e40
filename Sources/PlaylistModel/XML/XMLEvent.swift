// SPDX-License-Identifier: MIT

/// The next piece of an XML document.
enum XMLEvent: Equatable {
  /// An element begins: its name without a prefix, and the value of its `xml:base`. Other attributes are ignored.
  case start(String, base: String?)
  /// The innermost element ends.
  case end(String)
  /// A piece of text between tags.
  case text(String)
}

/// Why a document can't be read further.
struct XMLError: Error, Equatable {
  let line: Int
  let reason: String
}
