// SPDX-License-Identifier: MIT
import LibraryQuery
package import MediaModel
package import SQLiteIO

// The listener's ratings, counts, notes and resume places of items.

extension LibraryStore {
  // The functions that change an item return false if there is no such item.

  /// Rates an item with 1 to 5 stars; 0 means not rated. A number outside becomes the nearest one.
  package func rate(_ id: MediaItem.ID, _ rating: Int) throws(StoreError) -> Bool {
    let ratings = ListeningRecord.ratings
    return try change(
      id, "rating = ?2", .integer(Int64(min(max(rating, ratings.lowerBound), ratings.upperBound))))
  }

  package func countPlay(_ id: MediaItem.ID, at now: Int64) throws(StoreError) -> Bool {
    try change(id, "play_count = play_count + 1, last_played = ?2", .integer(now))
  }

  package func countSkip(_ id: MediaItem.ID) throws(StoreError) -> Bool {
    try change(id, "skip_count = skip_count + 1")
  }

  // What was heard may be a chapter of a book. A chapter is no item: each tells when its book was heard last, and the last one also counts for the book.
  // Who leaves a book or a podcast, or a chapter of one, does not skip it: it goes on there the next time.

  // `known` is the number that the file had when it began to play. It may have got another name meanwhile, and another file its name.

  /// Counts that a file or a part of one was played. Returns false, and counts nothing, if it is of no item.
  package func countPlay(
    of source: ItemSource, known: MediaItem.ID? = nil, at now: Int64
  ) throws(StoreError) -> Bool {
    guard let (id, isChapter) = try item(of: source, known) else { return false }
    let counts = !isChapter || source.part?.end == nil
    return counts ? try countPlay(id, at: now) : try change(id, "last_played = ?2", .integer(now))
  }

  /// Counts that a file or a part of one was skipped. Returns false, and counts nothing, if it is no item.
  package func countSkip(of source: ItemSource, known: MediaItem.ID? = nil) throws(StoreError) -> Bool {
    guard let (id, isChapter) = try item(of: source, known), !isChapter else { return false }
    let type = try database.number("SELECT media_type FROM item WHERE id = \(id.rawValue)")
    guard type == MediaType.music.number else { return false }
    return try countSkip(id)
  }

  private func item(
    of source: ItemSource, _ known: MediaItem.ID?
  ) throws(StoreError) -> (id: MediaItem.ID, isChapter: Bool)? {
    if let known, let start = try shownPart(known) {
      return (known, source.part.map { LibraryTables.part($0.start) != start } ?? false)
    }
    guard let id = try listings(of: [source]).first??.id else { return nil }
    return (id, try item(at: source.path, part: source.part?.start) != id)
  }

  /// Where the item with this number begins in its file, as the database has it; nil if no such item is shown.
  private func shownPart(_ id: MediaItem.ID) throws(StoreError) -> Int64? {
    let rows = try database.prepare("SELECT part_start FROM item WHERE id = ?1 AND state = ?2")
    try rows.bind(id.rawValue, LibraryTables.State.shown.rawValue)
    return try rows.step() ? rows.number(0) : nil
  }

  /// Stores the place where the whole file at a path resumes, as an item if it is one.
  package func keepPlace(
    _ place: Duration?, at path: FilePath, known: MediaItem.ID?, at now: Int64
  ) throws(StoreError) {
    if let known, try shownPart(known) != nil, try keepPlace(place, of: known, at: now) { return }
    guard let item = try item(at: path) else { return try keepPlace(place, ofNoItem: path) }
    _ = try keepPlace(place, of: item, at: now)
  }

  /// Stores the place where a long item resumes; nil for its beginning. `now` becomes the time of the last listening, because an import keeps the place
  /// that was heard later.
  package func keepPlace(_ place: Duration?, of id: MediaItem.ID, at now: Int64) throws(StoreError) -> Bool {
    guard let place else { return try change(id, "resume = NULL") }
    return try change(
      id, "resume = ?2, last_played = max(ifnull(last_played, 0), \(now))", .integer(Self.microseconds(place))
    )
  }

  /// A place as it is stored: within a year.
  private static func microseconds(_ place: Duration) -> Int64 {
    Int64(min(max(.zero, place), .seconds(365 * 86_400)) / .microseconds(1))
  }

  /// The same for a file that is no item, but was one or was imported. Nothing is stored of one that nobody knows.
  package func keepPlace(_ place: Duration?, ofNoItem path: FilePath) throws(StoreError) {
    try database.transaction { () throws(StoreError) in
      try listening.keepPlace(place.map(Self.microseconds), ofNoItem: path)
    }
  }

  /// The files and places of all items that have a stored place to resume, and which of them are podcasts or audiobooks. A file that no scan has found
  /// yet, such as one whose place was imported, has its place too, so that playing it meanwhile does not begin it anew and store that.
  package func resumePlaces() throws(StoreError) -> [(path: FilePath, place: Duration, isBook: Bool)] {
    let rows = try database.prepare(
      """
      SELECT ifnull(item.path, r.path), r.resume, ifnull(item.media_type <> \(MediaType.music.number), 0)
      FROM listening.record AS r LEFT JOIN item ON item.record = r.id
      WHERE r.resume IS NOT NULL
      AND (item.id IS NOT NULL OR NOT EXISTS (SELECT 1 FROM item AS other WHERE other.path = r.path))
      ORDER BY item.id IS NULL, r.id
      """)
    var places: [(FilePath, Duration, Bool)] = []
    while try rows.step() {
      guard let path = FilePath(rows.bytes(0)) else { continue }
      places.append((path, .microseconds(rows.number(1)), rows.number(2) != 0))
    }
    return places
  }

  /// Writes the listener's note on an item; nil removes it.
  package func note(_ id: MediaItem.ID, _ key: String, _ value: String?) throws(StoreError) -> Bool {
    try transaction { () throws(StoreError) in try listening.note(id.rawValue, key, value) }
  }

  package func notes(of id: MediaItem.ID) throws(StoreError) -> [String: String] {
    try listening.notes(id.rawValue)
  }

  private func change(
    _ id: MediaItem.ID, _ assignment: String, _ value: SQLValue = .null
  ) throws(StoreError) -> Bool {
    forgetAnswers()
    return try database.transaction { () throws(StoreError) in
      try listening.change(id.rawValue, assignment, value)
    }
  }
}
