// SPDX-License-Identifier: MIT
package import LibraryModel
package import LibraryQuery
package import MediaModel
package import SQLiteIO

// Folders and their files: what a scan reads from the library and writes into it.

extension LibraryStore {
  // MARK: Folders

  /// The library's folders, without what it has below them: counting that takes a while.
  package func folderPaths() throws(StoreError) -> [FilePath] {
    let rows = try database.prepare("SELECT path FROM listening.folder ORDER BY path")
    var paths: [FilePath] = []
    while try rows.step() { if let path = FilePath(rows.bytes(0)) { paths.append(path) } }
    return paths
  }

  package func folders() throws(StoreError) -> [LibraryFolder] {
    let rows = try database.prepare("SELECT path, scanned, why FROM listening.folder ORDER BY path")
    var folders: [LibraryFolder] = []
    while try rows.step() {
      guard let path = FilePath(rows.bytes(0)) else { continue }
      folders.append(
        LibraryFolder(
          path: path, tracks: try tracks(below: path), lastScan: rows.isNull(1) ? nil : rows.number(1),
          why: rows.isNull(2) ? nil : rows.text(2)))
    }
    return folders
  }

  /// Adds a folder to the library. Does nothing if it is there already.
  package func addFolder(_ path: FilePath, at now: Int64) throws(StoreError) {
    let statement = try database.prepare(
      "INSERT INTO listening.folder (path, added) VALUES (?1, ?2) ON CONFLICT (path) DO NOTHING")
    try statement.run(path.bytes, now)
  }

  /// Removes a folder from the library, with all items below it that are in no other folder of the library. The listener's ratings and notes for them
  /// are kept, and apply again when the items come back. Returns the items; nil if the library has no such folder.
  package func removeFolder(
    _ path: FilePath, isInterrupted: (() -> Bool)? = nil
  ) throws(StoreError) -> [MediaItem.ID]? {
    let folders = try folderPaths()
    guard folders.contains(path) else { return nil }
    let others = folders.filter { $0 != path }
    let removed = try transaction(isInterrupted: isInterrupted) { () throws(StoreError) in
      let gone = try knownFiles(below: path).filter { file in !others.contains { file.path.isBelow($0) } }
      var ids: [MediaItem.ID] = []
      for file in gone { ids += try removeWhole(file.path) }
      if !ids.isEmpty { listening.noteGone() }
      try writer.flush()
      return ids
    }
    // The folders are in another database, and a power cut may leave the newer state of one and the older of the other. So the items go for good before their
    // folder does: if that stays, they come back with the next scan.
    try database.run("PRAGMA main.wal_checkpoint(PASSIVE)")
    let statement = try database.prepare("DELETE FROM listening.folder WHERE path = ?1")
    try statement.run(path.bytes)
    return removed
  }

  /// Removes the items that are below no folder of the library, and returns how many of them were shown. There are such items if the folders
  /// are those of an older copy. Does nothing if there are no folders at all: then these were lost, and the items wait for them.
  package func removeStrays() throws(StoreError) -> Int {
    var strays: [FilePath] = []
    guard try !folderPaths().isEmpty else { return 0 }
    for gap in try gapsBetweenFolders() {
      let end = gap.to == nil ? "" : " AND path < ?2"
      let rows = try database.prepare("SELECT DISTINCT path FROM item WHERE path >= ?1\(end)")
      try rows.bind(gap.from)
      if let end = gap.to { try rows.bind(at: 2, end) }
      while try rows.step() { if let path = FilePath(rows.bytes(0)) { strays.append(path) } }
    }
    guard !strays.isEmpty else { return 0 }
    return try transaction { () throws(StoreError) in
      var removed = 0
      for path in strays { removed += try removeWhole(path).count }
      listening.noteGone()
      try writer.flush()
      return removed
    }
  }

  /// The ranges of paths that are below no folder, in order; the last one has no end.
  private func gapsBetweenFolders() throws(StoreError) -> [(from: [UInt8], to: [UInt8]?)] {
    var gaps: [(from: [UInt8], to: [UInt8]?)] = []
    var from: [UInt8] = []
    for range in try folderPaths().map(Self.rangeBelow).sorted(by: { $0.0.lexicographicallyPrecedes($1.0) })
    // A folder that lies in the one before makes no gap.
    where from.isEmpty || !range.first.lexicographicallyPrecedes(from) {
      gaps.append((from, range.first))
      from = range.end
    }
    return gaps + [(from, nil)]
  }

