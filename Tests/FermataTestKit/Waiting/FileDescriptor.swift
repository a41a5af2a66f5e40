// SPDX-License-Identifier: MIT
import Glibc

/// Owns an open file: closed when its life ends.
struct FileDescriptor: ~Copyable, Sendable {
  let number: Int32

  /// Takes over what a system call has just returned; throws its error when that is none.
  init(_ number: Int32, _ operation: String) throws {
    guard number >= 0 else { throw KitError.system(operation, code: errno) }
    self.number = number
  }

  deinit { close(number) }

  /// Waits until the file is readable, or its other end is gone. Returns false when the deadline comes first.
  func waitReadable(until deadline: Deadline) -> Bool {
    var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    while true {
      let count = unsafe poll(&request, 1, deadline.milliseconds)
      guard count < 0, errno == EINTR else { return count > 0 }
    }
  }
}
