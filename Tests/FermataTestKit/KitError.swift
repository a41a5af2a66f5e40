// SPDX-License-Identifier: MIT
import Glibc

/// Why the test kit could not do what a test asked: what it is about, the reason, and what would help.
package struct KitError: Error, CustomStringConvertible {
  /// The whole sentence.
  package let description: String

  /// An error with this text.
  package init(_ description: String) { self.description = description }

  /// An error of a system call that has just failed, with the text of `errno`.
  static func system(_ operation: String, code: Int32) -> KitError {
    unsafe KitError("\(operation): \(String(cString: strerror(code)))")
  }
}
