// SPDX-License-Identifier: MIT
import CSQLite
import Glibc

/// Why something could not be stored or read back.
package struct StoreError: Error, Equatable, CustomStringConvertible {
  package enum Operation: String, Sendable {
    case makeFolder = "can't make the folder"
    case lock = "can't lock the folder"
    case open = "can't open"
    case read = "can't read"
    case write = "can't write"
    case setAside = "can't rename the damaged file"
  }

  /// The kind of cause, where that makes a difference to what a person can do.
  package enum Cause: Sendable {
    /// The disk, or this user's share of it, is full.
    case full
    case forbidden
    /// A newer version of this program wrote the file.
    case newer
    case other
  }

  /// The system's error number, or SQLite's extended result code if SQLite failed; 0 if neither did.
  package let code: Int32
  /// Whether the statement itself is what SQLite can't carry out, and not the database.
  package var isOfStatement: Bool { code == SQLITE_ERROR }
  package let operation: Operation
  package let file: String
  package let reason: String
  package let cause: Cause

  package init(
    code: Int32 = 0, _ operation: Operation, file: String, reason: String, cause: Cause = .other
  ) {
    self.cause = cause
    self.code = code
    self.operation = operation
    self.file = file
    self.reason = reason
  }

  /// An error for a file that is there and may not be read or written; nil if it may, or if there is none.
  package init?(forbidding path: String, _ operation: Operation) {
    guard unsafe access(path, F_OK) == 0, unsafe access(path, R_OK | W_OK) != 0 else { return nil }
    self.init(errno: errno, operation, file: path)
  }

  /// Whether the only trouble is that another agent has locked the folder, and may release it.
  package var isHeldByAnother: Bool { operation == .lock && code == EWOULDBLOCK }

  package var description: String { "\(file): \(operation.rawValue): \(reason)" }

  /// The text for people: the file, the reason and the remedy.
  package var advice: String {
    switch cause {
    case .full: "\(file): disk is full; make room"
    case .forbidden: "\(description); let yourself write there"
    case .newer: "\(description); install that version again"
    case .other: isHeldByAnother ? "\(file): \(reason)" : "\(description); see to that disk or folder"
    }
  }
}

extension StoreError.Cause {
  /// The kind of cause that a system error number means.
  init(errno code: Int32) {
    switch code {
    case ENOSPC, EDQUOT: self = .full
    case EACCES, EPERM, EROFS: self = .forbidden
    default: self = .other
    }
  }
}

/// A database that could not be used, most often because it is damaged, and was renamed.
package struct DamagedFile: Sendable, Equatable, CustomStringConvertible {
  package let error: StoreError
  package let path: String

  /// What happened, and the new path of the file, for the log.
  package var description: String { "\(error); \(consequence) is kept as \(path)" }
  private let consequence: String

  /// Whether a file that could not be opened is to be renamed, because it is damaged or not a database. A good file stays where it is, whatever is
  /// wrong with the disk or the system.
  package static func isToBlame(_ error: StoreError) -> Bool {
    if StoreError(forbidding: error.file, .open) != nil { return false }
    // The header says whether the file may be written, and a damaged header may say that it may not.
    if error.isDamage || error.code & 0xff == SQLITE_READONLY { return true }
    var status = stat()
    guard unsafe lstat(error.file, &status) == 0 else { return false }
    // If a folder or a pipe has this name, SQLite's error says nothing about the cause.
    let kind = status.st_mode & S_IFMT
    if kind != S_IFREG, kind != S_IFLNK { return true }
    // A link that leads nowhere.
    return error.code & 0xff == SQLITE_CANTOPEN && kind == S_IFLNK
  }

  /// Renames the file that the error names, and the files that SQLite keeps beside it.
  package init(
    settingAside error: StoreError,
    _ consequence: String = "starting with an empty queue, the old file"
  ) throws(StoreError) {
    self.error = error
    self.consequence = consequence
    path = Self.freeName(for: error.file + (error.cause == .newer ? Self.newerMark : Self.mark))
    for suffix in ["", "-wal", "-shm"] {
      let failed = unsafe rename(error.file + suffix, path + suffix) != 0
      if failed, suffix.isEmpty || errno != ENOENT {
        throw StoreError(errno: errno, .setAside, file: error.file + suffix)
      }
    }
  }

  /// What the names of renamed files have in them: of damaged ones, and of those that a newer version of this program wrote.
  private static let mark = ".damaged-"
  private static let newerMark = ".newer-"

  /// Whether a file of this name was renamed because it was damaged. The files that SQLite keeps beside it do not count.
  package static func isName(_ name: String) -> Bool { isName(name, with: mark) }

  /// Whether a file of this name was renamed because a newer version of this program wrote it.
  package static func isNewerName(_ name: String) -> Bool { isName(name, with: newerMark) }

  private static func isName(_ name: String, with mark: String) -> Bool {
    name.contains(mark) && !name.hasSuffix("-wal") && !name.hasSuffix("-shm")
  }

  /// A name that begins like this, has the time in it, and that no file has yet: rename(2) would replace a file of that name.
  private static func freeName(for beginning: String) -> String {
    var (now, parts) = unsafe (time(nil), tm())
    unsafe gmtime_r(&now, &parts)
    let day = unsafe (parts.tm_year + 1900) * 10_000 + (parts.tm_mon + 1) * 100 + parts.tm_mday
    let clock = unsafe String(1_000_000 + parts.tm_hour * 10_000 + parts.tm_min * 100 + parts.tm_sec)
    let name = "\(beginning)\(day)-\(clock.dropFirst())"
    var (candidate, number) = (name, 1)
    var status = stat()
    while unsafe lstat(candidate, &status) == 0 {
      number += 1
      candidate = "\(name)-\(number)"
    }
    return candidate
  }
}

extension StoreError {
  /// The error for a system call that failed with this number.
  package init(errno code: Int32, _ operation: Operation, file: String) {
    self.init(
      code: code, operation, file: file, reason: unsafe String(cString: strerror(code)),
      cause: Cause(errno: code))
  }

  /// The error for a database that may not be written; it is thrown when the database is opened.
  package static func readOnly(_ file: String) -> StoreError {
    StoreError(
      code: SQLITE_READONLY, .write, file: file, reason: "its header or permissions forbid it", cause: .other)
  }

  /// The error for a file whose content is not what we wrote.
  package static func damage(in file: String, _ reason: String) -> StoreError {
    StoreError(code: SQLITE_CORRUPT, .read, file: file, reason: reason)
  }

  /// Whether the file is certainly damaged. If SQLite only refuses a statement, for example as too complex, that proves nothing about the file.
  package var isProofOfDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT].contains(code & 0xff) }

  /// Whether another program uses the file.
  package var isBusy: Bool { code & 0xff == SQLITE_BUSY }

  /// Whether a failure to open the file may be caused by its content, and not by the disk or the system.
  package var isDamage: Bool {
    [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT, SQLITE_ERROR].contains(code & 0xff)
  }

  /// Whether the statement was interrupted because nobody wants the answer any more.
  package var isInterruption: Bool { code & 0xff == SQLITE_INTERRUPT }

  /// The error for work that was ended early, because nobody wants its result any more.
  package static func interrupted(_ file: String) -> StoreError {
    StoreError(code: SQLITE_INTERRUPT, .read, file: file, reason: "nobody wants it any more")
  }
}
