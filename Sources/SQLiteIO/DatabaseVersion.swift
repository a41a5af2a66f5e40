// SPDX-License-Identifier: MIT
import CSQLite

/// The program that a database belongs to, and the steps that bring a file of an older version up to date.
package struct DatabaseVersion {
  /// A number in the file's header that no other program uses.
  private let application: Int64
  /// The statements at index n turn a file of version n into version n+1.
  private let migrations: [String]

  package init(application: Int64, _ migrations: [String]) {
    (self.application, self.migrations) = (application, migrations)
  }

  /// Brings the database to the current version; an empty one gets its tables. Throws an error of damage if the file is not one
  /// of ours, or was made by a newer version of this program, which the error's cause then says.
  package func bring(_ database: Database) throws(StoreError) {
    let version = try database.number("PRAGMA user_version")
    let tables = try database.number("SELECT count(*) FROM sqlite_schema")
    let isEmpty = version == 0 && tables == 0
    if !isEmpty, try database.number("PRAGMA application_id") != application {
      throw .damage(in: database.path, "it belongs to another program")
    }
    guard version >= (isEmpty ? 0 : 1), version <= migrations.count else {
      throw StoreError(
        code: SQLITE_FORMAT, .read, file: database.path,
        reason: "its version is \(version); this fermata knows up to \(migrations.count)",
        cause: version > migrations.count ? .newer : .other)
    }
    guard version < migrations.count else { return }
    try database.transaction { () throws(StoreError) in
      for migration in migrations[Int(version)...] { try database.run(migration) }
      try database.run("PRAGMA application_id = \(application); PRAGMA user_version = \(migrations.count)")
    }
  }
}

extension Database {
  /// Throws an error of damage if the pages of the file contradict each other. Indexes that do not agree with their tables are made again first. Reads
  /// the whole file, and blocks.
  package func check() throws(StoreError) {
    guard try damage() != nil else { return }
    try? run("REINDEX")
    if let damage = try damage() { throw .damage(in: path, damage) }
  }

  /// What is wrong with the file; nil if nothing is. A quick check would not compare indexes with their tables.
  private func damage() throws(StoreError) -> String? {
    let statement = try prepare("PRAGMA integrity_check(1)")
    let verdict = try statement.step() ? String(decoding: statement.bytes(0), as: UTF8.self) : ""
    return verdict == "ok" ? nil : verdict
  }
}
