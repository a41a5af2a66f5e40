// SPDX-License-Identifier: MIT
package import LibraryQuery
package import MediaModel
package import SQLiteIO

// What the listener says about items, and the smart playlists.

/// A query that was saved under a name. Its items are looked for anew each time.
package struct SmartPlaylist: Sendable, Hashable {
  package var name: String
  package var predicate: Predicate

  package init(_ name: String, _ predicate: Predicate) { (self.name, self.predicate) = (name, predicate) }
}

extension LibraryStore {
  // Each of these returns false if there is no such item.

  /// Rates an item from 0, which means not rated, to 5. A number outside is taken for the nearest.
  package func rate(_ id: MediaItem.ID, _ rating: Int) throws(StoreError) -> Bool {
    let ratings = ListeningRecord.ratings
    return try change(
      id, "rating = ?2", .integer(Int64(min(max(rating, ratings.lowerBound), ratings.upperBound))))
  }

  /// Counts that an item was heard.
  package func countPlay(_ id: MediaItem.ID, at now: Int64) throws(StoreError) -> Bool {
    try change(id, "play_count = play_count + 1, last_played = ?2", .integer(now))
  }

  /// Counts that an item was left before its end.
  package func countSkip(_ id: MediaItem.ID) throws(StoreError) -> Bool {
    try change(id, "skip_count = skip_count + 1")
  }

  /// Keeps the place at which a long item is resumed; nil for its beginning.
  package func keepPlace(_ place: Duration?, of id: MediaItem.ID) throws(StoreError) -> Bool {
    guard let place else { return try change(id, "resume = NULL") }
    let inside = min(max(.zero, place), .seconds(365 * 86_400))
    return try change(id, "resume = ?2", .integer(Int64(inside / .microseconds(1))))
  }

  /// Where a long item is resumed; nil for its beginning.
  package func place(of id: MediaItem.ID) throws(StoreError) -> Duration? {
    try listening.resumePlace(id.rawValue)
  }

  /// Writes a note of the listener's own about an item; nil takes it away.
  package func note(_ id: MediaItem.ID, _ key: String, _ value: String?) throws(StoreError) -> Bool {
    var isThere = false
    try transaction { () throws(StoreError) in isThere = try listening.note(id.rawValue, key, value) }
    return isThere
  }

  package func notes(of id: MediaItem.ID) throws(StoreError) -> [String: String] {
    try listening.notes(id.rawValue)
  }

  private func change(
    _ id: MediaItem.ID, _ assignment: String, _ value: SQLValue = .null
  ) throws(StoreError) -> Bool {
    var isThere = false
    try database.transaction { () throws(StoreError) in
      isThere = try listening.change(id.rawValue, assignment, value)
    }
    return isThere
  }

  // MARK: Smart playlists

  /// All of them, by name. One whose text a newer program wrote, so that this one can't read it, is left out.
  package func smartPlaylists() throws(StoreError) -> [SmartPlaylist] {
    let rows = try database.prepare("SELECT name, query FROM listening.smart ORDER BY name")
    var playlists: [SmartPlaylist] = []
    while try rows.step() {
      if let predicate = try? Predicate(rows.text(1)) {
        playlists.append(SmartPlaylist(rows.text(0), predicate))
      }
    }
    return playlists
  }

  /// Saves a smart playlist in place of any other of its name.
  package func save(_ playlist: SmartPlaylist) throws(StoreError) {
    let statement = try database.prepare("REPLACE INTO listening.smart VALUES (?1, ?2)")
    try statement.bind(1, playlist.name)
    try statement.bind(2, playlist.predicate.description)
    try statement.run()
  }

  /// Returns false if there is none of this name.
  package func deleteSmartPlaylist(_ name: String) throws(StoreError) -> Bool {
    let statement = try database.prepare("DELETE FROM listening.smart WHERE name = ?1")
    try statement.bind(1, name)
    try statement.run()
    return statement.changes > 0
  }

  /// The smart playlists as collections, with what the query leaves of each.
  func playlists(
    _ query: ItemQuery, _ time: QueryTime, _ isInterrupted: (() -> Bool)?
  ) throws(StoreError) -> CollectionPage {
    let all = try smartPlaylists()
    var page = CollectionPage(total: all.count)
    let rest = all.dropFirst(max(0, query.offset))
    for playlist in rest.prefix(query.limit.map { max(0, $0) } ?? rest.count) {
      var part = query
      part.predicate = query.predicate.map { .all([$0, playlist.predicate]) } ?? playlist.predicate
      (part.limit, part.offset) = (1, 0)
      let first = try self.page(of: part, at: time, isInterrupted: isInterrupted)
      page.collections.append(
        ItemCollection(
          title: playlist.name, section: OrderKey.section(of: OrderKey.bytes(playlist.name)),
          count: first.total,
          duration: try duration(of: part, at: time), representative: first.items.first))
    }
    return page
  }
}
