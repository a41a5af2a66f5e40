// SPDX-License-Identifier: MIT
import MediaModel

/// Iterates over the elements of a Matroska or WebM file on one level. An element has an ID, a size and its content, which may be further elements.
/// Sizes may be wrong, so each element is cut at the end of the one that contains it.
package struct EBMLElements: Sequence, IteratorProtocol {
  package struct Element: Equatable, Sendable {
    /// The element's ID, with the bits that tell how many bytes it has.
    package let id: Int
    /// The range of the content in the file.
    package let content: Range<Int>
  }

  /// How many elements on one level are looked at; a book has thousands of clusters.
  private static let most = 65_536

  private let bytes: MP4Boxes.Bytes
  private var offset: Int
  private let end: Int
  private var count = 0

  package init(in range: Range<Int>, _ bytes: @escaping MP4Boxes.Bytes) {
    (offset, end, self.bytes) = (range.lowerBound, range.upperBound, bytes)
  }

  package mutating func next() -> Element? {
    guard count < Self.most, end - offset >= 2 else { return nil }
    count += 1
    var cursor = ByteCursor(bytes(offset, 12))
    guard let id = Self.number(&cursor, most: 4, keepsMark: true),
      let size = Self.number(&cursor, most: 8, keepsMark: false)
    else { return nil }
    let start = offset + id.length + size.length
    guard start <= end else { return nil }
    // A size with all bits set means that the size was not known, as in a recording; the element then extends to the end.
    let isOpen = size.value == 1 << (7 * size.length) - 1
    let content = start..<start + (isOpen ? end - start : Swift.min(size.value, end - start))
    offset = content.upperBound
    return Element(id: id.value, content: content)
  }

  /// A number whose first byte tells by its leading zero bits how many bytes follow.
  private static func number(
    _ cursor: inout ByteCursor, most: Int, keepsMark: Bool
  ) -> (value: Int, length: Int)? {
    guard let first = cursor.take(1)?.first, first != 0 else { return nil }
    let length = first.leadingZeroBitCount + 1
    guard length <= most, let rest = cursor.take(length - 1) else { return nil }
    let head = keepsMark ? Int(first) : Int(first) & (0xff >> length)
    return (rest.reduce(head) { $0 << 8 | Int($1) }, length)
  }

  /// The number in an element's content, of up to eight bytes; nil if it is longer or negative.
  package static func number(_ content: Range<Int>, _ bytes: MP4Boxes.Bytes) -> Int? {
    guard content.count <= 8 else { return nil }
    var cursor = ByteCursor(bytes(content.lowerBound, content.count))
    return cursor.number(content.count, .bigEndian)
  }

  /// The floating-point number in an element's content.
  package static func real(_ content: Range<Int>, _ bytes: MP4Boxes.Bytes) -> Double? {
    let raw = bytes(content.lowerBound, Swift.min(8, content.count))
    let bits = raw.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let value =
      raw.count == 4 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))) : Double(bitPattern: bits)
    return (raw.count == 4 || raw.count == 8) && value.isFinite ? value : nil
  }
}
