// SPDX-License-Identifier: MIT
import AudioModel
import LibraryModel
import LibraryQuery
import MediaModel
import SQLiteIO

/// What is written of an item: a file, or a part of one.
struct WrittenItem {
  let path: FilePath
  let stamp: FileStamp
  /// What reading the file has found; for a part, with the part's own tags.
  let record: FileRecord
  let part: FilePart?
  let state: LibraryTables.State

  /// What is written of a whole file. If it has parts, these are shown instead of it.
  init(_ path: FilePath, _ stamp: FileStamp, _ record: FileRecord) {
    (self.path, self.stamp, self.record, part) = (path, stamp, record, nil)
    state = record.parts.isEmpty ? .shown : .cut
  }

  /// What is written of a part of a file.
  init(_ part: PartRecord, of path: FilePath, _ stamp: FileStamp, _ file: FileRecord) {
    var record = file
    record.tags = part.tags
    (self.path, self.stamp, self.record, self.part, state) = (path, stamp, record, part.part, .shown)
  }
}

/// Writes items into the library's tables, with their names and what a search looks through. Every call belongs into a
/// transaction; `flush` is its last one. Belongs to the store's thread.
final class ItemWriter {
  /// The IDs in an item's row that refer to other tables.
  private struct References {
    var album: Int64?
    /// The IDs of the item's names: a list for each case of `LibraryTables.NameKind`, in the order of the bits by which `further` marks a kind.
    var names: [[Int64]] = []

    var further: Int64 {
      names.indices.reduce(0) { names[$1].count > 1 ? $0 | 1 << Int64($1) : $0 }
    }
  }

  private let names: NameTable
  /// The table of texts in which the search looks for words.
  let search: SearchTable
  private let reader: ItemReader
  private let insert: Statement
  private let update: Statement
  private let readShown: Statement
  private let readReferences: Statement
  private let readFurther: Statement
  private let addFurther: Statement
  private let dropFurther: Statement
  private let addLyrics: Statement
  private let dropLyrics: Statement
  private let drop: Statement
  private let dropLoudness: Statement
  private let retitle: Statement
  private let resort: Statement

  init(_ database: Database, _ reader: ItemReader) throws(StoreError) {
    self.reader = reader
    names = try NameTable(database)
    search = try SearchTable(database)
    let columns = ItemColumn.allCases
    let parameters = columns.map { "?\($0.rawValue)" }.joined(separator: ", ")
    let next = ItemColumn.next
    insert = try database.prepare(
      """
      INSERT INTO item (id, \(columns.map(\.name).joined(separator: ", ")), path, added, rating, play_count, skip_count)
      VALUES (?1, \(parameters), ?\(next), ?\(next + 1), 0, 0, 0) ON CONFLICT (path, part_start) DO NOTHING
      """)
    let settings = columns.map { "\($0.name) = ?\($0.rawValue)" }.joined(separator: ", ")
    update = try database.prepare(
      "UPDATE item SET \(settings), failure = NULL, hidden_at = NULL WHERE id = ?1")
    readShown = try database.prepare(
      "SELECT id FROM item WHERE state = \(LibraryTables.State.shown.rawValue) ORDER BY id")
    readReferences = try database.prepare(
      "SELECT album, artist, album_artist, composer, genre, podcast, further FROM item WHERE id = ?1")
    readFurther = try database.prepare("SELECT kind, name FROM further WHERE item = ?1")
    addFurther = try database.prepare("INSERT INTO further VALUES (?1, ?2, ?3, ?4)")
    dropFurther = try database.prepare("DELETE FROM further WHERE item = ?1")
    addLyrics = try database.prepare("REPLACE INTO lyrics VALUES (?1, ?2)")
    dropLyrics = try database.prepare("DELETE FROM lyrics WHERE item = ?1")
    drop = try database.prepare("DELETE FROM item WHERE id = ?1")
    dropLoudness = try database.prepare("DELETE FROM loudness WHERE item = ?1")
    let isOnAlbum = "(SELECT is_named FROM album WHERE id = item.album)"
    retitle = try database.prepare(
      """
      UPDATE item SET title = ?2, folded = ?3, key = ?4, unnumbered_key = iif(\(isOnAlbum), unnumbered_key, ?4)
        WHERE id = ?1
      """)
    resort = try database.prepare(
      "UPDATE item SET unnumbered_key = ?2 WHERE id = ?1 AND unnumbered_key IS NOT NULL AND \(isOnAlbum)")
  }

  // MARK: Rows

