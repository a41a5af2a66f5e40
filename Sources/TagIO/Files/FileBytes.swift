// SPDX-License-Identifier: MIT

/// The bytes of one file for whoever parses it. Sizes and counts in files lie, so all reading is paid for out of one
/// allowance. When that is spent the file seems to have ended, and with it every loop over it. Used by one thread.
final class FileBytes {
  /// How many bytes may be read of a file: the largest picture, in Base64 if a format writes it so, and all the rest.
  static let allowance = 40 << 20
  /// What a read costs besides its bytes, so that many small ones come to an end as well.
  private static let costOfRead = 64
  /// Small reads come out of a buffer, because parsers ask for four bytes here and ten there.
  private static let bufferSize = 8_192

  let file: RegularFile
  private var left = allowance
  private var buffer: [UInt8] = []
  private var bufferStart = 0

  init(_ file: consuming RegularFile) { self.file = file }

  var size: Int { file.size }

  /// Up to so many bytes from an offset; fewer at the end of the file.
  func bytes(at offset: Int, count: Int) -> [UInt8] {
    guard offset >= 0, count > 0, offset < size, left > Self.costOfRead else { return [] }
    left -= Self.costOfRead
    let count = min(count, size - offset, left)
    left -= count
    if count > Self.bufferSize { return file.bytes(at: offset, count: count) }
    if offset < bufferStart || offset + count > bufferStart + buffer.count {
      (buffer, bufferStart) = (file.bytes(at: offset, count: Self.bufferSize), offset)
    }
    return Array(buffer.dropFirst(offset - bufferStart).prefix(count))
  }

  /// Exactly so many bytes; nil where there are fewer.
  func exactly(_ count: Int, at offset: Int) -> [UInt8]? {
    let bytes = bytes(at: offset, count: count)
    return bytes.count == count ? bytes : nil
  }
}
