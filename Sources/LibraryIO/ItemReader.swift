// SPDX-License-Identifier: MIT
import LibraryQuery
import MediaModel
import SQLiteIO

/// Reads items from the library's tables. Belongs to the store's thread.
final class ItemReader {
  private let read: Statement
  private let readFurther: Statement
  private let readLyrics: Statement

  init(_ database: Database) throws(StoreError) {
    read = try database.prepare(
      """
      SELECT item.id, path, added, failure, title, is_titled, further, duration, track, track_count, disc,
        disc_count, date, bpm, comment, compilation, media_type, has_picture, track_gain, track_peak, album_gain,
        album_peak, rating, play_count, skip_count, last_played,
        album.id, album.text, album.is_named, item.artist, one.text, album_artist, two.text, composer, three.text,
        genre, four.text, podcast, five.text, part_start, part_end
      FROM item LEFT JOIN album ON album.id = item.album LEFT JOIN name AS one ON one.id = item.artist
        LEFT JOIN name AS two ON two.id = album_artist LEFT JOIN name AS three ON three.id = composer
        LEFT JOIN name AS four ON four.id = genre LEFT JOIN name AS five ON five.id = podcast
      WHERE item.id = ?1
      """)
    readFurther = try database.prepare(
      """
      SELECT further.kind, name.text FROM further JOIN name ON name.id = further.name WHERE item = ?1
      ORDER BY further.kind, place
      """)
    readLyrics = try database.prepare("SELECT text FROM lyrics WHERE item = ?1")
  }

  /// The item with this number; nil if there is none. Its lyrics are read only if they are asked for. Blocks.
  func item(_ id: Int64, withLyrics: Bool = false) throws(StoreError) -> LibraryItem? {
    try read.bind(id)
    guard try read.step() else { return nil }
    guard let path = FilePath(read.bytes(1)) else {
      read.reset()
      return nil
    }
    var found = LibraryItem(
      MediaItem(
        id: MediaItem.ID(rawValue: id), location: .file(path),
        part: LibraryTables.part(read.number(39), end: number(40)), tags: tags, listening: listening),
      podcast: text(38), added: read.number(2), hasPicture: read.number(17) != 0, failure: text(3))
    found.names.album = read.number(28) != 0 ? read.number(26) : nil
    found.names.artist = number(29)
    found.names.albumArtist = number(31)
    found.names.composer = number(33)
    found.names.genre = number(35)
    found.names.podcast = number(37)
    let hasFurther = read.number(6) != 0
    read.reset()
    if hasFurther { try addFurther(id, to: &found.item.tags) }
    if withLyrics { found.item.tags.lyrics = try lyrics(id) }
    return found
  }

  private func number(_ column: Int32) -> Int64? { read.isNull(column) ? nil : read.number(column) }
  private func whole(_ column: Int32) -> Int? { number(column).flatMap { Int(exactly: $0) } }
  private func text(_ column: Int32) -> String? { read.isNull(column) ? nil : read.text(column) }
  private func real(_ column: Int32) -> Double? { read.isNull(column) ? nil : read.real(column) }

  private var tags: MediaTags {
    var tags = MediaTags()
    if read.number(5) != 0 { tags.title = text(4) }
    tags.duration = number(7).map { .microseconds($0) }
    (tags.track, tags.trackCount, tags.disc, tags.discCount) = (whole(8), whole(9), whole(10), whole(11))
    tags.date = text(12).flatMap { MediaDate(text: $0) }
    tags.bpm = real(13)
    tags.comment = text(14)
    tags.isCompilation = read.number(15) != 0
    tags.mediaType = MediaType(number: read.number(16))
    tags.loudness = Loudness(
      trackGain: real(18).map { Float($0) }, trackPeak: real(19).map { Float($0) },
      albumGain: real(20).map { Float($0) }, albumPeak: real(21).map { Float($0) })
    if read.number(28) != 0 { tags.album = text(27) }
    func list(_ column: Int32) -> [String] { text(column).map { [$0] } ?? [] }
    (tags.artist, tags.albumArtist, tags.composer, tags.genre) = (list(30), list(32), list(34), list(36))
    return tags
  }

  private var listening: ListeningRecord {
    var record = ListeningRecord()
    record.rating = Int(truncatingIfNeeded: read.number(22))
    record.playCount = Int(truncatingIfNeeded: read.number(23))
    record.skipCount = Int(truncatingIfNeeded: read.number(24))
    record.lastPlayed = number(25)
    return record
  }

  private func addFurther(_ id: Int64, to tags: inout MediaTags) throws(StoreError) {
    try readFurther.bind(id)
    while try readFurther.step() {
      let text = readFurther.text(1)
      switch LibraryTables.NameKind(rawValue: readFurther.number(0)) {
      case .artist: tags.artist.append(text)
      case .albumArtist: tags.albumArtist.append(text)
      case .composer: tags.composer.append(text)
      case .genre: tags.genre.append(text)
      case .podcast, nil: break
      }
    }
  }

  private func lyrics(_ id: Int64) throws(StoreError) -> String? {
    try readLyrics.bind(id)
    guard try readLyrics.step() else { return nil }
    defer { readLyrics.reset() }
    return readLyrics.text(0)
  }

  /// The text in which a search looks for words in this item.
  static func searchText(of found: LibraryItem) -> [UInt8] {
    let tags = found.item.tags
    let names = tags.artist + tags.albumArtist + tags.composer + tags.genre
    return ItemRow.searchText(
      foldedTitle: TextFolding.bytes(found.item.displayTitle), (tags.album.map { [$0] } ?? []) + names)
  }
}
