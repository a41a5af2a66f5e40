// SPDX-License-Identifier: MIT
internal import FileIO

/// The bytes of one file for whoever parses it. Sizes and counts in files lie, so all reading is paid for out of one
/// allowance. When that is spent the file seems to have ended, and with it every loop over it. Used by one thread.
final class FileBytes {
  /// How many bytes may be read of a file: the largest picture, in Base64 if a format writes it so, and all the rest.
  static let allowance = 40 << 20
  /// What a read costs besides its bytes, so that many small ones come to an end as well.
  private static let costOfRead = 64
  /// Small reads come out of a buffer, because parsers ask for four bytes here and ten there.
  private static let bufferSize = 8_192

  private let file: OpenFile
  private var left = allowance
  private var buffer: [UInt8] = []
  private var bufferStart = 0

  init(_ file: consuming OpenFile) { self.file = file }

  var size: Int { file.size }
  /// For TagLib. Valid as long as this object lives.
  var descriptor: Int32 { file.descriptor }

  /// Up to so many bytes from an offset; fewer at the end of the file, or where it can't be read.
  func bytes(at offset: Int, count: Int) -> [UInt8] {
    guard offset >= 0, count > 0, offset < size, left > Self.costOfRead else { return [] }
    left -= Self.costOfRead
    let count = min(count, size - offset, left)
    left -= count
    if count > Self.bufferSize { return read(at: offset, count: count) }
    if offset < bufferStart || offset + count > bufferStart + buffer.count {
      (buffer, bufferStart) = (read(at: offset, count: Self.bufferSize), offset)
    }
    return Array(buffer.dropFirst(offset - bufferStart).prefix(count))
  }

  private func read(at offset: Int, count: Int) -> [UInt8] {
    (try? file.bytes(at: offset, count: min(count, size - offset))) ?? []
  }

  /// Exactly so many bytes; nil where there are fewer.
  func exactly(_ count: Int, at offset: Int) -> [UInt8]? {
    let bytes = bytes(at: offset, count: count)
    return bytes.count == count ? bytes : nil
  }
}