  /// Gives the ratings, counts and notes of items that are gone to items that have none of their own: to those of the same sound, and what is left over
  /// to those with the same path. So whoever moves music to another disk by copying it, or adds a folder again, keeps them. Call it at the end of a
  /// scan of all folders, with those that it has read to the end; nil stands for all. Returns the items whose ratings and the like are others now.
  package func handOver(in folders: [FilePath]? = nil) throws(StoreError) -> Set<MediaItem.ID> {
    try settle { listening throws(StoreError) in try listening.handOver(in: folders) }
  }

  /// As much of `handOver` as can be decided after a scan of some folders only. `mayOweRecords` then says whether a scan of all has something to decide.
  package func handOverWhatIsNobodys() throws(StoreError) -> Set<MediaItem.ID> {
    try settle { listening throws(StoreError) in try listening.handOverWhatIsNobodys() }
  }

  /// Whether there are items of which `handOver` has yet to decide what the listener said of them.
  package var mayOweRecords: Bool { listening.mayBeFree }

  private func settle(
    _ decide: (ListeningTable) throws(StoreError) -> (changed: Set<Int64>, open: ListeningTable.OpenQuestions)
  ) throws(StoreError) -> Set<MediaItem.ID> {
    guard listening.mayBeFree else { return [] }
    let outcome = try transaction { () throws(StoreError) in try decide(listening) }
    listening.settle(outcome.open)
    return Set(outcome.changed.map(MediaItem.ID.init))
  }

  /// Notes the end of a scan of a folder at a time, nil if the folder could not be scanned, and what is wrong with the folder.
  package func noteScan(of folder: FilePath, at time: Int64?, why: String? = nil) throws(StoreError) {
    let statement = try database.prepare(
      "UPDATE listening.folder SET scanned = coalesce(?2, scanned), why = ?3 WHERE path = ?1")
    try statement.run(folder.bytes, time, why)
  }

  /// The folders, and how many items, albums and artists there are. Counting takes 140 ms at 100,000 items, so the result is kept until a row of the
  /// databases changes. `isInterrupted` is called now and then; if it returns true, this throws an error whose `isInterruption` is true.
  package func overview(isInterrupted: (() -> Bool)? = nil) throws(StoreError) -> LibraryOverview {
    let changes = database.totalChanges
    if let last = lastOverview, last.changes == changes { return last.overview }
    return try database.interrupts(when: isInterrupted) { () throws(StoreError) in
      let overview = LibraryOverview(
        folders: try folders(), counts: try counts(), loudness: try loudnessCounts())
      lastOverview = (changes, overview)
      return overview
    }
  }

  /// The number of items that are shown, whether they are music, podcasts or audiobooks, and of the albums and artists in the lists of these, which have
  /// music only. Items whose files are missing are hidden and do not count.
  package func counts() throws(StoreError) -> LibraryCounts {
    let shown = LibraryTables.State.shown.rawValue
    return LibraryCounts(
      tracks: Int(try database.number("SELECT count(*) FROM item WHERE state = \(shown)")),
      albums: try number(in: .albums), artists: try number(in: .artists))
  }

  private func number(in list: LibraryList) throws(StoreError) -> Int {
    let (query, grouping) = list.question
    let sql = QuerySQL(query, found: .all, at: QueryTime(now: 0))
    guard let grouping, let count = sql.collectionCount(grouping) else { return 0 }
    let statement = try prepare(count)
    return try statement.step() ? Int(statement.number(0)) : 0
  }

  private func tracks(below folder: FilePath) throws(StoreError) -> Int {
    // The sign keeps SQLite from going through all items of that state instead of those below the folder.
    let statement = try prepareRange(
      "SELECT count(*) FROM item WHERE path >= ?1 AND path < ?2 AND +state = ?3", folder)
    try statement.bind(at: 3, LibraryTables.State.shown.rawValue)
    return try statement.step() ? Int(statement.number(0)) : 0
  }

  // MARK: Files

  /// All files below a folder that the library knows, including missing and unreadable ones, in the order of their paths' bytes.
  package func knownFiles(below folder: FilePath) throws(StoreError) -> [KnownFile] {
    let rows = try prepareRange(
      """
      SELECT \(Self.fileColumns) FROM item WHERE path >= ?1 AND path < ?2 AND part_start < 0 ORDER BY path
      """, folder)
    var files: [KnownFile] = []
    while try rows.step() { if let file = Self.file(rows) { files.append(file) } }
    return files
  }

