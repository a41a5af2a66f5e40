// SPDX-License-Identifier: MIT
internal import FileIO
internal import Glibc
internal import MediaModel

/// A regular file opened for reading. Owns the descriptor; `deinit` closes it. Devices, pipes and sockets are
/// refused without waiting for them.
struct RegularFile: ~Copyable {
  let descriptor: Int32
  /// Its size when it was opened.
  let size: Int

  /// Opens a file, through symbolic links. Never waits for a writer of a pipe.
  init(_ path: FilePath) throws(TagError) {
    let descriptor = unsafe path.withCString { text in
      unsafe open(text, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    }
    guard descriptor >= 0 else { throw TagError(path, .unreadable(errno)) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw TagError(path, .unreadable(code))
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw TagError(path, .notAFile)
    }
    self.descriptor = descriptor
    size = Int(status.st_size)
  }

  deinit { close(descriptor) }

  /// Up to so many bytes from an offset; fewer at the end or where reading fails.
  func bytes(at offset: Int, count: Int) -> [UInt8] {
    guard offset >= 0, offset < size else { return [] }
    return unsafe Array(unsafeUninitializedCapacity: min(count, size - offset)) { buffer, done in
      while done < buffer.count {
        let place = unsafe buffer.baseAddress?.advanced(by: done)
        let got = unsafe pread(descriptor, place, buffer.count - done, offset + done)
        if got < 0 && errno == EINTR { continue }
        guard got > 0 else { break }
        done += got
      }
    }
  }
}
