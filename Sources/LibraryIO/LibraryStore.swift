// SPDX-License-Identifier: MIT
package import LibraryQuery
package import MediaModel
package import SQLiteIO

/// A folder of music that the listener added to the library.
package struct LibraryFolder: Sendable, Hashable {
  package var path: FilePath
  /// How many items are shown that lie below it.
  package var tracks: Int
  /// When it was last looked through to the end, in seconds since 1970; nil if never.
  package var lastScan: Int64?
  /// Why the last scan could not look through it; nil if it could.
  package var why: String?
}

/// What a batch of changes came to: the items for whoever shows the library.
package struct AppliedChanges: Sendable, Hashable {
  package var added: [MediaItem.ID] = []
  package var changed: [MediaItem.ID] = []
  package var removed: [MediaItem.ID] = []

  package init() {}
}

package struct LibraryCounts: Sendable, Hashable {
  package var tracks = 0
  package var albums = 0
  package var artists = 0
}

/// The library on disk: `library.db`, which can be made again from the music, and `listening.db`, which has what only the listener
/// knows.
///
/// Owns the connection. Every call blocks, and belongs to the thread that opened it; the databases are closed with this object. A
/// call that throws has changed nothing. The program has to see to it that one process at a time opens a folder.
package final class LibraryStore {
  let database: Database
  let reader: ItemReader
  let writer: ItemWriter
  let listening: ListeningTable
  /// What the last search found. Pages of one list are asked for one after the other.
  private var lastSearch: (words: [String], found: FoundSet)?
  private var pages = PageMemory()
  /// What the statement that runs may ask about; see `LibraryTables.foundFunction`.
  private let asked = AskedSet()
  private let tell: (String) -> Void

  /// Opens the library in a folder, or makes it. What is damaged, of another program or of a newer version gets another name,
  /// which `damage` tells; ratings and counts survive that. `distrusted` is for opening again after an error of damage: then
  /// everything is read to see where it is. `tell` is called with what was mended in use, for the log.
  package static func open(
    in folder: String, distrusted: Bool = false, tell: @escaping (String) -> Void = { _ in }
  ) throws(StoreError) -> (store: LibraryStore, damage: [DamagedFile]) {
    let opened = try LibraryFiles.open(in: folder, distrusted: distrusted)
    return (try LibraryStore(opened.database, tell), opened.damage)
  }

  private init(_ database: Database, _ tell: @escaping (String) -> Void) throws(StoreError) {
    (self.database, self.tell) = (database, tell)
    let asked = asked
    try database.defineTest(LibraryTables.foundFunction) { asked.found.contains($0) }
    try database.defineText(LibraryTables.uriFunction) { path in
      FilePath(path).map { TextFolding.bytes($0.uri) } ?? []
    }
    reader = try ItemReader(database)
    writer = try ItemWriter(database, reader)
    listening = try ListeningTable(database)
    try listening.synchronize()
  }

  /// Holds the set for the function, which lives as long as the connection.
  private final class AskedSet {
    var found = FoundSet()
  }

  /// Runs `body` as one transaction, and forgets what was only in memory where it fails. `body` may be run twice.
  func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    forgetAnswers()
    try mendingSearch { () throws(StoreError) in
      do throws(StoreError) {
        try database.transaction(body)
      } catch {
        writer.forget()
        throw error
      }
    }
  }

  /// Runs `body`. If it fails because the texts for the search contradict each other, these are made again from the items, and it is run
  /// once more. A check of the whole file finds nothing wrong with such texts, so nothing else would ever mend them.
  private func mendingSearch<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    do throws(StoreError) { return try body() } catch {
      guard writer.texts.isDamaged else { throw error }
      try database.transaction { () throws(StoreError) in try writer.rebuildTexts() }
      tell("the texts that a search looks through were damaged; they have been made again")
      return try body()
    }
  }

  /// Forgets what was answered before, because something changes.
  func forgetAnswers() {
    lastSearch = nil
    pages.forget()
  }

  /// Gives back memory that makes the next questions quicker. For when a scan is over.
  package func releaseMemory() {
    writer.forget()
    forgetAnswers()
    asked.found = FoundSet()
    database.releaseMemory()
  }

  // MARK: Questions

  /// The part of the library that a query asks for, and how many items it has in all. `isInterrupted` is asked now and then; where
  /// it says yes, the question ends with an error whose `isInterruption` is true. So a search that is typed on does not wait
  /// for what was typed before.
  package func page(
    of query: ItemQuery, at time: QueryTime, isInterrupted: (() -> Bool)? = nil
  ) throws(StoreError) -> ItemPage {
    try answer(query, time, isInterrupted) { (sql, found) throws(StoreError) in
      var page = ItemPage()
      // Pages of a list that goes on are cut from the whole list.
      let list = try pages.items(query, at: time.now) { most throws(StoreError) in
        try self.ids(QuerySQL(query.whole(atMost: most), found: found, at: time).ids)
      }
      let ids = if let list { list.page(of: query) } else { try self.ids(sql.ids)[...] }
      for id in ids {
        if let item = try reader.item(id) { page.items.append(item) }
      }
      if let list {
        page.total = list.count
      } else if let total = sql.total {
        let statement = try prepare(total)
        page.total = try statement.step() ? Int(statement.number(0)) : 0
      } else {
        page.total = asked.found.count
      }
      return page
    }
  }

  /// The ids of all items that a query asks for, in order.
  package func ids(
    of query: ItemQuery, at time: QueryTime, isInterrupted: (() -> Bool)? = nil
  ) throws(StoreError) -> [MediaItem.ID] {
    try answer(query, time, isInterrupted) { (sql, _) throws(StoreError) in
      try ids(sql.ids).map { MediaItem.ID(rawValue: $0) }
    }
  }

  /// How long all of a query's items last.
  func duration(of query: ItemQuery, at time: QueryTime) throws(StoreError) -> Duration {
    try answer(query, time, nil) { (sql, _) throws(StoreError) in
      let statement = try prepare(sql.duration)
      return try statement.step() ? .microseconds(statement.number(0)) : .zero
    }
  }

  /// The query's items gathered into collections. The query's limit and offset count collections.
  package func collections(
    of query: ItemQuery, by grouping: Grouping, at time: QueryTime, isInterrupted: (() -> Bool)? = nil
  ) throws(StoreError) -> CollectionPage {
    if grouping == .playlist { return try playlists(query, at: time, isInterrupted: isInterrupted) }
    var page = try answer(query, time, isInterrupted) { (sql, found) throws(StoreError) in
      let list = try pages.groups(query, grouping, at: time.now) { most throws(StoreError) in
        try self.groups(QuerySQL(query.whole(atMost: most), found: found, at: time), grouping).groups
      }
      let (groups, total) =
        if let list { (Array(list.page(of: query)), list.count) } else { try self.groups(sql, grouping) }
      var page = CollectionPage(total: total)
      for group in groups { page.collections.append(try collection(group)) }
      return page
    }
    // A page behind the end has no row that could tell how many there are.
    if page.collections.isEmpty, query.offset > 0 {
      var first = query
      (first.offset, first.limit) = (0, 1)
      page.total = try collections(of: first, by: grouping, at: time, isInterrupted: isInterrupted).total
    }
    return page
  }

  /// An item with everything that is known about it, its lyrics too; nil if there is none of this number.
  package func item(_ id: MediaItem.ID) throws(StoreError) -> LibraryItem? {
    try reader.item(id.rawValue, withLyrics: true)
  }

  /// Has a query answered by `body`, which gets its SQL and what the search for its words has found. With `among`, only these
  /// items are looked at.
  func answer<Answer>(
    _ query: ItemQuery, _ time: QueryTime, _ isInterrupted: (() -> Bool)?, among: FoundSet? = nil,
    _ body: (QuerySQL, FoundItems) throws(StoreError) -> Answer
  ) throws(StoreError) -> Answer {
    try database.interrupts(when: isInterrupted) { () throws(StoreError) in
      var found = try search(query.words, isInterrupted)
      if let among { found = narrow(found, to: among) }
      return try body(QuerySQL(query, found: found, at: time), found)
    }
  }

  private func narrow(_ found: FoundItems, to among: FoundSet) -> FoundItems {
    asked.found = found == .all ? among : among.filter(asked.found.contains)
    let count = asked.found.count
    return count > FoundItems.fewAtMost ? .many(count: count) : .few(asked.found.ids)
  }

  private func search(_ words: [String], _ isInterrupted: (() -> Bool)?) throws(StoreError) -> FoundItems {
    guard !words.isEmpty else { return .all }
    if lastSearch?.words != words {
      let found = try mendingSearch { () throws(StoreError) in
        try writer.texts.find(words, isInterrupted: isInterrupted)
      }
      lastSearch = (words, found)
    }
    asked.found = lastSearch?.found ?? FoundSet()
    let count = asked.found.count
    return count > FoundItems.fewAtMost ? .many(count: count) : .few(asked.found.ids)
  }

  func ids(_ sql: SQLStatement) throws(StoreError) -> [Int64] {
    let statement = try prepare(sql)
    var ids: [Int64] = []
    while try statement.step() { ids.append(statement.number(0)) }
    return ids
  }

  private func groups(
    _ sql: QuerySQL, _ grouping: Grouping
  ) throws(StoreError) -> (groups: [PageMemory.Group], total: Int) {
    guard let text = sql.collections(grouping) else { return ([], 0) }
    let statement = try prepare(text)
    var (groups, total) = ([PageMemory.Group](), 0)
    while try statement.step() {
      total = Int(statement.number(6))
      groups.append(
        PageMemory.Group(
          id: statement.isNull(0) ? nil : statement.number(0), title: statement.text(1),
          section: OrderKey.section(of: statement.bytes(2)), count: Int(statement.number(3)),
          duration: .microseconds(statement.number(4)),
          representative: statement.number(5) & (QuerySQL.noPicture - 1)))
    }
    return (groups, total)
  }

  private func collection(_ group: PageMemory.Group) throws(StoreError) -> ItemCollection {
    ItemCollection(
      id: group.id, title: group.title, section: group.section, count: group.count, duration: group.duration,
      representative: try reader.item(group.representative))
  }

  func prepare(_ sql: SQLStatement) throws(StoreError) -> Statement {
    let statement = try database.prepare(sql.text)
    for (index, value) in sql.values.enumerated() { try statement.bind(Int32(index + 1), value) }
    return statement
  }
}
