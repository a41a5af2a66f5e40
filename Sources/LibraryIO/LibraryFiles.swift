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
    try attach.run(path)
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
    try database.defineText(LibraryTables.fileKeyFunction) { FilePath($0).map(ItemRow.fileKey) ?? [] }
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

/// A copy of `listening.db` beside it, for the day on which the database is damaged. Nothing else knows the folders, notes, resume places and smart
/// playlists. Ratings and counts are in the library as well, so they are not older than the library is.
enum ListeningCopy {
  /// How old the copy may become while the listener goes on changing the database. Making one takes a few milliseconds, more with many records.
  private static let oldest: Int64 = 3_600

  static func path(of database: String) -> String { database + ".copy" }

  /// Makes a new copy of an open database that was checked, if the last one is old and something has changed since. If that fails, for example
  /// because the disk is full, the last copy stays. Blocks.
  static func renew(_ database: Database) {
    let copy = path(of: database.path)
    guard isDue(copy, database.path), hasContent(database), let place = FilePath(copy) else { return }
    try? write(database, place)
  }

  /// Makes the database from its copy and sets its number of changes to 0, which tells `ListeningTable.synchronize` that the library may know better.
  /// Returns whether there is such a database now: not if there is no copy, or none that can be read. Throws if the database can't be written, for
  /// example because the disk is full; then nobody may make an empty one, of which the next copy would be made. Blocks.
  static func restore(_ database: String) throws(StoreError) -> Bool {
    let copy = path(of: database)
    var status = stat()
    guard unsafe lstat(copy, &status) == 0, let place = FilePath(database) else { return false }
    guard let source = try? Database(copy), (try? source.check()) != nil else { return false }
    // What SQLite kept beside the lost database is not about this one, and would be read into it.
    for suffix in ["-wal", "-shm"] { unsafe unlink(database + suffix) }
    try write(source, place) { made throws(StoreError) in try made.run("DELETE FROM counter") }
    return true
  }

  private static func isDue(_ copy: String, _ database: String) -> Bool {
    var (old, present) = (stat(), stat())
    guard unsafe stat(database, &present) == 0 else { return false }
    guard unsafe stat(copy, &old) == 0 else { return true }
    let age = Int64(time(nil) - old.st_mtim.tv_sec)
    // A copy from the future was made while the clock was wrong.
    return age < 0 || present.st_mtim.tv_sec >= old.st_mtim.tv_sec && age >= oldest
  }

  private static func hasContent(_ database: Database) -> Bool {
    let query = "SELECT EXISTS (SELECT 1 FROM folder) OR EXISTS (SELECT 1 FROM record)"
    return (try? database.number(query)) == 1
  }

  /// Writes what `source` contains to a new database, has `edit` change that one, and gives it the name `place`.
  private static func write(
    _ source: Database, _ place: FilePath, _ edit: (Database) throws(StoreError) -> Void = { _ in }
  ) throws(StoreError) {
    let file: NewFile
    do throws(SystemError) { file = try NewFile(besides: place, mode: 0o600) } catch {
      throw StoreError(errno: error.code, .write, file: place.text)
    }
    let into = try source.prepare("VACUUM INTO ?1")
    try into.run(file.path.text)
    try edit(Database(file.path.text))
    do throws(SystemError) { try file.publish(as: place) } catch {
      throw StoreError(errno: error.code, .write, file: place.text)
    }
  }
}
