// SPDX-License-Identifier: MIT

/// Finds out whether a picture is complete, from its headers and its end. The pixels are not decoded, so a picture that passes can still be damaged
/// inside. Empty files, other content and truncated pictures do not pass.
package struct PictureCheck {
  /// The picture's size in bytes.
  let size: Int
  /// Reads up to `count` bytes from an offset on; fewer only at the end.
  let bytes: (_ offset: Int, _ count: Int) -> [UInt8]

  /// The most parts of a picture that are looked at. Real pictures have a few thousand.
  private static let mostParts = 100_000
  /// How many bytes at a JPEG's end are searched for its end mark. Some cameras and phones add data after it.
  private static let tail = 1 << 20

  init(_ picture: [UInt8]) {
    size = picture.count
    bytes = { offset, count in
      guard (0..<picture.count).contains(offset), count > 0 else { return [] }
      return Array(picture[offset..<min(offset + count, picture.count)])
    }
  }

  /// Checks a picture of `size` bytes; `bytes` reads up to a number of them from an offset on.
  package init(size: Int, bytes: @escaping (Int, Int) -> [UInt8]) { (self.size, self.bytes) = (size, bytes) }

  /// The format of a complete picture; nil if it is not a picture or not complete.
  package var format: CoverPicture.Format? {
    guard let format = CoverPicture.Format(magic: bytes(0, 16)) else { return nil }
    let isWhole =
      switch format {
      case .jpeg: isWholeJPEG
      case .png: isWholePNG
      case .webp: isWholeWebP
      case .gif: isWholeGIF
      }
    return isWhole ? format : nil
  }

  /// The big-endian number in two or four bytes; nil past the end.
  private func number(at offset: Int, _ count: Int) -> Int? {
    let found = bytes(offset, count)
    return found.count == count ? found.reduce(0) { $0 << 8 | Int($1) } : nil
  }

  private func byte(_ offset: Int) -> Int? { number(at: offset, 1) }

  // MARK: Formats

  /// Whether this is a whole JPEG. It has segments with their lengths, among them a frame, up to the first scan, and an end mark after the scans.
  private var isWholeJPEG: Bool {
    var (offset, hasFrame) = (2, false)
    for _ in 0..<Self.mostParts {
      guard let mark = number(at: offset, 2), mark >> 8 == 0xFF else { return false }
      switch mark & 0xFF {
      // These are fill bytes, and marks without a length.
      case 0xFF: offset += 1
      case 0x01, 0xD0...0xD7: offset += 2
      case 0xD8, 0xD9, 0x00: return false
      case let kind:
        guard let length = number(at: offset + 2, 2), length >= 2 else { return false }
        if (0xC0...0xCF).contains(kind), ![0xC4, 0xC8, 0xCC].contains(kind) {
          guard let width = number(at: offset + 7, 2), width > 0 else { return false }
          hasFrame = true
        }
        offset += 2 + length
        if kind == 0xDA { return hasFrame && hasJPEGEnd(behind: offset) }
      }
    }
    return false
  }

  private func hasJPEGEnd(behind start: Int) -> Bool {
    guard start < size else { return false }
    // The end mark is mostly at the very end. Its two bytes never occur inside a scan.
    return [64, Self.tail].contains { length in
      let from = max(start, size - length)
      let end = bytes(from, size - from)
      return end.indices.dropLast().contains { end[$0] == 0xFF && end[$0 + 1] == 0xD9 }
    }
  }

  /// Whether this is a whole PNG. It has chunks with their lengths: the header first, then pixels, then the end.
  private var isWholePNG: Bool {
    guard bytes(12, 4) == Array("IHDR".utf8), let width = number(at: 16, 4), let height = number(at: 20, 4),
      width > 0, height > 0
    else { return false }
    var (offset, hasSamples) = (8, false)
    for _ in 0..<Self.mostParts {
      guard let length = number(at: offset, 4), offset + length + 12 <= size else { return false }
      let kind = bytes(offset + 4, 4)
      if kind == Array("IEND".utf8) { return hasSamples }
      if kind == Array("IDAT".utf8) { hasSamples = true }
      offset += length + 12
    }
    return false
  }

  /// Whether this is a whole WebP. Its container's size is little-endian, and its first chunk is one of three kinds.
  private var isWholeWebP: Bool {
    let length = bytes(4, 4).reversed().reduce(0) { $0 << 8 | Int($1) }
    let kinds = ["VP8 ", "VP8L", "VP8X"].map { Array($0.utf8) }
    return length > 20 && length + 8 <= size && kinds.contains(bytes(12, 4))
  }

  /// Whether this is a whole GIF. It has a screen, blocks in pieces with their lengths, among them an image, and an end mark.
  private var isWholeGIF: Bool {
    guard let flags = byte(10) else { return false }
    var (offset, hasImage) = (13 + Self.colours(flags), false)
    for _ in 0..<Self.mostParts {
      switch byte(offset) {
      case 0x21: offset += 2
      case 0x2C:
        guard let flags = byte(offset + 9) else { return false }
        hasImage = true
        offset += 11 + Self.colours(flags)
      case 0x3B: return hasImage
      default: return false
      }
      guard let end = endOfPieces(from: offset) else { return false }
      offset = end
    }
    return false
  }

  /// The size of a GIF's colour table in bytes, as the flags before the table state it.
  private static func colours(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1) }

  /// The offset behind a GIF's pieces of data, of which the first begins at `start`, and the empty piece that ends them. Nil if the file ends before.
  private func endOfPieces(from start: Int) -> Int? {
    var offset = start
    for _ in 0..<Self.mostParts {
      guard let length = byte(offset) else { return nil }
      offset += length + 1
      if length == 0 { return offset }
    }
    return nil
  }
}

/// A picture, encoded as it was found in a file.
package struct CoverPicture: Sendable, Equatable {
  /// The picture formats that desktops show.
  package enum Format: String, Sendable, CaseIterable {
    case jpeg = "jpg"
    case png
    case webp
    case gif
  }

  package let bytes: [UInt8]
  /// The format, found out from the bytes: the type that a tag states is often wrong.
  package let format: Format

  /// The picture in these bytes; nil if they are not a picture, or not a whole one.
  package init?(_ bytes: [UInt8]) {
    guard let format = PictureCheck(bytes).format else { return nil }
    (self.bytes, self.format) = (bytes, format)
  }

  /// Whether a file that begins like this is a picture.
  package static func begins(_ head: [UInt8]) -> Bool { Format(magic: head) != nil }
}

extension CoverPicture.Format {
  init?(magic bytes: [UInt8]) {
    if bytes.starts(with: [0xff, 0xd8, 0xff]) {
      self = .jpeg
    } else if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
      self = .png
    } else if bytes.starts(with: "RIFF".utf8) && bytes.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webp
    } else if bytes.starts(with: "GIF8".utf8) {
      self = .gif
    } else {
      return nil
    }
  }
}
