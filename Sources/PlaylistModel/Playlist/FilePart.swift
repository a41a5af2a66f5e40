// SPDX-License-Identifier: MIT

/// A stretch of a file that is an item of its own: a track of a disc in one file.
package struct FilePart: Sendable, Hashable {
  /// Where it begins.
  package let start: DiscTime
  /// Where the next begins, without a gap; nil where it lasts to the file's end.
  package let end: DiscTime?

  /// A stretch; nil where it would end before it begins.
  package init?(start: DiscTime, end: DiscTime?) {
    if let end, end <= start { return nil }
    self.start = start
    self.end = end
  }
}
