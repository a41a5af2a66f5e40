// SPDX-License-Identifier: MIT
internal import FileIO

/// Reads the bytes of one file, for the code that parses it. Sizes and counts in a file may be wrong, so the number of bytes that are read of one
/// file is limited. At the limit, the file seems to end, so that every loop over it ends. Used by one thread.
final class FileBytes {
  /// How many bytes are read of one file at most: enough for the largest picture, even in Base64, and for everything else.
  static let allowance = 40 << 20
  /// How many bytes each read counts besides those that it reads, so that many small reads reach the limit too.
  private static let costOfRead = 64
  /// The size of the buffer in bytes. Small reads come from it, because parsers read a few bytes at a time.
  private static let bufferSize = 8_192

  private let file: OpenFile
  private var left = allowance
  private var buffer: [UInt8] = []
  private var bufferStart = 0
  /// The error of the first read that failed; nil if none did. Then what was found is not all that the file says.
  private(set) var failure: SystemError?

  init(_ file: consuming OpenFile) { self.file = file }

  var size: Int { file.size }
  /// The file's descriptor, for TagLib. Bytes that TagLib reads do not count towards the limit. Valid as long as this object lives.
  var descriptor: Int32 { file.descriptor }

  /// Up to `count` bytes from an offset on; fewer at the end of the file, if it can't be read, or once the limit is
  /// reached.
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
    do throws(SystemError) { return try file.bytes(at: offset, count: min(count, size - offset)) } catch {
      if failure == nil { failure = error }
      return []
    }
  }

  /// Exactly `count` bytes; nil if there are fewer.
  func exactly(_ count: Int, at offset: Int) -> [UInt8]? {
    let bytes = bytes(at: offset, count: count)
    return bytes.count == count ? bytes : nil
  }
}