  /// The files right in these folders that the library knows.
  package func knownFiles(in folders: [FilePath]) throws(StoreError) -> [KnownFile] {
    var files: [KnownFile] = []
    for folder in folders {
      let rows = try prepareRange(
        """
        SELECT \(Self.fileColumns) FROM item
        WHERE path >= ?1 AND path < ?2 AND part_start < 0 AND instr(substr(path, length(?1) + 1), x'2f') = 0
        """, folder)
      while try rows.step() { if let file = Self.file(rows) { files.append(file) } }
    }
    return files
  }

  /// The files of these items, in the same order. Items that no longer exist are left out.
  package func knownFiles(_ ids: [MediaItem.ID]) throws(StoreError) -> [KnownFile] {
    let rows = try database.prepare("SELECT \(Self.fileColumns) FROM item WHERE id = ?1")
    var files: [KnownFile] = []
    for id in ids {
      try rows.bind(id.rawValue)
      while try rows.step() { if let file = Self.file(rows) { files.append(file) } }
    }
    return files
  }

  /// Raise this when tags are read in another way than before, or sounds are told apart by something else. A library that was read before is then read
  /// anew by the next scan.
  private static let edition = 4

  /// Call before a scan, with the character set in which it reads tags that name none; nil for Latin-1. If they were read in another one before, or in
  /// an older edition, the next scan opens every file again.
  package func tagsAreRead(in charset: String?) throws(StoreError) {
    let rows = try database.prepare("SELECT name FROM counter WHERE name LIKE 'tags in %'")
    let before = try rows.step() ? rows.text(0) : nil
    let now = "tags in \(charset ?? "Latin-1"), edition \(Self.edition)"
    guard before != now else { return }
    rows.reset()
    try database.transaction { () throws(StoreError) in
      try database.run("DELETE FROM counter WHERE name LIKE 'tags in %'")
      let note = try database.prepare("INSERT INTO counter VALUES (?1, 0)")
      try note.run(now)
      // No file has this size, so each counts as changed. Its sound is the same, so its item, its ratings and its loudness stay.
      try database.run(
        "UPDATE item SET size = -1 WHERE part_start < 0 AND state <> \(LibraryTables.State.sheet.rawValue)")
    }
  }

  /// All files below these folders that the library knows, as an index without paths, which takes little memory.
  package func knownIndex(below folders: [FilePath]) throws(StoreError) -> KnownIndex {
    var index = KnownIndex()
    // A folder may lie in another one; its files are known once.
    for folder in folders where !folders.contains(where: { folder.isBelow($0) }) {
      // The table is read in the order in which it is stored. With the index of paths, each row would have to be looked up.
      let rows = try prepareRange(
        """
        SELECT id, path, size, modified, inode, device, changed, state FROM item NOT INDEXED
        WHERE part_start < 0 AND path >= ?1 AND path < ?2
        """, folder)
      while try rows.step() {
        let path = unsafe rows.withBytes(1) { unsafe PathDigest($0) }
        index.add(
          MediaItem.ID(rawValue: rows.number(0)), path, Self.stamp(rows, from: 2),
          isHidden: rows.number(7) == LibraryTables.State.hidden.rawValue)
      }
    }
    return index
  }

  private static let fileColumns =
    "id, path, size, modified, inode, device, changed, fingerprint, state, failure, sheeted"

  private static func file(_ rows: borrowing Statement) -> KnownFile? {
    guard let path = FilePath(rows.bytes(1)) else { return nil }
    return KnownFile(
      id: MediaItem.ID(rawValue: rows.number(0)), path: path, stamp: stamp(rows, from: 2),
      fingerprint: AudioFingerprint(rawValue: rows.bytes(7)),
      isHidden: rows.number(8) == LibraryTables.State.hidden.rawValue,
      failure: rows.isNull(9) ? nil : rows.text(9), isSheeted: rows.number(10) != 0)
  }

  private static func stamp(_ rows: borrowing Statement, from column: Int32) -> FileStamp {
    FileStamp(
      size: rows.number(column), modified: rows.number(column + 1),
      inode: UInt64(bitPattern: rows.number(column + 2)), device: UInt64(bitPattern: rows.number(column + 3)),
      changed: rows.number(column + 4))
  }