  /// Writes a new item. Returns false, and writes nothing, if another item has the path, and begins at the same place in it.
  func add(_ id: Int64, _ item: WrittenItem, at now: Int64) throws(StoreError) -> Bool {
    let row = ItemRow(item.path, item.record.tags)
    let references = try retain(row)
    try bind(insert, id, item, row, references)
    try insert.bind(at: ItemColumn.next, item.path.bytes)
    try insert.bind(at: ItemColumn.next + 1, now)
    try insert.run()
    if insert.changes == 0 {
      release(references)
      return false
    }
    try write(id, references, item.record.tags.lyrics)
    if item.state == .shown { search.set(id, row.searchText) }
    return true
  }

  /// Replaces what the library stores of an item that it knows already. The item, or its parts, are shown from now on.
  func rewrite(_ id: Int64, _ item: WrittenItem) throws(StoreError) {
    let row = ItemRow(item.path, item.record.tags)
    release(try references(of: id))
    let references = try retain(row)
    try bind(update, id, item, row, references)
    try update.run()
    try dropFurther.run(id)
    try dropLyrics.run(id)
    try write(id, references, item.record.tags.lyrics)
    if item.state == .shown { search.set(id, row.searchText) } else { search.remove(id) }
  }

  /// Removes an item for good. The listener's ratings and counts for it are kept.
  func remove(_ id: Int64) throws(StoreError) {
    release(try references(of: id))
    try dropFurther.run(id)
    try dropLyrics.run(id)
    try drop.run(id)
    try forgetLoudness(of: id)
    search.remove(id)
  }

  /// Deletes the measured loudness of an item, because its sound has changed.
  func forgetLoudness(of id: Int64) throws(StoreError) { try dropLoudness.run(id) }

  /// Changes what an item has of its file's name, since the file was moved to this path: its place among tracks without numbers, and its title if its tags
  /// have none.
  func rename(_ id: Int64, _ path: FilePath, isTitled: Bool) throws(StoreError) {
    try resort.run(id, ItemRow.fileKey(path))
    if isTitled { return }
    let row = ItemRow(path, MediaTags())
    try retitle.run(id, row.title.text, String(decoding: row.foldedTitle, as: UTF8.self), row.titleKey)
  }

  /// Adds an item's text to the search, because the item is shown again or has another title.
  func showInSearch(_ id: Int64) throws(StoreError) {
    if let item = try reader.item(id) { search.set(id, ItemReader.searchText(of: item)) }
  }

  func hideFromSearch(_ id: Int64) { search.remove(id) }

  /// Makes the search texts of all items again. Blocks for a second or two with 100,000 items.
  func rebuildTexts() throws(StoreError) {
    try search.clear()
    var ids: [Int64] = []
    while try readShown.step() { ids.append(readShown.number(0)) }
    for (index, id) in ids.enumerated() {
      try showInSearch(id)
      if index % Int(LibraryTables.blockSize) == 0 { try search.flush() }
    }
    try search.flush()
  }

  /// Writes the search texts and the counts of names, which were collected until the end of the transaction.
  func flush() throws(StoreError) {
    try search.flush()
    try names.flush()
  }

  /// Drops the search texts and the counts of names that were not written, because the transaction failed.
  func forget() {
    search.forget()
    names.forget()
  }

  // MARK: Names

  private func retain(_ row: ItemRow) throws(StoreError) -> References {
    var references = References()
    references.names.reserveCapacity(row.names.count)
    for (kind, known) in zip(LibraryTables.NameKind.allCases, row.names) {
      var ids: [Int64] = []
      for name in known { ids.append(try names.retain(name, kind)) }
      references.names.append(ids)
    }
    // The album stands where its artist's name does, so it comes after the names.
    references.album = try names.retain(row.album)
    return references
  }

  private func release(_ references: References) {
    if let album = references.album { names.release(album: album) }
    for id in references.names.joined() { names.release(id) }
  }

  private func references(of id: Int64) throws(StoreError) -> References {
    var references = References()
    try readReferences.bind(id)
    guard try readReferences.step() else { return references }
    references.album = readReferences.isNull(0) ? nil : readReferences.number(0)
    for column in Int32(1)...5 {
      references.names.append(readReferences.isNull(column) ? [] : [readReferences.number(column)])
    }
    let hasFurther = readReferences.number(6) != 0
    readReferences.reset()
    guard hasFurther else { return references }
    try readFurther.bind(id)
    while try readFurther.step() {
      // These references are only used to reduce the names' counts, so the kind of a name does not matter.
      references.names.append([readFurther.number(1)])
    }
    return references
  }

