// SPDX-License-Identifier: MIT
import CSQLite
import Glibc

/// One open database. Owns the connection; belongs to the thread that opened it.
@safe
final class Database {
  private let connection: OpaquePointer
  /// The path of the file, for messages.
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

  /// Whether the file's permissions forbid writing or, once something was read, the file's header does.
  var isReadOnly: Bool { unsafe sqlite3_db_readonly(connection, "main") != 0 }

  /// Whether the path no longer leads to the open file, because the file or its folder was deleted, moved or replaced. What is
  /// written then is lost.
  var hasMoved: Bool {
    var hasMoved: Int32 = 0
    let code = unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return code == SQLITE_OK && hasMoved != 0
  }

  /// Runs statements that need no values and whose rows are not needed. Blocks.
  func run(_ text: String) throws(StoreError) {
    try check(unsafe sqlite3_exec(connection, text, nil, nil, nil), .write)
  }

  /// Compiles one statement. Keep it if it is to run often.
  func prepare(_ text: String) throws(StoreError) -> Statement {
    var handle: OpaquePointer?
    try check(
      unsafe sqlite3_prepare_v3(connection, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil), .read)
    guard let handle = unsafe handle else { preconditionFailure("no statement in \(text)") }
    return unsafe Statement(handle, of: self)
  }

  /// Runs a statement and returns the first number of its first row; 0 if there is no row. Blocks.
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

  /// Throws the error that a result code of this connection stands for. Does nothing if the code means success.
  func check(_ code: Int32, _ operation: StoreError.Operation) throws(StoreError) {
    guard code != SQLITE_OK, code != SQLITE_ROW, code != SQLITE_DONE else { return }
    throw unsafe Self.error(code, operation, path, connection)
  }

  /// The error for a result code. If a system call failed, the system's error number gives the cause, and its text is added to
  /// the reason.
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

/// A compiled statement. Owns SQLite's handle, which `deinit` frees. Belongs to its database's thread.
@safe
struct Statement: ~Copyable {
  private let handle: OpaquePointer
  private let database: Database

  init(_ handle: OpaquePointer, of database: Database) {
    unsafe self.handle = handle
    self.database = database
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Sets a parameter of the statement to a whole number. Parameters count from 1, and keep their values from one run to the next.
  func bind(_ index: Int32, _ number: Int64) throws(StoreError) {
    try database.check(unsafe sqlite3_bind_int64(handle, index, number), .write)
  }

  /// Sets a parameter to a number with a fraction.
  func bind(_ index: Int32, _ number: Double) throws(StoreError) {
    try database.check(unsafe sqlite3_bind_double(handle, index, number), .write)
  }

  /// Sets a parameter to bytes, which are copied.
  func bind(_ index: Int32, _ bytes: ArraySlice<UInt8>) throws(StoreError) {
    let code = unsafe bytes.withUnsafeBytes { buffer in
      unsafe sqlite3_bind_blob64(
        handle, index, buffer.baseAddress, sqlite3_uint64(buffer.count), csqlite_transient())
    }
    try database.check(code, .write)
  }

  /// Goes on to the next row and returns whether there is one. Blocks. After the last row, and after an error, the statement is
  /// ready to run again.
  func step() throws(StoreError) -> Bool {
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    // The result of the reset is not needed: it repeats that of the step.
    unsafe sqlite3_reset(handle)
    try database.check(code, .read)
    return false
  }

  /// Runs the statement to its end without reading its rows. Blocks.
  func run() throws(StoreError) { while try step() {} }

  /// A column of the present row as a whole number; 0 if it is no number. Columns count from 0.
  func number(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }
  /// A column of the present row as a number with a fraction; 0 if it is no number.
  func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

  /// A column of the present row as bytes; empty if the column holds none.
  func bytes(_ column: Int32) -> [UInt8] {
    let start = unsafe sqlite3_column_blob(handle, column)
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }
}