  /// The item of the file at a path, or of its part that begins there; nil if the library does not know it.
  package func item(at path: FilePath, part start: DiscTime? = nil) throws(StoreError) -> MediaItem.ID? {
    let rows = try database.prepare("SELECT id FROM item WHERE path = ?1 AND part_start = ?2")
    try rows.bind(path.bytes, LibraryTables.part(start))
    return try rows.step() ? MediaItem.ID(rawValue: rows.number(0)) : nil
  }

  /// The item that each of these files or parts belongs to, with its rating and counts, in the same order; nil for those that the library does not
  /// know. A part that is no item itself, such as a chapter of a book, belongs to the item of the whole file.
  package func listings(of sources: [ItemSource]) throws(StoreError) -> [LibraryListing?] {
    let rows = try database.prepare(
      """
      SELECT id, rating, play_count, skip_count, last_played FROM item
      WHERE path = ?1 AND part_start IN (?2, ?3) AND state = \(LibraryTables.State.shown.rawValue)
      ORDER BY part_start = ?2 DESC LIMIT 1
      """)
    var found: [LibraryListing?] = []
    for source in sources {
      try rows.bind(source.path.bytes, LibraryTables.part(source.part?.start), LibraryTables.part(nil))
      found.append(try rows.step() ? Self.listing(rows) : nil)
      rows.reset()
    }
    return found
  }

  private static func listing(_ rows: borrowing Statement) -> LibraryListing {
    var listening = ListeningRecord()
    listening.rating = Int(truncatingIfNeeded: rows.number(1))
    listening.playCount = Int(truncatingIfNeeded: rows.number(2))
    listening.skipCount = Int(truncatingIfNeeded: rows.number(3))
    listening.lastPlayed = rows.isNull(4) ? nil : rows.number(4)
    return LibraryListing(MediaItem.ID(rawValue: rows.number(0)), listening)
  }

  /// What is known of these files and parts that matters for sorting them, in the same order; nil for those that the library does not
  /// know or could never read.
  package func facts(of files: [(path: FilePath, start: DiscTime?)]) throws(StoreError) -> [TrackFacts?] {
    let rows = try database.prepare(
      """
      SELECT item.key, album.place, one.key, two.key, three.key, four.key, track, disc, date_begin, year, duration, bpm,
        nullif(rating, 0), play_count, last_played, added
      FROM item LEFT JOIN album ON album.id = item.album LEFT JOIN name AS one ON one.id = item.artist
        LEFT JOIN name AS two ON two.id = album_artist LEFT JOIN name AS three ON three.id = composer
        LEFT JOIN name AS four ON four.id = genre
      WHERE path = ?1 AND part_start = ?2 AND state <> \(LibraryTables.State.unread.rawValue)
      """)
    var found: [TrackFacts?] = []
    found.reserveCapacity(files.count)
    for (path, start) in files {
      try rows.bind(path.bytes, LibraryTables.part(start))
      found.append(try rows.step() ? Self.facts(rows) : nil)
      rows.reset()
    }
    return found
  }

  /// Where these files stand on their albums, in the same order; nil for those that the library does not know as they are now.
  package func places(of files: [(path: FilePath, stamp: FileStamp)]) throws(StoreError) -> [TrackPlace?] {
    let rows = try database.prepare(
      """
      SELECT CASE WHEN is_named THEN album.text END, disc, track, size, modified, inode, device, changed
      FROM item LEFT JOIN album ON album.id = item.album
      WHERE path = ?1 AND part_start = ?2 AND state = \(LibraryTables.State.shown.rawValue) AND failure IS NULL
      """)
    var found: [TrackPlace?] = []
    for (path, stamp) in files {
      try rows.bind(path.bytes, LibraryTables.part(nil))
      let isKnown = try rows.step() && Self.stamp(rows, from: 3) == stamp
      found.append(isKnown ? Self.place(rows) : nil)
      rows.reset()
    }
    return found
  }

  private static func place(_ rows: borrowing Statement) -> TrackPlace {
    func number(_ column: Int32) -> Int? {
      rows.isNull(column) ? nil : Int(truncatingIfNeeded: rows.number(column))
    }
    return TrackPlace(album: rows.isNull(0) ? nil : rows.text(0), disc: number(1), track: number(2))
  }

