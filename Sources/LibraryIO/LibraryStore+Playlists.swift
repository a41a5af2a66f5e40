// SPDX-License-Identifier: MIT
package import LibraryQuery
package import MediaModel
package import SQLiteIO

// Playlists: the smart ones, which are stored here, and the items of plain ones, which are files.

/// A playlist that is a list of files, or parts of them. A smart playlist is a query instead.
package struct PlainPlaylist: Sendable, Hashable {
  package var name: String
  package var files: [ItemSource]

  package init(_ name: String, _ files: [ItemSource]) { (self.name, self.files) = (name, files) }
}

/// The number of items in a playlist, and their total length.
package struct PlaylistExtent: Sendable, Hashable {
  package var count: Int
  package var duration: Duration
}

extension LibraryStore {
  // MARK: Kept ones

  /// All smart playlists, by name. A playlist that a newer program saved, and that this one can't read, is left out.
  package func smartPlaylists() throws(StoreError) -> [SmartPlaylist] {
    let rows = try database.prepare("SELECT name, query, sort, most FROM listening.smart ORDER BY name")
    var playlists: [SmartPlaylist] = []
    while try rows.step() {
      let limit = rows.isNull(3) ? nil : Int(exactly: rows.number(3))
      if let playlist = try? SmartPlaylist(
        rows.text(0), expression: rows.text(1), sort: rows.text(2), limit: limit)
      {
        playlists.append(playlist)
      }
    }
    return playlists
  }

  /// The smart playlist of this name; nil if there is none.
  package func smartPlaylist(_ name: String) throws(StoreError) -> SmartPlaylist? {
    try smartPlaylists().first { $0.name == name }
  }

  /// Saves a smart playlist. Returns false, and saves nothing, if there is one with this name and `replacing` is false.
  @discardableResult
  package func save(_ playlist: SmartPlaylist, replacing: Bool = true) throws(StoreError) -> Bool {
    let statement = try database.prepare(
      "INSERT OR \(replacing ? "REPLACE" : "IGNORE") INTO listening.smart (name, query, sort, most) VALUES (?1, ?2, ?3, ?4)"
    )
    try statement.run(
      storedForm(of: playlist.name), playlist.predicate.description, playlist.sortText,
      playlist.limit.map(Int64.init))
    return statement.changes > 0
  }

  /// Deletes a smart playlist. Returns false if there is none with this name.
  package func deleteSmartPlaylist(_ name: String) throws(StoreError) -> Bool {
    let statement = try database.prepare("DELETE FROM listening.smart WHERE name = ?1")
    try statement.run(storedForm(of: name))
    return statement.changes > 0
  }

  /// The name as it is stored, if a playlist of this name is.
  private func storedForm(of name: String) throws(StoreError) -> String {
    try database.prepare("SELECT name FROM listening.smart").storedForm(of: name)
  }

  // MARK: What they hold

  /// The number and length of a smart playlist's items now.
  package func extent(of playlist: SmartPlaylist, at time: QueryTime) throws(StoreError) -> PlaylistExtent {
    guard playlist.limit == nil else {
      return try extent(of: ItemQuery(), at: time, among: items(of: playlist, at: time))
    }
    return try unlessTooDeep(PlaylistExtent(count: 0, duration: .zero)) { () throws(StoreError) in
      try extent(of: playlist.query(), at: time)
    }
  }

  /// Why the database can't answer a query at all: it nests too deep for SQLite, though not for our own parser. Nil if it can.
  package func refusal(of query: ItemQuery, at time: QueryTime) throws(StoreError) -> String? {
    try unlessTooDeep("it nests too deep; write it flatter") { () throws(StoreError) in
      try answer(query, time, nil) { (sql, _) throws(StoreError) in
        _ = try prepare(sql.ids)
        _ = try prepare(sql.extent)
      }
      return nil
    }
  }

  /// A playlist that came from elsewhere may ask what the database can't answer. It has `otherwise` then, and the others are told all the same.
  private func unlessTooDeep<Answer>(
    _ otherwise: Answer, _ body: () throws(StoreError) -> Answer
  ) throws(StoreError) -> Answer {
    do throws(StoreError) { return try body() } catch {
      if error.isOfStatement { return otherwise }
      throw error
    }
  }

