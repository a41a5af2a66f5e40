// SPDX-License-Identifier: MIT
import MediaModel

/// Goes through the boxes of an MP4 file that lie side by side. A box is a size, a name of four letters and its content, which may be
/// boxes again. Sizes may be wrong: no box reaches beyond the one that it lies in.
package struct MP4Boxes {
  package struct Box: Equatable, Sendable {
    package let name: String
    /// The place of the content in the file.
    package let content: Range<Int>
  }

  /// Reads up to `count` bytes from `offset` on; fewer at the end of the file, or if they can't be had.
  package typealias Bytes = (_ offset: Int, _ count: Int) -> [UInt8]

  /// How many boxes are looked at side by side; a file with more was made to be slow.
  private static let most = 4_096

  private let bytes: Bytes
  private var offset: Int
  private let end: Int
  private var count = 0

  package init(in range: Range<Int>, _ bytes: @escaping Bytes) {
    (offset, end, self.bytes) = (range.lowerBound, range.upperBound, bytes)
  }

  package mutating func next() -> Box? {
    guard count < Self.most, end - offset >= 8 else { return nil }
    count += 1
    var cursor = ByteCursor(bytes(offset, 16))
    guard var size = cursor.number(4, .bigEndian), let name = cursor.take(4) else { return nil }
    var header = 8
    if size == 1 {
      guard let large = cursor.number(8, .bigEndian) else { return nil }
      (size, header) = (large, 16)
    } else if size == 0 {
      // The last box, which goes on to the end.
      size = end - offset
    }
    guard size >= header else { return nil }
    let start = offset + header
    let boxEnd = offset + min(size, end - offset)
    guard start <= boxEnd else { return nil }
    offset = boxEnd
    return Box(name: Self.text(name), content: start..<boxEnd)
  }

  /// The first box of this name.
  package static func first(_ name: String, in range: Range<Int>, _ bytes: @escaping Bytes) -> Range<Int>? {
    var boxes = MP4Boxes(in: range, bytes)
    while let box = boxes.next() { if box.name == name { return box.content } }
    return nil
  }

  /// The box at the end of a path of names.
  package static func at(_ path: [String], in range: Range<Int>, _ bytes: @escaping Bytes) -> Range<Int>? {
    var place: Range<Int>? = range
    for name in path { place = place.flatMap { first(name, in: $0, bytes) } }
    return place
  }

  /// A box's name; bytes above 127 count as Latin-1, as Apple's names begin with the sign for copyright.
  package static func text(_ name: ArraySlice<UInt8>) -> String {
    String(String.UnicodeScalarView(name.map { UnicodeScalar($0) }))
  }
}
