// SPDX-License-Identifier: MIT

/// A word, a mark or a string of Swift, without the comments.
struct Token: Equatable {
  enum Kind { case word, mark, string }

  var kind: Kind
  /// Of a string what stands between its quotes, without what is interpolated.
  var text: String
  var line: Int
  /// Nothing stands between this token and the one before it.
  var touchesPrevious = false
}
