// SPDX-License-Identifier: MIT
import CSQLite

/// A compiled statement. Owns it; `deinit` frees it. Belongs to its database's thread.
@safe
struct Statement: ~Copyable {
  private let handle: OpaquePointer
  private let database: Database

  /// Takes the handle over.
  init(_ handle: OpaquePointer, of database: Database) {
    unsafe self.handle = handle
    self.database = database
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Sets the value of a parameter; they count from 1. Values stay until they are set anew.
  func bind(_ index: Int32, _ number: Int64) throws(StoreError) {
    try database.check(unsafe sqlite3_bind_int64(handle, index, number), .write)
  }

  /// The same for a number with a fraction.
  func bind(_ index: Int32, _ number: Double) throws(StoreError) {
    try database.check(unsafe sqlite3_bind_double(handle, index, number), .write)
  }

  /// The same for bytes, which are copied.
  func bind(_ index: Int32, _ bytes: ArraySlice<UInt8>) throws(StoreError) {
    let code = unsafe bytes.withUnsafeBytes { buffer in
      unsafe sqlite3_bind_blob64(
        handle, index, buffer.baseAddress, sqlite3_uint64(buffer.count), csqlite_transient())
    }
    try database.check(code, .write)
  }

  /// Goes on to the next row and tells whether there is one. Blocks. After the last one, and after an error, the
  /// statement can be run again.
  func step() throws(StoreError) -> Bool {
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    // The result of the reset is not needed: it repeats that of the step.
    unsafe sqlite3_reset(handle)
    try database.check(code, .read)
    return false
  }

  /// Runs it to its end. Blocks.
  func run() throws(StoreError) { while try step() {} }

  /// A column of the row, counted from 0; 0 if it is no number.
  func number(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }
  /// The same with a fraction.
  func real(_ column: Int32) -> Double { unsafe sqlite3_column_double(handle, column) }

  /// The same for bytes; none if it holds none.
  func bytes(_ column: Int32) -> [UInt8] {
    let start = unsafe sqlite3_column_blob(handle, column)
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }
}
