// SPDX-License-Identifier: MIT

/// The mark with which each page of an Ogg file begins.
package enum OggMark {
  private static let bytes = Array("OggS".utf8)

  /// How many bytes the mark has.
  package static let size = 4
  /// The most bytes of a page: its header, the lengths of its parts, and the parts.
  package static let largestPage = 27 + 255 + 255 * 255

  /// The first byte of the mark.
  package static let first = UInt8(ascii: "O")

  /// Whether this byte is in the mark, but not its first.
  package static func goesOn(with byte: UInt8) -> Bool { byte != first && bytes.contains(byte) }

  /// Whether these bytes, which may be fewer than a mark has, are a mark or the beginning of one.
  package static func begins(with start: UnsafeRawBufferPointer) -> Bool {
    unsafe zip(start, bytes).allSatisfy { $0 == $1 }
  }

  /// Whether a mark stands at this index.
  package static func stands(in bytes: [UInt8], at index: Int) -> Bool {
    bytes[index] == Self.bytes[0] && bytes[index...].starts(with: Self.bytes)
  }
}
