// SPDX-License-Identifier: MIT
import CSQLite
import Glibc

/// One open database. Owns the connection; belongs to the thread that opened it. Its statements must be gone before it.
@safe
final class Database {
  private let connection: OpaquePointer
  /// The file, for messages.
  let path: String

  /// Opens the file, and makes it if it is not there. Blocks.
  init(_ path: String) throws(StoreError) {
    self.path = path
    var connection: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = unsafe sqlite3_open_v2(path, &connection, flags, nil)
    guard code == SQLITE_OK, let open = unsafe connection else {
      let error = unsafe Self.error(code, .open, path, connection)
      unsafe sqlite3_close_v2(connection)
      throw error
    }
    unsafe self.connection = open
  }

  deinit { unsafe sqlite3_close_v2(connection) }

  /// Whether it cannot be written to: by the file's permissions or, once something was read, by its header.
  var isReadOnly: Bool { unsafe sqlite3_db_readonly(connection, "main") != 0 }

  /// Whether the file is no longer the one of that name, because it or its folder was deleted, moved or replaced. Nobody would find
  /// what is written then.
  var hasMoved: Bool {
    var hasMoved: Int32 = 0
    let code = unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return code == SQLITE_OK && hasMoved != 0
  }

  /// Runs statements that need no values and whose rows are not needed. Blocks.
  func run(_ text: String) throws(StoreError) {
    try check(unsafe sqlite3_exec(connection, text, nil, nil, nil), .write)
  }

  /// Compiles one statement, to be kept and run often.
  func prepare(_ text: String) throws(StoreError) -> Statement {
    var handle: OpaquePointer?
    try check(
      unsafe sqlite3_prepare_v3(connection, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil), .read)
    guard let handle = unsafe handle else { preconditionFailure("no statement in \(text)") }
    return unsafe Statement(handle, of: self)
  }

  /// The one number that a statement gives; 0 if it gives none.
  func number(_ text: String) throws(StoreError) -> Int64 {
    let statement = try prepare(text)
    return try statement.step() ? statement.number(0) : 0
  }

  /// Runs `body` as one transaction: all of it is stored when this returns, or nothing of it when it throws. Blocks.
  func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    try run("BEGIN IMMEDIATE")
    do {
      try body()
      try run("COMMIT")
    } catch {
      // After some errors SQLite has rolled back by itself, and there is nothing to roll back any more.
      if unsafe sqlite3_get_autocommit(connection) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  /// Throws what a result code of this connection means, unless it means success.
  func check(_ code: Int32, _ operation: StoreError.Operation) throws(StoreError) {
    guard code != SQLITE_OK, code != SQLITE_ROW, code != SQLITE_DONE else { return }
    throw unsafe Self.error(code, operation, path, connection)
  }

  /// The error for a result code. If SQLite only knows that the system failed, the system's own number says how.
  private static func error(
    _ code: Int32, _ operation: StoreError.Operation, _ path: String, _ connection: OpaquePointer?
  ) -> StoreError {
    let reason = unsafe reason(code, connection)
    let isSystems = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xff)
    let number = unsafe isSystems ? sqlite3_system_errno(connection) : 0
    let cause: StoreError.Cause =
      switch code & 0xff {
      case SQLITE_FULL: .full
      case SQLITE_READONLY, SQLITE_PERM: .forbidden
      default: StoreError.Cause(errno: number)
      }
    let text = number == 0 ? reason : unsafe "\(reason): \(String(cString: strerror(number)))"
    return StoreError(code: code, operation, file: path, reason: text, cause: cause)
  }

  private static func reason(_ code: Int32, _ connection: OpaquePointer?) -> String {
    let text = unsafe connection.map { unsafe sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    return unsafe text.map { unsafe String(cString: $0) } ?? "SQLite error \(code)"
  }
}
