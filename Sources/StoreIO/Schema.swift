// SPDX-License-Identifier: MIT
import SQLiteIO

/// The layout of `state.db`, and how an old file is brought up to date.
///
/// `base` is the whole queue as it was after the command with the number `sequence`. It is cut into parts that have successive
/// keys. The `journal` has the commands that came after. A base that is being written has parts already, but no row in `base`.
enum Schema {
  /// The bytes "frmt": says that a database is one of ours.
  static let application: Int64 = 0x6672_6d74

  /// SQLite's number for a vacuum in steps (`INCREMENTAL`).
  private static let incremental: Int64 = 2

  /// The statements at index n turn a file of version n into version n+1. Never change old ones; only add new ones at the end.
  private static let migrations = [
    """
    CREATE TABLE base (
      id INTEGER PRIMARY KEY CHECK (id = 1), first INTEGER NOT NULL, parts INTEGER NOT NULL,
      sequence INTEGER NOT NULL, checksum INTEGER NOT NULL);
    CREATE TABLE part (key INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
    CREATE TABLE journal (sequence INTEGER PRIMARY KEY, command BLOB NOT NULL, checksum INTEGER NOT NULL);
    CREATE TABLE note (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
    """
  ]

  /// Prepares a connection: who may lock, what is synced, how much memory is used.
  static func configure(_ database: Database) throws(StoreError) {
    // Another program may lock the file to copy it, and is soon done with that.
    try database.run("PRAGMA busy_timeout = 3000")
    // An exclusive lock, if it is asked for before anything is read, makes the shared memory file unnecessary, and keeps other
    // programs from writing between our transactions.
    try database.run("PRAGMA locking_mode = EXCLUSIVE")
    // The vacuum mode can only be set while nothing is written yet. Setting it again writes it again, with three syncs that the start
    // would wait for.
    if try database.number("PRAGMA auto_vacuum") != incremental {
      try database.run("PRAGMA auto_vacuum = INCREMENTAL")
    }
    // FULL syncs each commit: what was acknowledged outlives a power cut, too.
    try database.run(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 4194304;
      PRAGMA cache_size = -512; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;
      PRAGMA trusted_schema = OFF;
      """)
    // The user should hear of this at the start, and not only when something has to be stored.
    if database.isReadOnly {
      throw .readOnly(database.path)
    }
  }

  /// Brings the database to the current version; an empty one gets its tables. Throws an error of damage if the file is not one
  /// of ours, or was made by a newer version of this program.
  static func migrate(_ database: Database) throws(StoreError) {
    try DatabaseVersion(application: application, migrations).bring(database)
  }
}
