// SPDX-License-Identifier: MIT
import DecodeIO

/// Bytes in memory as a source, which may fail from an offset on or trickle a few bytes a read.
final class MemorySource: ByteSource {
  let name: String
  let size: Int
  private let bytes: [UInt8]
  private let mostAtOnce: Int
  private let failsFrom: Int
  private(set) var bytesRead = 0

  init(_ bytes: [UInt8], name: String = "memory", mostAtOnce: Int = .max, failsFrom: Int = .max) {
    self.bytes = bytes
    self.name = name
    self.mostAtOnce = mostAtOnce
    self.failsFrom = failsFrom
    size = bytes.count
  }

  func read(_ count: Int, at offset: Int, into span: inout MutableRawSpan) throws(DecodeError) -> Int {
    if offset + count > failsFrom {
      throw DecodeError(
        .unreadable, file: name, byteOffset: offset, reason: "cannot be read: the disk is gone")
    }
    let count = max(0, min(count, mostAtOnce, size - offset))
    span.withUnsafeMutableBytes { room in
      bytes.withUnsafeBytes { room.copyMemory(from: .init(rebasing: $0[offset..<offset + count])) }
    }
    bytesRead += count
    return count
  }
}
