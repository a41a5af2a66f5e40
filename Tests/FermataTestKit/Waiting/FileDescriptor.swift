// SPDX-License-Identifier: MIT
import Glibc

/// Owns an open file, and closes it at the end of its life.
struct FileDescriptor: ~Copyable, Sendable {
  let number: Int32

  /// Takes ownership of the descriptor that a system call has just returned. If the call failed, throws its error.
  init(_ number: Int32, _ operation: String) throws {
    guard number >= 0 else { throw KitError.system(operation, code: errno) }
    self.number = number
  }

  deinit { close(number) }

  /// Waits until the file is readable or its other end is closed. Returns false if the deadline passes first. Blocks.
  func waitReadable(until deadline: Deadline) -> Bool {
    var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    while true {
      let count = unsafe poll(&request, 1, deadline.milliseconds)
      guard count < 0, errno == EINTR else { return count > 0 }
    }
  }
}
