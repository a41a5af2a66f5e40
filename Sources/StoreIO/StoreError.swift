// SPDX-License-Identifier: MIT
import Glibc

/// Why something could not be stored or read back.
public struct StoreError: Error, Equatable, CustomStringConvertible {
  /// What was being done.
  public enum Operation: String, Sendable {
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

  /// The system's error number, or SQLite's extended result code where it was SQLite that failed; 0 where neither did.
  public let code: Int32
  /// What was being done.
  public let operation: Operation
  /// The file or folder it happened to.
  public let file: String
  /// What was wrong, in words.
  public let reason: String

  /// An error with these properties.
  public init(code: Int32 = 0, _ operation: Operation, file: String, reason: String) {
    self.code = code
    self.operation = operation
    self.file = file
    self.reason = reason
  }

  /// Whether nothing is wrong but that another agent has the folder, and may let go of it.
  public var isHeldByAnother: Bool { operation == .lock && code == EWOULDBLOCK }

  /// The place and the reason.
  public var description: String { "\(file): \(operation.rawValue): \(reason)" }
}
