// SPDX-License-Identifier: MIT
internal import Glibc

/// A regular file open for reading. Owns the descriptor; `deinit` closes it.
package struct OpenFile: ~Copyable {
  private static let chunk = 65_536
  private let descriptor: Int32

  init(owning descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Reads at most `count` bytes from the beginning of the file, even if the file grows meanwhile. Blocks on the
  /// disk.
  package func head(_ count: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let wanted = min(Self.chunk, count - bytes.count)
      let offset = bytes.count
      var got = 0
      let piece = unsafe [UInt8](unsafeUninitializedCapacity: wanted) { buffer, done in
        repeat {
          got = unsafe pread(descriptor, buffer.baseAddress, wanted, offset)
        } while got < 0 && errno == EINTR
        done = max(0, got)
      }
      if got < 0 { throw .last }
      if got == 0 { break }
      bytes += piece
    }
    return bytes
  }
}
