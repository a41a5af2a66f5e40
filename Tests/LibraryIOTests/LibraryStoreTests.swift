// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import LibraryIO
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

@Suite("The library on disk")
struct LibraryStoreTests {
  @Test("an item is given back as it was written")
  func wholeItem() throws {
    let shelf = try Shelf()
    var tags = MediaTags()
    tags.title = "Söng"
    tags.artist = ["A", "B"]
    tags.album = "Album"
    tags.albumArtist = ["A"]
    tags.composer = ["C", "D", "E"]
    tags.genre = ["Rock"]
    tags.duration = .milliseconds(183_456)
    (tags.track, tags.trackCount, tags.disc, tags.discCount) = (3, 12, 1, 2)
    tags.date = MediaDate(text: "1997-05-20")
    tags.bpm = 120.5
    tags.comment = "a comment"
    tags.lyrics = "la la"
    tags.loudness = Loudness(trackGain: -6.5, trackPeak: 0.9)
    let path: FilePath = "/music/a.flac"
    let record = FileRecord(
      tags: tags, format: AudioFormat(rate: 44_100, channels: 2), kilobits: 900, hasPicture: true,
      fingerprint: Shelf.print(1))
    let id = try #require(try shelf.apply(.add(path, Shelf.stamp(1), record)).added.first)
    try shelf.reopen()
    let found = try #require(try shelf.open.item(id))
    #expect(found.item == MediaItem(id: id, location: .file(path), tags: tags))
    #expect(
      found.hasPicture && found.added == 1_000_000 && found.names.album != nil && found.names.podcast == nil)
    let known = try shelf.open.knownFiles(below: "/music")
    #expect(known == [KnownFile(id: id, path: path, stamp: Shelf.stamp(1), fingerprint: Shelf.print(1))])
    #expect(try shelf.search("sing") == [] && shelf.search("b SONG alb") == ["Söng"])
  }
}