  private func write(_ id: Int64, _ references: References, _ lyrics: String?) throws(StoreError) {
    for (kind, ids) in zip(LibraryTables.NameKind.allCases, references.names) {
      for (place, name) in ids.enumerated().dropFirst() {
        try addFurther.run(id, kind.rawValue, Int64(place), name)
      }
    }
    if let lyrics { try addLyrics.run(id, lyrics) }
  }

  // MARK: Columns

  /// The longest length that is stored: a year. A longer one would overflow the sums of collections.
  private static let longest = Duration.seconds(365 * 86_400)

  private func bind(
    _ statement: borrowing Statement, _ id: Int64, _ item: WrittenItem, _ row: ItemRow,
    _ references: References
  ) throws(StoreError) {
    let (stamp, record) = (item.stamp, item.record)
    try statement.bind(id)
    try statement.bind(.size, stamp.size)
    try statement.bind(.modified, stamp.modified)
    try statement.bind(.inode, Int64(bitPattern: stamp.inode))
    try statement.bind(.device, Int64(bitPattern: stamp.device))
    try statement.bind(.changed, stamp.changed)
    try statement.bind(.fingerprint, bytes: record.fingerprint?.rawValue)
    try statement.bind(.state, item.state.rawValue)
    try statement.bind(.title, text: row.title.text)
    try statement.bind(.isTitled, isTrue: row.isTitled)
    try statement.bind(.folded, text: String(decoding: row.foldedTitle, as: UTF8.self))
    try statement.bind(.key, bytes: row.titleKey)
    try statement.bind(.unnumberedKey, bytes: row.unnumberedKey)
    try bind(statement, references)
    try bind(statement, record.tags, row)
    try statement.bind(.rate, record.format?.rate)
    try statement.bind(.channels, record.format?.channels)
    try statement.bind(.kilobits, record.kilobits)
    try statement.bind(.hasPicture, isTrue: record.hasPicture)
    let loudness = record.tags.loudness
    try statement.bind(.trackGain, real: loudness.trackGain)
    try statement.bind(.trackPeak, real: loudness.trackPeak)
    try statement.bind(.albumGain, real: loudness.albumGain)
    try statement.bind(.albumPeak, real: loudness.albumPeak)
    try statement.bind(.sheeted, isTrue: record.isSheeted)
    try statement.bind(.partStart, LibraryTables.part(item.part?.start))
    try statement.bind(.partEnd, item.part?.end?.frames)
  }

  private func bind(_ statement: borrowing Statement, _ references: References) throws(StoreError) {
    try statement.bind(.album, references.album)
    for (kind, ids) in zip(LibraryTables.NameKind.allCases, references.names) {
      try statement.bind(Self.column(of: kind), ids.first)
    }
    try statement.bind(.further, references.further)
  }

  /// The column with the first name of a kind.
  private static func column(of kind: LibraryTables.NameKind) -> ItemColumn {
    switch kind {
    case .artist: .artist
    case .albumArtist: .albumArtist
    case .composer: .composer
    case .genre: .genre
    case .podcast: .podcast
    }
  }

  private func bind(
    _ statement: borrowing Statement, _ tags: MediaTags, _ row: ItemRow
  ) throws(StoreError) {
    let microseconds = tags.duration.map { Int64(min(max($0, .zero), Self.longest) / .microseconds(1)) }
    try statement.bind(.duration, microseconds)
    try statement.bind(.track, tags.track)
    try statement.bind(.trackCount, tags.trackCount)
    try statement.bind(.disc, tags.disc)
    try statement.bind(.discCount, tags.discCount)
    try statement.bind(.date, text: tags.date?.description)
    try statement.bind(.dateBegin, tags.date.map { TimeSpan($0).begin })
    try statement.bind(.year, tags.date?.year)
    try statement.bind(.bpm, real: tags.bpm)
    try statement.bind(.comment, text: row.comment)
    try statement.bind(.foldedComment, text: row.comment.map(TextFolding.fold))
    try statement.bind(.compilation, isTrue: tags.isCompilation)
    try statement.bind(.mediaType, tags.mediaType.number)
  }
}

extension SQLValue: SQLParameter {
  func bind(to statement: borrowing Statement, at index: Int32) throws(StoreError) {
    switch self {
    case .null: try statement.bind(at: index, Int64?.none)
    case .integer(let number): try statement.bind(at: index, number)
    case .real(let number): try statement.bind(at: index, number)
    case .text(let text): try statement.bind(at: index, text)
    case .bytes(let bytes): try statement.bind(at: index, bytes[...])
    }
  }
}
