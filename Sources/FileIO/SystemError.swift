// SPDX-License-Identifier: MIT
internal import Glibc

/// A number that a system call failed with.
package struct SystemError: Error, Equatable {
  /// The number, as in `errno`.
  package let code: Int32

  /// An error of this number.
  package init(code: Int32) { self.code = code }

  /// The failure of the call just made.
  package static var last: SystemError { SystemError(code: errno) }

  /// Somebody else holds what was asked for.
  package static let held = SystemError(code: EWOULDBLOCK)

  /// Whether there is nothing at the path, as opposed to something that can't be had.
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }
}

extension String {
  /// What the system calls an error number.
  package init(errno code: Int32) {
    var buffer = [CChar](repeating: 0, count: 128)
    let failed = unsafe strerror_r(code, &buffer, buffer.count) != 0
    let text = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    self = failed ? "error \(code)" : String(decoding: text, as: UTF8.self)
  }
}
