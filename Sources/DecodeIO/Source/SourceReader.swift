// SPDX-License-Identifier: MIT
import Glibc

/// A cursor on a source in the shape that C libraries want: read, seek, tell, and -1 for trouble.
///
/// Reads ahead by a block, so that a library which asks for four bytes and then for the rest of a frame costs no
/// system call for each. What the source throws is kept, since it cannot pass through C; the owner takes it
/// out with `check()` after each call.
final class SourceReader {
  private let source: any ByteSource
  private var position = 0
  private var block: [UInt8]
  private var blockRange = 0..<0
  private var failure: DecodeError?

  static let blockSize = 32 * 1024

  init(_ source: any ByteSource) {
    self.source = source
    block = [UInt8](repeating: 0, count: min(Self.blockSize, max(1, source.size)))
  }

  /// How many bytes there are.
  var size: Int { source.size }
  /// Where the next read begins.
  var offset: Int { position }

  /// Throws what the source has thrown meanwhile, once.
  func check() throws(DecodeError) {
    guard let error = failure else { return }
    failure = nil
    throw error
  }

  /// Fills `buffer` as far as there are bytes; -1 if the source failed.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    var filled = 0
    while filled < buffer.count {
      if !blockRange.contains(position) { refill() }
      if failure != nil { return -1 }
      let count = min(buffer.count - filled, blockRange.upperBound - position)
      if count <= 0 { break }
      let start = position - blockRange.lowerBound
      unsafe block.withUnsafeBytes {
        unsafe buffer[filled...].copyBytes(from: $0[start..<start + count])
      }
      filled += count
      position += count
    }
    return filled
  }

  /// Moves the cursor as lseek(2) does; -1 for a place before the beginning. Past the end is a place.
  func seek(_ offset: Int, _ whence: Int32) -> Int {
    let base =
      switch whence {
      case SEEK_CUR: position
      case SEEK_END: size
      default: 0
      }
    let (target, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, target >= 0 else { return -1 }
    position = target
    return target
  }

  private func refill() {
    var span = block.mutableSpan
    var bytes = unsafe span.mutableBytes
    do throws(DecodeError) {
      let count = position < size ? try source.read(bytes.byteCount, at: position, into: &bytes) : 0
      blockRange = position..<position + count
    } catch {
      blockRange = position..<position
      failure = error
    }
  }
}

extension SourceReader {
  /// The reader behind a pointer that was made by `pointer`. It lives as long as the handle that calls back.
  static func at(_ pointer: UnsafeMutableRawPointer?) -> SourceReader? {
    unsafe pointer.map { unsafe Unmanaged<SourceReader>.fromOpaque($0).takeUnretainedValue() }
  }

  /// What a C library gets as its user data; borrowed, whoever owns the C handle owns the reader too.
  var pointer: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }
}
