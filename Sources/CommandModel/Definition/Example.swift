// SPDX-License-Identifier: MIT

/// A line to try, and what it does.
package struct Example: Sendable, Hashable {
  /// The line as typed into a shell.
  package let line: String
  /// What it does, as a sentence without a full stop.
  package let summary: String

  /// An example.
  package init(_ line: String, _ summary: String) {
    self.line = line
    self.summary = summary
  }
}
