// SPDX-License-Identifier: MIT
import Glibc

/// What the system refused at a terminal, a pipe or a file that is written to.
public struct TerminalError: Error, Hashable, CustomStringConvertible {
  /// What was asked of the system.
  public enum Operation: String, Sendable, Hashable {
    case read, write, mode
  }

  /// What was asked.
  public let operation: Operation
  /// The system's reason, an `errno`.
  public let code: Int32

  // The failure of the call that was just made.
  init(_ operation: Operation) {
    self.operation = operation
    code = errno
  }

  /// The reason in words.
  public var description: String {
    // strerror never returns null; its text is copied before anybody else can ask for one.
    unsafe String(cString: strerror(code))
  }
}
