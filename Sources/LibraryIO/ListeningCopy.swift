// SPDX-License-Identifier: MIT
import FileIO
import Glibc
import MediaModel
import SQLiteIO

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
    try into.bind(1, file.path.text)
    try into.run()
    try edit(Database(file.path.text))
    do throws(SystemError) { try file.publish(as: place) } catch {
      throw StoreError(errno: error.code, .write, file: place.text)
    }
  }
}
