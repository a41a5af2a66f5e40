// SPDX-License-Identifier: MIT
import Glibc

/// What the system refused at a terminal, a pipe or a file that is written to.
package struct TerminalError: Error, Hashable, CustomStringConvertible {
  /// What was asked of the system.
  package enum Operation: String, Sendable, Hashable {
    case read, write, mode
  }

  /// What was asked.
  package let operation: Operation
  /// The system's reason, an `errno`.
  package let code: Int32

  // The failure of the call that was just made.
  init(_ operation: Operation) {
    self.operation = operation
    code = errno
  }

  /// The reason in words.
  package var description: String {
    // strerror never returns null; its text is copied before anybody else can ask for one.
    unsafe String(cString: strerror(code))
  }
}