  /// The playlists as collections, in the order of their names; each has only its items that the query finds. If the query has a condition, playlists
  /// without such items are left out. The query's limit and offset count playlists.
  package func playlists(
    _ query: ItemQuery, beside plain: [PlainPlaylist] = [], at time: QueryTime,
    isInterrupted: (() -> Bool)? = nil
  ) throws(StoreError) -> CollectionPage {
    var all: [ItemCollection] = []
    for playlist in try smartPlaylists() {
      try all.append(collection(playlist.name, query, time, isInterrupted, items(of: playlist, at: time)))
    }
    for playlist in plain {
      try all.append(collection(playlist.name, query, time, isInterrupted, items(at: playlist.files)))
    }
    return Self.page(of: all, query)
  }

  /// What `playlists` answers where there is no library: no playlist has an item of it.
  package static func playlists(_ query: ItemQuery, withoutLibrary plain: [PlainPlaylist]) -> CollectionPage {
    page(
      of: plain.map {
        ItemCollection(title: $0.name, section: section(of: $0.name), count: 0, duration: .zero)
      }, query)
  }

  private static func page(of collections: [ItemCollection], _ query: ItemQuery) -> CollectionPage {
    var all = collections
    if query.predicate != nil || !query.words.isEmpty { all.removeAll { $0.count == 0 } }
    // By the keys from which the section letters come.
    all.sort { one, other in
      let (key, next) = (OrderKey.bytes(one.title), OrderKey.bytes(other.title))
      return key == next
        ? NaturalOrder.precedes(one.title, other.title) : key.lexicographicallyPrecedes(next)
    }
    let rest = all.dropFirst(max(0, query.offset))
    return CollectionPage(
      collections: Array(rest.prefix(query.limit.map { max(0, $0) } ?? rest.count)), total: all.count)
  }

  private static func section(of name: String) -> String { OrderKey.section(of: OrderKey.bytes(name)) }

  private func collection(
    _ name: String, _ query: ItemQuery, _ time: QueryTime, _ isInterrupted: (() -> Bool)?, _ set: FoundSet
  ) throws(StoreError) -> ItemCollection {
    let held = try extent(of: query, at: time, isInterrupted, among: set)
    var first = query
    (first.limit, first.offset) = (1, 0)
    let id = try answer(first, time, isInterrupted, among: set) { (sql, _) throws(StoreError) in
      try ids(sql.ids).first
    }
    return ItemCollection(
      title: name, section: Self.section(of: name), count: held.count,
      duration: held.duration,
      representative: try id.flatMap { (id) throws(StoreError) in try reader.item(id) })
  }

  /// How many items a query finds, and how long they last. With `among`, only items of that set count.
  private func extent(
    of query: ItemQuery, at time: QueryTime, _ isInterrupted: (() -> Bool)? = nil, among set: FoundSet? = nil
  ) throws(StoreError) -> PlaylistExtent {
    try answer(query, time, isInterrupted, among: set) { (sql, _) throws(StoreError) in
      let row = try prepare(sql.extent)
      guard try row.step() else { return PlaylistExtent(count: 0, duration: .zero) }
      return PlaylistExtent(count: Int(row.number(0)), duration: .microseconds(row.number(1)))
    }
  }

  private func items(of playlist: SmartPlaylist, at time: QueryTime) throws(StoreError) -> FoundSet {
    var set = FoundSet()
    let found = try unlessTooDeep([MediaItem.ID]()) { () throws(StoreError) in
      try ids(of: playlist.query(), at: time)
    }
    for id in found { set.insert(id.rawValue) }
    return set
  }

  /// The items with these numbers at these rows, and the number of all of them.
  package func page(of ids: [Int64], rows: Range<Int>) throws(StoreError) -> ItemPage {
    var page = ItemPage()
    page.total = ids.count
    for id in ids[rows.clamped(to: 0..<ids.count)] {
      if let item = try reader.item(id) { page.items.append(item) }
    }
    return page
  }

  private func items(at files: [ItemSource]) throws(StoreError) -> FoundSet {
    var set = FoundSet()
    for id in try ids(at: files) { set.insert(id) }
    return set
  }

  /// The numbers of these files' items; of a whole file also those of its parts, in their order. Files that the library does not know, or does not
  /// show, are left out.
  package func ids(at files: [ItemSource]) throws(StoreError) -> [Int64] {
    let rows = try database.prepare(
      """
      SELECT id FROM item WHERE path = ?1 AND part_start BETWEEN ?2 AND ?3 AND state = \(LibraryTables.State.shown.rawValue)
      ORDER BY part_start
      """)
    var ids: [Int64] = []
    for file in files {
      let start = LibraryTables.part(file.part?.start)
      try rows.bind(file.path.bytes, start, file.part == nil ? .max : start)
      while try rows.step() { ids.append(rows.number(0)) }
    }
    return ids
  }
}
