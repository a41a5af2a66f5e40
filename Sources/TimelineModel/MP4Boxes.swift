// SPDX-License-Identifier: MIT
import MediaModel

/// Iterates over the boxes of an MP4 file on one level. A box has a size, a name of four letters and its content, which may be further boxes. Sizes
/// may be wrong, so each box is cut at the end of the one that contains it.
package struct MP4Boxes: Sequence, IteratorProtocol {
  package struct Box: Equatable, Sendable {
    package let name: String
    /// The range of the content in the file.
    package let content: Range<Int>
  }

  /// Reads up to `count` bytes from `offset` on; fewer at the end of the file, or if bytes can't be read.
  package typealias Bytes = (_ offset: Int, _ count: Int) -> [UInt8]

  /// How many boxes on one level are looked at, unless more are expected there; a file with more was made to be slow.
  private static let most = 4_096

  private let bytes: Bytes
  private var offset: Int
  private let end: Int
  private var left: Int

  package init(in range: Range<Int>, most: Int = Self.most, _ bytes: @escaping Bytes) {
    (offset, end, left, self.bytes) = (range.lowerBound, range.upperBound, most, bytes)
  }

  /// Whether no box follows; false if the iteration ended earlier.
  package var isAtEnd: Bool { end - offset < 8 }

  package mutating func next() -> Box? {
    guard left > 0, !isAtEnd else { return nil }
    left -= 1
    var cursor = ByteCursor(bytes(offset, 16))
    guard var size = cursor.number(4, .bigEndian), let name = cursor.take(4) else { return nil }
    var header = 8
    if size == 1 {
      guard let large = cursor.number(8, .bigEndian) else { return nil }
      (size, header) = (large, 16)
    } else if size == 0 {
      // This is the last box, which extends to the end.
      size = end - offset
    }
    guard size >= header else { return nil }
    let start = offset + header
    let boxEnd = offset + Swift.min(size, end - offset)
    guard start <= boxEnd else { return nil }
    offset = boxEnd
    return Box(name: Self.text(name), content: start..<boxEnd)
  }

  package static func first(_ name: String, in range: Range<Int>, _ bytes: @escaping Bytes) -> Range<Int>? {
    MP4Boxes(in: range, bytes).first { $0.name == name }?.content
  }

  /// The box at the end of a path of box names.
  package static func at(_ path: [String], in range: Range<Int>, _ bytes: @escaping Bytes) -> Range<Int>? {
    var place: Range<Int>? = range
    for name in path { place = place.flatMap { first(name, in: $0, bytes) } }
    return place
  }

  /// A box's name as text. Bytes above 127 are read as Latin-1, because Apple's names begin with a copyright sign.
  package static func text(_ name: ArraySlice<UInt8>) -> String {
    String(String.UnicodeScalarView(name.map { UnicodeScalar($0) }))
  }
}
