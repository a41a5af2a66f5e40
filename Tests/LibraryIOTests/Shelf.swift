// SPDX-License-Identifier: MIT
import FermataTestKit
@testable import LibraryIO
import LibraryModel
import LibraryQuery
import MediaModel
import SQLiteIO
import Testing

/// A library in a folder of its own, and short words for what is written into it.
final class Shelf {
  let folder: TemporaryDirectory
  private(set) var store: LibraryStore?
  private(set) var damage: [DamagedFile] = []
  var now: Int64 = 1_000_000

  init() throws {
    folder = try TemporaryDirectory()
    try reopen()
  }

  func close() { store = nil }

  func reopen() throws {
    store = nil
    let opened = try LibraryStore.open(in: folder.path("data"))
    (store, damage) = (opened.store, opened.damage)
  }

  var open: LibraryStore {
    get throws { try #require(store) }
  }

  var time: QueryTime { QueryTime(now: now) }

  static func stamp(_ number: Int) -> FileStamp {
    FileStamp(size: Int64(number), modified: Int64(number) * 7, inode: UInt64(number), device: 1)
  }

  static func print(_ number: Int) -> AudioFingerprint? {
    AudioFingerprint(rawValue: (0..<16).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
  }

  static func record(_ number: Int, _ edit: (inout MediaTags) -> Void = { _ in }) -> FileRecord {
    var tags = MediaTags()
    edit(&tags)
    return FileRecord(tags: tags, hasPicture: false, fingerprint: print(number))
  }

  @discardableResult
  func apply(_ changes: FileChange...) throws -> AppliedChanges { try open.apply(changes, at: now) }

  /// Adds an item and returns its number.
  func add(_ number: Int, _ path: FilePath, _ edit: (inout MediaTags) -> Void = { _ in }) throws
    -> MediaItem.ID
  {
    try #require(try apply(.add(path, Self.stamp(number), Self.record(number, edit))).added.first)
  }

  func titles(_ query: ItemQuery = ItemQuery()) throws -> [String] {
    try open.page(of: query, at: time).items.map(\.item.displayTitle)
  }

  func titles(_ text: String) throws -> [String] { try titles(ItemQuery(try Predicate(text))) }
  func search(_ text: String) throws -> [String] { try titles(ItemQuery(search: text)) }
}
