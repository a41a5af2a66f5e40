// SPDX-License-Identifier: MIT
package import LibraryQuery
package import MediaModel
package import SQLiteIO

/// A folder of music that the listener added to the library.
package struct LibraryFolder: Sendable, Hashable {
  package var path: FilePath
  /// How many items below the folder are shown. Items whose files are missing are hidden and do not count.
  package var tracks: Int
  /// When a scan of the folder last ended, in seconds since 1970; nil if never.
  package var lastScan: Int64?
  /// Why the last scan of the folder failed; nil if it did not.
  package var why: String?
}

package struct LibraryCounts: Sendable, Hashable {
  package var tracks = 0
  package var albums = 0
  package var artists = 0
}

/// The library's folders, and the numbers of what is in it. `fermata library status` shows them.
package struct LibraryOverview: Sendable, Hashable {
  package var folders: [LibraryFolder]
  package var counts: LibraryCounts
  package var loudness: LoudnessCounts
}

/// The library on disk: `library.db`, which can be made again from the music files, and `listening.db`, which has everything that only the listener
/// knows.
///
/// Owns the connection. Every call blocks, and belongs to the thread that opened it; the databases are closed with this object. A call that throws
/// has changed nothing. The program must make sure that only one process at a time opens a folder.
package final class LibraryStore {
  let database: Database
  let reader: ItemReader
  let writer: ItemWriter
  let listening: ListeningTable
  /// The result of the last search. It is kept because the pages of a list are asked for one after the other, and because who types on looks for fewer
  /// and fewer of these items.
  private var lastSearch: (words: [[UInt8]], found: FoundSet)?
  private var pages = PageMemory()
  /// The last answer of `overview`, and the connection's number of changes at that time.
  var lastOverview: (changes: Int, overview: LibraryOverview)?
  /// The set of items that the running SQL statement may ask about; see `LibraryTables.foundFunction`.
  private let asked = AskedSet()
  private let tell: (String) -> Void

  /// Opens the library in a folder, or creates it. A database that is damaged, belongs to another program or is of a newer version is renamed, which
  /// `damage` tells; ratings and counts survive that. `distrusted` is for opening again after an error of damage: then everything is read to find the
  /// damage. `tell` is called with a line for the log for each repair during use.
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
    try database.defineText(LibraryTables.plainURIFunction) { path in
      FilePath(path).map { TextFolding.bytes($0.plainURI) } ?? []
    }
    reader = try ItemReader(database)
    writer = try ItemWriter(database, reader)
    listening = try ListeningTable(database)
    try listening.synchronize()
  }

  /// Holds the set of items that an SQL function looks into. The function exists as long as the connection; the set changes with each query.
  private final class AskedSet {
    var found = FoundSet()
  }

  /// Runs `body` as one transaction. If it fails, drops everything that was only in memory. `body` may be run twice. `isInterrupted` is called now and
  /// then, the last time before the transaction is committed; if it returns true, the transaction fails with an error whose `isInterruption` is true.
  func transaction<Result>(
    isInterrupted: (() -> Bool)? = nil, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    forgetAnswers()
    return try mendingSearch { () throws(StoreError) in
      do throws(StoreError) {
        return try database.transaction { () throws(StoreError) in
          let result = try database.interrupts(when: isInterrupted, body)
          if isInterrupted?() == true { throw .interrupted(database.path) }
          return result
        }
      } catch {
        writer.forget()
        throw error
      }
    }
  }

  /// Runs `body`. If it fails because the search texts contradict each other, makes them again from the items and runs it once more. This is needed
  /// because a check of the whole file finds nothing wrong with such texts.
  private func mendingSearch<Result>(_ body: () throws(StoreError) -> Result) throws(StoreError) -> Result {
    do throws(StoreError) { return try body() } catch {
      guard writer.search.isDamaged else { throw error }
      try database.transaction { () throws(StoreError) in try writer.rebuildTexts() }
      forgetAnswers()
      tell("the texts that a search looks through were damaged; they have been made again")
      return try body()
    }
  }

  /// Drops the search results and lists that are remembered, because the library changes.
  func forgetAnswers() {
    lastSearch = nil
    pages.forget()
  }

  /// Gives back memory that only makes repeated questions faster. Call it when a scan is over.
  package func releaseMemory() {
    writer.forget()
    forgetAnswers()
    asked.found = FoundSet()
    database.releaseMemory()
  }

  // MARK: Questions

  /// The part of the library that a query asks for, and the number of all its items. `isInterrupted` is called now and then; if it returns true, this
  /// throws an error whose `isInterruption` is true. So a search does not wait for an earlier search for fewer letters.
  package func page(
    of query: ItemQuery, at time: QueryTime, isInterrupted: (() -> Bool)? = nil
  ) throws(StoreError) -> ItemPage {
    try answer(query, time, isInterrupted) { (sql, found) throws(StoreError) in
      var page = ItemPage()
      // The pages of one list are cut from the whole list, which is remembered.
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

  /// The IDs of all items that a query finds, in order.
  package func ids(
    of query: ItemQuery, at time: QueryTime, isInterrupted: (() -> Bool)? = nil
  ) throws(StoreError) -> [MediaItem.ID] {
    try answer(query, time, isInterrupted) { (sql, _) throws(StoreError) in
      try ids(sql.ids).map { MediaItem.ID(rawValue: $0) }
    }
  }

  /// The items that a query finds, gathered into collections. The query's limit and offset count collections.
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
    // A page past the end, or one of no rows, has no row that could give the number of all.
    if page.collections.isEmpty, query.offset > 0 || query.limit == 0 {
      var first = query
      (first.offset, first.limit) = (0, 1)
      page.total = try collections(of: first, by: grouping, at: time, isInterrupted: isInterrupted).total
    }
    return page
  }

  /// An item with everything that is known about it, its lyrics too; nil if there is none with this ID.
  package func item(_ id: MediaItem.ID) throws(StoreError) -> LibraryItem? {
    try reader.item(id.rawValue, withLyrics: true)
  }

  /// Calls `body` with the SQL for a query and the result of the search for its words. With `among`, only these items are looked at.
  func answer<Answer>(
    _ query: ItemQuery, _ time: QueryTime, _ isInterrupted: (() -> Bool)?, among: FoundSet? = nil,
    _ body: (QuerySQL, FoundItems) throws(StoreError) -> Answer
  ) throws(StoreError) -> Answer {
    try database.interrupts(when: isInterrupted) { () throws(StoreError) in
      var (query, found) = (query, try search(query.words, isInterrupted))
      if let among {
        found = narrow(found, to: among)
      } else if found == .all, let named = query.namedItems, named.count <= FoundItems.fewAtMost {
        (query.predicate, found) = (.all([]), .few(named))
      }
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
    let words = words.map { Array($0.utf8) }
    if lastSearch?.words != words {
      let found = try mendingSearch { () throws(StoreError) in
        let candidates = lastSearch.flatMap { Self.isTypedOn($0.words, words) ? $0.found : nil }
        return try writer.search.find(words, among: candidates, isInterrupted: isInterrupted)
      }
      lastSearch = (words, found)
    }
    asked.found = lastSearch?.found ?? FoundSet()
    let count = asked.found.count
    return count > FoundItems.fewAtMost ? .many(count: count) : .few(asked.found.ids)
  }

  /// Whether the words `now` are the words `last` with letters added at the end of some, or with more words after them. Then every item that has the
  /// words `now` has the words `last` as well, so no other item need be looked at.
  private static func isTypedOn(_ last: [[UInt8]], _ now: [[UInt8]]) -> Bool {
    now.count >= last.count && zip(last, now).allSatisfy { $1.starts(with: $0) }
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
    for (index, value) in sql.values.enumerated() { try statement.bind(at: Int32(index + 1), value) }
    return statement
  }
}
