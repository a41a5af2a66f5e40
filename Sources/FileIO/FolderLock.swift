// SPDX-License-Identifier: MIT
internal import Glibc
package import MediaModel

/// A lock on a folder that one process at a time may hold, for example to read a file in it, change it and write it
/// back. It is advisory: only processes that use this lock respect it. It creates no file. Owns the descriptor;
/// `deinit` releases the lock.
package struct FolderLock: ~Copyable {
  private static let pause = timespec(tv_sec: 0, tv_nsec: 5_000_000)

  private let descriptor: Int32

  /// Waits for the lock, at most for `patience`, because its holder may have been stopped; then throws `EWOULDBLOCK`.
  /// On a file system without locks every caller gets the lock at once. Blocks.
  package init(_ folder: FilePath, patience: Duration = .seconds(10)) throws(SystemError) {
    let descriptor = unsafe folder.withCString { unsafe open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .last }
    guard Self.take(descriptor, patience) else {
      close(descriptor)
      throw .held
    }
    self.descriptor = descriptor
  }

  private static func take(_ descriptor: Int32, _ patience: Duration) -> Bool {
    let end = ContinuousClock.now + patience
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
      guard ContinuousClock.now < end else { return false }
      var pause = pause
      unsafe nanosleep(&pause, nil)
    }
    return true
  }

  deinit { close(descriptor) }
}
