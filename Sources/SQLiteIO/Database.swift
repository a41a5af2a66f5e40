// SPDX-License-Identifier: MIT
import CSQLite
import Glibc

/// One open database. Owns the connection; belongs to the thread that opened it.
@safe
package final class Database {
  private let connection: OpaquePointer
  /// Called now and then while a statement runs; see `interrupts(when:)`.
  private var isInterrupted: (() -> Bool)?
  /// The path of the file, for messages.
  package let path: String

  /// Opens the file, and makes it if it is not there. Blocks.
  package init(_ path: String) throws(StoreError) {
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

  /// Keeps other users from reading the file, because a person's listening is private. Creates the file if it does not exist. SQLite gives the files
  /// beside it the same permissions. If this fails, SQLite reports the error when it opens the file. Call it before the file is opened: closing a
  /// file drops every lock that this process has on it.
  package static func makePrivate(_ path: String) {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { return }
    _ = fchmod(descriptor, 0o600)
    close(descriptor)
  }

  /// Whether the file's permissions forbid writing or, once something was read, the file's header does.
  package var isReadOnly: Bool { unsafe sqlite3_db_readonly(connection, "main") != 0 }

  /// Whether the path no longer leads to the open file, because the file or its folder was deleted, moved or replaced. Everything written from then
  /// on is lost.
  package var hasMoved: Bool {
    var hasMoved: Int32 = 0
    let code = unsafe sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    return code == SQLITE_OK && hasMoved != 0
  }

  /// Runs statements that need no values and whose rows are not needed. Blocks.
  package func run(_ text: String) throws(StoreError) {
    try check(unsafe sqlite3_exec(connection, text, nil, nil, nil), .write)
  }

  /// Compiles one statement. Keep it if it is to run often.
  package func prepare(_ text: String) throws(StoreError) -> Statement {
    var handle: OpaquePointer?
    try check(
      unsafe sqlite3_prepare_v3(connection, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil), .read)
    guard let handle = unsafe handle else { preconditionFailure("no statement in \(text)") }
    return unsafe Statement(handle, of: self)
  }

  /// Runs a statement and returns the first number of its first row; 0 if there is no row. Blocks.
  package func number(_ text: String) throws(StoreError) -> Int64 {
    let statement = try prepare(text)
    return try statement.step() ? statement.number(0) : 0
  }

  /// Runs `body` as one transaction: all of it is stored when this returns, or nothing of it when it throws. Blocks.
  package func transaction<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    try run("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      // After some errors SQLite has rolled back by itself, and there is nothing to roll back any more.
      if unsafe sqlite3_get_autocommit(connection) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  /// How many rows this connection has added, changed or deleted since it was opened. While the number stays the same, so does all that was read.
  package var totalChanges: Int { unsafe Int(sqlite3_total_changes64(connection)) }

  // MARK: Interruption

  /// Runs `body`, and calls `isInterrupted` every few thousand steps of its statements. If that returns true, the statement ends with an error whose
  /// `isInterruption` is true.
  package func interrupts<Result>(
    when isInterrupted: (() -> Bool)?, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard let isInterrupted else { return try body() }
    self.isInterrupted = isInterrupted
    let me = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe sqlite3_progress_handler(connection, Self.steps, { unsafe Database.at($0).isWanted() }, me)
    defer {
      unsafe sqlite3_progress_handler(connection, 0, nil, nil)
      self.isInterrupted = nil
    }
    return try body()
  }

  /// The number of SQLite's steps between two calls of `isInterrupted`: about 50 microseconds.
  private static let steps: Int32 = 4_000

  private func isWanted() -> Int32 { isInterrupted?() == true ? 1 : 0 }

  // The pointer is that of the database whose statement is running, which exists while the statement runs.
  private static func at(_ context: UnsafeMutableRawPointer?) -> Database {
    guard let context = unsafe context else { preconditionFailure("SQLite lost what it was given") }
    return unsafe Unmanaged<Database>.fromOpaque(context).takeUnretainedValue()
  }

  // MARK: Functions

  /// Defines an SQL function that tests a number. It must return the same result for the same number while a statement runs.
  package func defineTest(_ name: String, _ body: @escaping (Int64) -> Bool) throws(StoreError) {
    unsafe try define(name, deterministic: false) { context, argument in
      unsafe sqlite3_result_int(context, body(sqlite3_value_int64(argument)) ? 1 : 0)
    }
  }

  /// Defines an SQL function that turns bytes into a text. It must return the same text for the same bytes.
  package func defineText(_ name: String, _ body: @escaping ([UInt8]) -> [UInt8]) throws(StoreError) {
    unsafe try define(name, deterministic: true) { context, argument in
      let start = unsafe sqlite3_value_blob(argument)
      let count = unsafe Int(sqlite3_value_bytes(argument))
      let text = unsafe body(Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)))
      // One byte more than the text, because SQLite takes an address that is missing for NULL, and an empty array has none.
      unsafe (text + [0]).withUnsafeBytes { buffer in
        unsafe sqlite3_result_text64(
          context, buffer.baseAddress?.assumingMemoryBound(to: CChar.self), sqlite3_uint64(text.count),
          csqlite_transient(), UInt8(SQLITE_UTF8))
      }
    }
  }

  @safe
  private final class Function {
    let body: (OpaquePointer?, OpaquePointer?) -> Void

    init(_ body: @escaping (OpaquePointer?, OpaquePointer?) -> Void) { unsafe self.body = body }
  }

  /// Defines an SQL function of one argument. SQLite keeps the box with `body`, and releases it with the connection.
  private func define(
    _ name: String, deterministic: Bool, _ body: @escaping (OpaquePointer?, OpaquePointer?) -> Void
  ) throws(StoreError) {
    let box = unsafe Unmanaged.passRetained(Function(body)).toOpaque()
    let flags = SQLITE_UTF8 | (deterministic ? SQLITE_DETERMINISTIC : 0)
    let code = unsafe sqlite3_create_function_v2(
      connection, name, 1, flags, box,
      { context, _, arguments in
        guard let box = unsafe sqlite3_user_data(context), let arguments = unsafe arguments else { return }
        let function = unsafe Unmanaged<Function>.fromOpaque(box).takeUnretainedValue()
        unsafe function.body(context, arguments[0])
      }, nil, nil,
      { box in
        if let box = unsafe box { unsafe Unmanaged<Function>.fromOpaque(box).release() }
      })
    try check(code, .open)
  }

  /// Returns memory that SQLite keeps only to be faster the next time.
  package func releaseMemory() { unsafe sqlite3_db_release_memory(connection) }

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
package struct Statement: ~Copyable {
  private let handle: OpaquePointer
  private let database: Database

  init(_ handle: OpaquePointer, of database: Database) {
    unsafe self.handle = handle
    self.database = database
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Sets a parameter of the statement to a whole number. Parameters count from 1, and keep their values from one run to the next.
  package func bind(at index: Int32, _ number: Int64) throws(StoreError) {
    try database.check(unsafe sqlite3_bind_int64(handle, index, number), .write)
  }

  /// Sets a parameter to a number with a fraction.
  package func bind(at index: Int32, _ number: Double) throws(StoreError) {
    try database.check(unsafe sqlite3_bind_double(handle, index, number), .write)
  }

  /// Sets a parameter to bytes, which are copied.
  package func bind(at index: Int32, _ bytes: ArraySlice<UInt8>) throws(StoreError) {
    if bytes.isEmpty { return try database.check(unsafe sqlite3_bind_zeroblob(handle, index, 0), .write) }
    let code = unsafe bytes.withUnsafeBytes { buffer in
      unsafe sqlite3_bind_blob64(
        handle, index, buffer.baseAddress, sqlite3_uint64(buffer.count), csqlite_transient())
    }
    try database.check(code, .write)
  }

  /// Sets a parameter to a text, which is copied.
  package func bind(at index: Int32, _ text: String) throws(StoreError) {
    // An empty text may have no address, which SQLite would take for NULL.
    if text.isEmpty {
      try database.check(unsafe sqlite3_bind_text(handle, index, "", 0, csqlite_transient()), .write)
      return
    }
    var text = text
    let code = text.withUTF8 { buffer in
      unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
        unsafe sqlite3_bind_text64(
          handle, index, characters.baseAddress, sqlite3_uint64(characters.count), csqlite_transient(),
          UInt8(SQLITE_UTF8))
      }
    }
    try database.check(code, .write)
  }

  /// Sets a parameter to a value, or to NULL if there is none.
  package func bind(at index: Int32, _ value: (some SQLParameter)?) throws(StoreError) {
    if let value { return try value.bind(to: self, at: index) }
    try database.check(unsafe sqlite3_bind_null(handle, index), .write)
  }

  /// Sets the parameters to these values, from the first on.
  package func bind<each Value: SQLParameter>(_ values: repeat each Value) throws(StoreError) {
    var index: Int32 = 0
    for value in repeat each values {
      index += 1
      try value.bind(to: self, at: index)
    }
  }

  /// Sets all parameters to these values, and runs the statement to its end without reading its rows. Blocks.
  package func run<each Value: SQLParameter>(_ values: repeat each Value) throws(StoreError) {
    try bind(repeat each values)
    while try step() {}
  }

  /// Makes the statement ready to run again before its last row was reached.
  package func reset() { unsafe sqlite3_reset(handle) }

  /// Goes on to the next row and returns whether there is one. Blocks. After the last row, and after an error, the statement is
  /// ready to run again.
  package func step() throws(StoreError) -> Bool {
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    // The result of the reset is not needed: it repeats that of the step.
    unsafe sqlite3_reset(handle)
    try database.check(code, .read)
    return false
  }

  /// How many rows the last statement of this connection that wrote has changed.
  package var changes: Int { unsafe Int(sqlite3_changes(sqlite3_db_handle(handle))) }

  /// A column of the present row as a whole number; 0 if it is not a number. Columns count from 0.
  package func number(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }
  /// A column of the present row as a number with a fraction; 0 if it is not a number.
  package func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

  /// A column of the present row as bytes; empty if the column holds none.
  package func bytes(_ column: Int32) -> [UInt8] {
    let start = unsafe sqlite3_column_blob(handle, column)
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }

  /// A column of the present row as text; empty if it holds none.
  package func text(_ column: Int32) -> String {
    unsafe withBytes(column) { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// Whether a column of the present row is NULL.
  package func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// Calls `body` with a column's bytes in SQLite's own memory. They are valid only during the call.
  package func withBytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let start = unsafe sqlite3_column_blob(handle, column)
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }
}

/// A value that a parameter of a statement can have.
package protocol SQLParameter {
  func bind(to statement: borrowing Statement, at index: Int32) throws(StoreError)
}

extension Int64: SQLParameter {
  package func bind(to statement: borrowing Statement, at index: Int32) throws(StoreError) {
    try statement.bind(at: index, self)
  }
}

extension Double: SQLParameter {
  package func bind(to statement: borrowing Statement, at index: Int32) throws(StoreError) {
    try statement.bind(at: index, self)
  }
}

extension String: SQLParameter {
  package func bind(to statement: borrowing Statement, at index: Int32) throws(StoreError) {
    try statement.bind(at: index, self)
  }
}

extension ArraySlice<UInt8>: SQLParameter {
  package func bind(to statement: borrowing Statement, at index: Int32) throws(StoreError) {
    try statement.bind(at: index, self)
  }
}

extension [UInt8]: SQLParameter {
  package func bind(to statement: borrowing Statement, at index: Int32) throws(StoreError) {
    try statement.bind(at: index, self[...])
  }
}

extension Optional: SQLParameter where Wrapped: SQLParameter {
  package func bind(to statement: borrowing Statement, at index: Int32) throws(StoreError) {
    try statement.bind(at: index, self)
  }
}
