// SPDX-License-Identifier: MIT
internal import Glibc
package import MediaModel

/// A folder that one process at a time may hold, to read a file in it, change it and write it anew. It binds only those who
/// ask for it too, and puts nothing into the folder. Owns the descriptor; `deinit` lets go of the folder.
package struct FolderLock: ~Copyable {
  private static let pause = timespec(tv_sec: 0, tv_nsec: 5_000_000)

  private let descriptor: Int32

  /// Waits for the folder, but no longer than `patience`: its holder may have been stopped. Throws `EWOULDBLOCK` then. On a
  /// file system that has no locks it is held by everybody. Blocks.
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