  private static func facts(_ rows: borrowing Statement) -> TrackFacts {
    func key(_ column: Int32) -> [UInt8]? { rows.isNull(column) ? nil : rows.bytes(column) }
    func number(_ column: Int32) -> Int64? { rows.isNull(column) ? nil : rows.number(column) }
    var facts = TrackFacts()
    (facts.title, facts.shelf) = (key(0), key(1).flatMap(TrackFacts.known))
    (facts.artist, facts.albumArtist, facts.composer, facts.genre) = (key(2), key(3), key(4), key(5))
    (facts.track, facts.disc, facts.date, facts.year) = (number(6), number(7), number(8), number(9))
    facts.duration = number(10)
    facts.bpm = rows.isNull(11) ? nil : rows.real(11)
    (facts.rating, facts.playCount, facts.lastPlayed) = (number(12), number(13), number(14))
    facts.added = number(15)
    return facts
  }

  /// Prepares a statement whose first two parameters are the ends of the range of paths below a folder: its path with a slash, and its path with the
  /// byte that comes after the slash in order. So the range has exactly the paths that begin with the folder and a slash.
  private func prepareRange(_ text: String, _ folder: FilePath) throws(StoreError) -> Statement {
    let range = Self.rangeBelow(folder)
    let statement = try database.prepare(text)
    try statement.bind(range.first, range.end)
    return statement
  }

  private static func rangeBelow(_ folder: FilePath) -> (first: [UInt8], end: [UInt8]) {
    let name = folder.bytes.last == UInt8(ascii: "/") ? Array(folder.bytes.dropLast()) : folder.bytes
    return (name + [UInt8(ascii: "/")], name + [UInt8(ascii: "/") + 1])
  }

  /// Deletes the items whose files have been missing since before a moment. The listener's ratings and notes for them are kept.
  package func purge(olderThan moment: Int64) throws(StoreError) -> [MediaItem.ID] {
    let ids = try transaction { () throws(StoreError) in
      var ids: [Int64] = []
      let rows = try database.prepare("SELECT id FROM item WHERE state = ?1 AND hidden_at < ?2 ORDER BY id")
      try rows.bind(LibraryTables.State.hidden.rawValue, moment)
      while try rows.step() { ids.append(rows.number(0)) }
      for id in ids { try writer.remove(id) }
      try writer.flush()
      return ids
    }
    return ids.map { MediaItem.ID(rawValue: $0) }
  }

  /// Deletes a file and its parts from the library, except the item `kept`. Returns those of them that were shown.
  func removeWhole(_ path: FilePath, but kept: MediaItem.ID? = nil) throws(StoreError) -> [MediaItem.ID] {
    let rows = try database.prepare("SELECT id, state FROM item WHERE path = ?1 ORDER BY part_start")
    try rows.bind(path.bytes)
    var (ids, items): ([Int64], [MediaItem.ID]) = ([], [])
    while try rows.step() {
      let id = rows.number(0)
      guard id != kept?.rawValue else { continue }
      ids.append(id)
      if LibraryTables.State(rawValue: rows.number(1)) == .shown { items.append(MediaItem.ID(rawValue: id)) }
    }
    for id in ids { try writer.remove(id) }
    return items
  }

  // MARK: Changes

  /// Writes the changes that a scan found, in order: all of them, or none if this throws. A change of an item that no longer exists is ignored.
  ///
  /// `folders` are those that the scan walks through. If one of them was removed from the library meanwhile, changes below it are ignored, because
  /// nothing would ever remove those items again. Without `folders`, every path is accepted.
  package func apply(
    _ changes: [FileChange], of folders: [FilePath]? = nil, at now: Int64
  ) throws(StoreError) -> AppliedChanges {
    try transaction { () throws(StoreError) in
      var applied = AppliedChanges()
      let changes =
        try folders.map { folders throws(StoreError) in try wanted(changes, of: folders) } ?? changes
      let batch = try ChangeBatch(self, at: now)
      try batch.makeWay(for: changes)
      for change in changes { try batch.apply(change, &applied) }
      try batch.finish()
      return applied.settled
    }
  }
}

extension LibraryStore {
  /// The changes of a scan that concern files in folders of the library.
  private func wanted(
    _ changes: [FileChange], of folders: [FilePath]
  ) throws(StoreError) -> [FileChange] {
    let present = try folderPaths()
    guard !folders.allSatisfy(present.contains) else { return changes }
    return changes.filter { change in
      guard let path = change.newPath else { return true }
      return present.contains(where: path.isBelow)
    }
  }
}

extension FileChange {
  /// The path that this change adds to the library; nil if it adds none.
  fileprivate var newPath: FilePath? {
    switch self {
    case .add(let path, _, _), .move(_, let path, _), .failed(let path, _, _), .sheet(let path, _): path
    case .update, .touch, .hide, .displace, .show, .forget: nil
    }
  }
}
