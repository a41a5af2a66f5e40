// SPDX-License-Identifier: MIT
internal import Glibc

/// An error number (`errno`) of a failed system call.
package struct SystemError: Error, Equatable {
  package let code: Int32

  package init(code: Int32) { self.code = code }

  /// The error of the system call just made; read it before any other call.
  package static var last: SystemError { SystemError(code: errno) }

  /// `EWOULDBLOCK`: another process holds the lock that was asked for.
  package static let held = SystemError(code: EWOULDBLOCK)

  /// Whether nothing exists at the path, as opposed to something that can't be accessed.
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether the disk, or the user's share of it, is full.
  package var isOfFullDisk: Bool { code == ENOSPC || code == EDQUOT }

  /// Advice for a person whose file could not be used because of this error. `act` says what was tried, such as "read it" or "write there".
  package func remedy(to act: String) -> String {
    switch code {
    case _ where isOfFullDisk: "make room on that disk"
    case ELOOP: "mend its links, which form a circle"
    default: "let yourself \(act)"
    }
  }
}

extension String {
  /// The system's text for an error number.
  package init(errno code: Int32) {
    var buffer = [CChar](repeating: 0, count: 128)
    let failed = unsafe strerror_r(code, &buffer, buffer.count) != 0
    let text = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    self = failed ? "error \(code)" : String(decoding: text, as: UTF8.self)
  }
}
