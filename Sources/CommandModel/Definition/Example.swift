// SPDX-License-Identifier: MIT

/// A line to try, and what it does.
public struct Example: Sendable, Hashable {
  /// The line as typed into a shell.
  public let line: String
  /// What it does, as a sentence without a full stop.
  public let summary: String

  /// An example.
  public init(_ line: String, _ summary: String) {
    self.line = line
    self.summary = summary
  }
}
