// SPDX-License-Identifier: MIT
import LibraryQuery
import MediaModel
import SQLiteIO

/// The names and albums of items, with their IDs. An ID exists as long as an item has the name.
///
/// The number of items for each name is counted here in memory, and written once for a whole batch of changes. Names are remembered between batches,
/// because neighbouring files share most of theirs. Belongs to the store's thread.
final class NameTable {
  /// Bytes that are hashed at once. Strings are no keys here: Swift's strings are equal in composed and decomposed form, but the tables distinguish
  /// the two.
  private struct Bytes: Hashable {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func hash(into hasher: inout Hasher) {
      unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
  }

  private struct NameKey: Hashable {
    let kind: Int64
    let text: Bytes
  }

  private struct AlbumKey: Hashable {
    let title: Bytes?
    let artist: Bytes
  }

  private struct KnownAlbum {
    let id: Int64
    /// The order keys of its title, and of its place on the shelf.
    var title: [UInt8]
    var place: [UInt8]
  }

  /// A table whose rows have an ID and a count of the items that refer to them.
  private final class Counted {
    private let add: Statement
    private let drop: Statement
    private var differences: [Int64: Int64] = [:]

    init(_ table: String, _ database: Database) throws(StoreError) {
      add = try database.prepare("UPDATE \(table) SET uses = uses + ?2 WHERE id = ?1")
      drop = try database.prepare("DELETE FROM \(table) WHERE id = ?1 AND uses <= 0")
    }

    func count(_ id: Int64, _ difference: Int64) { differences[id, default: 0] += difference }
    func forget() { differences = [:] }

    /// Writes the counts. Returns whether a name was deleted because no item has it any more.
    func flush() throws(StoreError) -> Bool {
      var hasLess = false
      for (id, difference) in differences {
        if difference != 0 {
          try add.run(id, difference)
        }
        if difference <= 0 {
          try drop.run(id)
          hasLess = true
        }
      }
      differences = [:]
      return hasLess
    }
  }

  /// How many names are remembered at most: they take some 200 kB.
  private static let most = 2_000

  private let findName: Statement
  private let addName: Statement
  private let sortName: Statement
  private let findAlbum: Statement
  private let findAlbumsOfArtist: Statement
  private let addAlbum: Statement
  private let sortAlbum: Statement
  private let lastRow: Statement
  private let names: Counted
  private let albums: Counted
  private var knownNames: [NameKey: (id: Int64, key: [UInt8])] = [:]
  private var knownAlbums: [AlbumKey: KnownAlbum] = [:]
  /// Artists who are sorted by another text since the last `flush`, by their names, with their order keys.
  private var sortedAnew: [Bytes: (name: String, key: [UInt8])] = [:]

  init(_ database: Database) throws(StoreError) {
    findName = try database.prepare("SELECT id, key FROM name WHERE text = ?1 AND kind = ?2")
    addName = try database.prepare(
      "INSERT INTO name (text, kind, folded, key, uses) VALUES (?1, ?2, ?3, ?4, 0)")
    sortName = try database.prepare("UPDATE name SET key = ?2 WHERE id = ?1")
    findAlbum = try database.prepare(
      "SELECT id, key, place FROM album WHERE text = ?1 AND artist = ?2 AND is_named = ?3")
    findAlbumsOfArtist = try database.prepare("SELECT id, key, is_named FROM album WHERE artist = ?1")
    addAlbum = try database.prepare(
      "INSERT INTO album (text, artist, is_named, folded, key, place, uses) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0)"
    )
    sortAlbum = try database.prepare("UPDATE album SET key = ?2, place = ?3 WHERE id = ?1")
    lastRow = try database.prepare("SELECT last_insert_rowid()")
    names = try Counted("name", database)
    albums = try Counted("album", database)
  }

  /// The ID of a name. Counts one more item that has it.
  func retain(_ name: ItemRow.Name, _ kind: LibraryTables.NameKind) throws(StoreError) -> Int64 {
    let known = NameKey(kind: kind.rawValue, text: Bytes(Array(name.text.utf8)))
    var entry: (id: Int64, key: [UInt8])
    if let remembered = knownNames[known] {
      entry = remembered
    } else {
      if let found = try look(up: name, kind) { entry = found } else { entry = try insert(name, kind) }
      remember(known, entry)
    }
    if name.sort != nil, entry.key != name.key {
      entry.key = name.key
      remember(known, entry)
      try sortName.run(entry.id, entry.key)
      if kind == .albumArtist { sortedAnew[known.text] = (name.text, name.key) }
    }
    names.count(entry.id, 1)
    return entry.id
  }

  /// Has all albums of an artist stand where the artist's name does now, also those whose files have no text to sort it by.
  private func sortAlbums(of artist: String, by key: [UInt8]) throws(StoreError) {
    var albums: [(id: Int64, title: [UInt8]?)] = []
    try findAlbumsOfArtist.bind(artist)
    while try findAlbumsOfArtist.step() {
      let isNamed = findAlbumsOfArtist.number(2) != 0
      albums.append((findAlbumsOfArtist.number(0), isNamed ? findAlbumsOfArtist.bytes(1) : nil))
    }
    for album in albums {
      try sort(album.id, album.title, at: ItemRow.Album.place(artist: key, title: album.title))
    }
  }

