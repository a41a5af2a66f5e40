// SPDX-License-Identifier: MIT
import SQLiteIO

/// The layout of `state.db`, and the steps that bring an old file up to date.
///
/// `base` is the whole queue as it was after the command with the number `sequence`. It is cut into parts that have successive keys. The `journal`
/// has the commands that came after it. A base that is still being written has parts already, but no row in `base`.
enum Schema {
  /// The bytes "frmt", which mark a database as one of fermata's.
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

  /// Prepares a connection: which locks it takes, when it syncs, how much memory it uses.
  static func configure(_ database: Database) throws(StoreError) {
    // Another program may lock the file for a moment to copy it.
    try database.run("PRAGMA busy_timeout = 3000")
    // Taken before anything is read, an exclusive lock makes SQLite's shared memory file unnecessary. It also keeps other programs from writing
    // between our transactions.
    try database.run("PRAGMA locking_mode = EXCLUSIVE")
    // The vacuum mode can only be set while the file is empty. Setting it again would write it again, with three syncs that the agent's start would
    // wait for.
    if try database.number("PRAGMA auto_vacuum") != incremental {
      try database.run("PRAGMA auto_vacuum = INCREMENTAL")
    }
    // FULL syncs each commit, so that a change that was acknowledged also survives a power cut.
    try database.run(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 4194304;
      PRAGMA cache_size = -512; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;
      PRAGMA trusted_schema = OFF;
      """)
    // The user should learn at the start that nothing can be written, and not only when the first change cannot be stored.
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
