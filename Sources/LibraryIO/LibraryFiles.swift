// SPDX-License-Identifier: MIT
import FileIO
import Glibc
import LibraryQuery
import MediaModel
import SQLiteIO

/// Opens the library's two databases as one connection, and sets damaged or unusable files aside.
enum LibraryFiles {
  private struct Kind {
    let name: String
    let version: DatabaseVersion
    /// What follows if the file is damaged, as the beginning of a sentence that goes on "is kept as" and the new path of the damaged file.
    let consequence: String
  }

  private static let library = Kind(
    name: "library.db",
    version: DatabaseVersion(
      application: LibraryTables.libraryApplication, LibraryTables.libraryMigrations),
    consequence: "the library is made anew by the next scan, the old file")
  private static let listening = Kind(
    name: "listening.db",
    version: DatabaseVersion(
      application: LibraryTables.listeningApplication, LibraryTables.listeningMigrations),
    consequence:
      "folders and notes are taken from the last copy if it is good, ratings and counts from the library; the old file"
  )

  /// Opens both databases, or creates them. `distrusted` means that an error of damage came up while the library was used: then `library.db` is
  /// checked completely, which takes a while. Blocks.
  static func open(
    in folder: String, distrusted: Bool
  ) throws(StoreError) -> (database: Database, damage: [DamagedFile]) {
    try make(folder)
    var damage: [DamagedFile] = []
    // This file is opened alone first, so that an error tells which of the two files it is about. It is small, so it is always checked.
    let path = "\(folder)/\(listening.name)"
    // The file is missing also when it was set aside and there was no room for a new one.
    if isEmpty(path) { _ = try ListeningCopy.restore(path) }
    try replacingDamaged(path, listening, &damage, by: ListeningCopy.restore) { () throws(StoreError) in
      ListeningCopy.renew(try open(path, listening, isChecked: true))
    }
    let main = "\(folder)/\(library.name)"
    let database = try replacingDamaged(main, library, &damage) { () throws(StoreError) in
      try open(main, library, isChecked: distrusted)
    }
    let attach = try database.prepare("ATTACH ?1 AS listening")
    try attach.bind(1, path)
    try attach.run()
    // The listener's ratings and notes could not be found out again, so each commit of them is synced.
    try database.run("PRAGMA listening.journal_mode = WAL; PRAGMA listening.synchronous = FULL")
    return (database, damage)
  }

  private static func make(_ folder: String) throws(StoreError) {
    guard let path = FilePath(folder) else {
      throw StoreError(.makeFolder, file: folder, reason: "no path; name a folder")
    }
    do throws(SystemError) { try NewFolder.make(path) } catch {
      throw StoreError(errno: error.code, .makeFolder, file: folder)
    }
  }

  private static func open(_ path: String, _ kind: Kind, isChecked: Bool) throws(StoreError) -> Database {
    Database.makePrivate(path)
    let database = try Database(path)
    // SQLite opens a file that may not be written all the same, and later fails with errors that don't say why.
    if database.isReadOnly, let forbidden = StoreError(forbidding: path, .write) { throw forbidden }
    // Another program may lock the file for a moment to copy it.
    try database.run("PRAGMA busy_timeout = 3000; PRAGMA locking_mode = EXCLUSIVE")
    // Changes that a power cut takes from the library are found again by the next scan, so its commits are not synced one by one.
    try database.run(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 4194304;
      PRAGMA cache_size = -8192; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;
      PRAGMA trusted_schema = OFF; PRAGMA wal_autocheckpoint = 4000;
      """)
    if database.isReadOnly { throw .readOnly(path) }
    try database.defineText(LibraryTables.keyFunction) { OrderKey.renewed($0) }
    try database.defineText(LibraryTables.joinFunction) { LetterParts.joined($0) }
    try database.defineText(LibraryTables.foldedKeyFunction) { OrderKey.bytes(folded: $0) }
    try database.defineText(LibraryTables.searchRowFunction) { SearchTable.joined($0) }
    try kind.version.bring(database)
    if isChecked { try database.check() }
    return database
  }

  /// Whether the file at this path does not exist, or is empty.
  private static func isEmpty(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return errno == ENOENT }
    return status.st_size == 0
  }

  /// Runs `body`, which opens the file at this path. If the file itself is the cause of a failure, renames the file, calls `restore` with the path and
  /// runs `body` once more. A good file that may not be written is not renamed, because a new one would hide it.
  private static func replacingDamaged<Result>(
    _ path: String, _ kind: Kind, _ damage: inout [DamagedFile],
    by restore: (String) throws(StoreError) -> Bool = { _ throws(StoreError) in false },
    _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    do {
      return try body()
    } catch {
      guard DamagedFile.isToBlame(error) else { throw error }
      damage.append(try DamagedFile(settingAside: error, kind.consequence))
      guard try restore(path) else { return try body() }
      do { return try body() } catch {
        // A newer program may have made the copy. Whatever else it is, such as a full disk, the restored file stays.
        guard DamagedFile.isToBlame(error) else { throw error }
        for suffix in ["", "-wal", "-shm"] { unsafe unlink(path + suffix) }
        return try body()
      }
    }
  }
}
