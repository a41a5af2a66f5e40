// SPDX-License-Identifier: MIT

/// A part of a file that is an entry of its own, such as one track of a disc that is stored in one file.
package struct FilePart: Sendable, Hashable {
  /// Where it begins.
  package let start: DiscTime
  /// Where it ends, which is where the next part begins; nil if it lasts to the end of the file.
  package let end: DiscTime?

  /// A part; nil if it would not end after its start.
  package init?(start: DiscTime, end: DiscTime?) {
    if let end, end <= start { return nil }
    self.start = start
    self.end = end
  }
}
