// SPDX-License-Identifier: MIT
import Glibc

/// A failed operation on a terminal, or on a pipe or file that is written to.
package struct TerminalError: Error, Hashable, CustomStringConvertible {
  /// The operation that failed.
  package enum Operation: String, Sendable, Hashable {
    case read, write, mode
  }

  /// The operation that failed.
  package let operation: Operation
  /// The system's reason, an `errno`.
  package let code: Int32

  // Takes `errno` of the call that was just made.
  init(_ operation: Operation) {
    self.operation = operation
    code = errno
  }

  /// The reason in words.
  package var description: String {
    // `strerror` never returns null. Its text is copied before another call can overwrite it.
    unsafe String(cString: strerror(code))
  }
}
