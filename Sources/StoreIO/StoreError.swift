// SPDX-License-Identifier: MIT
import Glibc

/// Why something could not be stored or read back.
package struct StoreError: Error, Equatable, CustomStringConvertible {
  /// What was being done.
  package enum Operation: String, Sendable {
    /// Making the state folder.
    case makeFolder = "can't make the folder"
    /// Taking the folder for this agent alone.
    case lock = "can't lock the folder"
    /// Opening the file.
    case open = "can't open"
    /// Reading what is in it.
    case read = "can't read"
    /// Writing to it.
    case write = "can't write"
    /// Giving a damaged file another name.
    case setAside = "can't rename the damaged file"
  }

  /// What kind of trouble it is, as far as that changes what a person can do about it.
  package enum Cause: Sendable {
    /// The disk, or this user's share of it, is full.
    case full
    /// This user may not write there.
    case forbidden
    /// Anything else.
    case other
  }

  /// The system's error number, or SQLite's extended result code if SQLite failed; 0 if neither did.
  package let code: Int32
  /// What was being done.
  package let operation: Operation
  /// The file or folder it happened to.
  package let file: String
  /// What was wrong, in words.
  package let reason: String
  /// What kind of trouble it is.
  package let cause: Cause

  /// An error with these properties.
  package init(
    code: Int32 = 0, _ operation: Operation, file: String, reason: String, cause: Cause = .other
  ) {
    self.cause = cause
    self.code = code
    self.operation = operation
    self.file = file
    self.reason = reason
  }

  /// Whether the only trouble is that another agent has the folder, and may let go of it.
  package var isHeldByAnother: Bool { operation == .lock && code == EWOULDBLOCK }

  /// The place and the reason.
  package var description: String { "\(file): \(operation.rawValue): \(reason)" }

  /// The place, the reason and what to do, for whoever wanted something to be stored.
  package var advice: String {
    switch cause {
    case .full: "\(file): disk is full; make room"
    case .forbidden: "\(description); let yourself write there"
    case .other: isHeldByAnother ? "\(file): \(reason)" : "\(description); see to that disk or folder"
    }
  }
}

extension StoreError.Cause {
  /// The kind of trouble that one of the system's error numbers means.
  init(errno code: Int32) {
    switch code {
    case ENOSPC, EDQUOT: self = .full
    case EACCES, EPERM, EROFS: self = .forbidden
    default: self = .other
    }
  }
}