  private func sort(_ album: Int64, _ title: [UInt8]?, at place: [UInt8]) throws(StoreError) {
    try sortAlbum.run(album, title ?? [], place)
  }

  private func remember(_ name: NameKey, _ entry: (id: Int64, key: [UInt8])) {
    if knownNames.count >= Self.most { knownNames = [:] }
    knownNames[name] = entry
  }

  private func remember(_ album: AlbumKey, _ entry: KnownAlbum) {
    if knownAlbums.count >= Self.most { knownAlbums = [:] }
    knownAlbums[album] = entry
  }

  private func look(
    up name: ItemRow.Name, _ kind: LibraryTables.NameKind
  ) throws(StoreError) -> (id: Int64, key: [UInt8])? {
    try findName.bind(name.text, kind.rawValue)
    guard try findName.step() else { return nil }
    defer { findName.reset() }
    return (findName.number(0), findName.bytes(1))
  }

  private func insert(
    _ name: ItemRow.Name, _ kind: LibraryTables.NameKind
  ) throws(StoreError) -> (id: Int64, key: [UInt8]) {
    let key = name.key
    try addName.run(name.text, kind.rawValue, TextFolding.fold(name.text), key)
    return (try lastID(), key)
  }

  /// Counts one item less that has this name.
  func release(_ id: Int64) { names.count(id, -1) }

  /// The ID of an album. Counts one more item that is on it. Its place is that of its artist's name, which must have been retained before.
  func retain(_ album: ItemRow.Album) throws(StoreError) -> Int64 {
    let known = AlbumKey(
      title: album.title.map { Bytes(Array($0.text.utf8)) },
      artist: Bytes(Array((album.artist?.text ?? "").utf8)))
    var entry: KnownAlbum
    if let remembered = knownAlbums[known] {
      entry = remembered
    } else {
      if let found = try look(up: album) { entry = found } else { entry = try insert(album) }
      remember(known, entry)
    }
    if let title = album.title, title.sort != nil, entry.title != title.key {
      entry.title = title.key
      entry.place = ItemRow.Album.place(artist: try key(of: album.artist), title: entry.title)
      remember(known, entry)
      try sort(entry.id, entry.title, at: entry.place)
    }
    albums.count(entry.id, 1)
    return entry.id
  }

  /// The order key of an album's artist; nil for a compilation.
  private func key(of artist: ItemRow.Name?) throws(StoreError) -> [UInt8]? {
    guard let artist else { return nil }
    let kind = LibraryTables.NameKind.albumArtist
    let known = NameKey(kind: kind.rawValue, text: Bytes(Array(artist.text.utf8)))
    if let remembered = knownNames[known] { return remembered.key }
    return try look(up: artist, kind)?.key ?? artist.key
  }

  private func look(up album: ItemRow.Album) throws(StoreError) -> KnownAlbum? {
    try findAlbum.bind(album.title?.text ?? "", album.artist?.text ?? "", album.title == nil ? 0 : Int64(1))
    guard try findAlbum.step() else { return nil }
    defer { findAlbum.reset() }
    return KnownAlbum(id: findAlbum.number(0), title: findAlbum.bytes(1), place: findAlbum.bytes(2))
  }

  private func insert(_ album: ItemRow.Album) throws(StoreError) -> KnownAlbum {
    let title = album.title?.key
    let place = ItemRow.Album.place(artist: try key(of: album.artist), title: title)
    try addAlbum.run(
      album.title?.text ?? "", album.artist?.text ?? "", album.title == nil ? 0 : Int64(1),
      TextFolding.fold(album.title?.text ?? ""), title ?? [], place)
    return KnownAlbum(id: try lastID(), title: title ?? [], place: place)
  }

  func release(album id: Int64) { albums.count(id, -1) }

  private func lastID() throws(StoreError) -> Int64 {
    defer { lastRow.reset() }
    return try lastRow.step() ? lastRow.number(0) : 0
  }

  /// Writes the counts and the places of albums whose artist is sorted anew, and deletes names and albums that no item has any more. Call it inside the
  /// transaction.
  func flush() throws(StoreError) {
    for artist in sortedAnew.values { try sortAlbums(of: artist.name, by: artist.key) }
    if !sortedAnew.isEmpty { (sortedAnew, knownAlbums) = ([:], [:]) }
    if try names.flush() { knownNames = [:] }
    if try albums.flush() { knownAlbums = [:] }
  }

  /// Drops counts that were not written, because the transaction failed, and remembered names.
  func forget() {
    (knownNames, knownAlbums, sortedAnew) = ([:], [:], [:])
    names.forget()
    albums.forget()
  }
}
