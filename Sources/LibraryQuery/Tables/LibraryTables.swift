// SPDX-License-Identifier: MIT
package import MediaModel

/// The layout of `library.db` and `listening.db`, for the code that compiles queries and the code that writes the tables.
///
/// `library.db` can be made again from the music. It has a row for each file (`item`), one for each album, and one for each name of an artist, album
/// artist, composer, genre or podcast. An item's row refers to the first of its names of each kind, because most items have only one; further names
/// are in `further`. `unnumbered_key` sorts tracks that have no numbers: by their titles if they have no album, and by their files on an album, where it
/// is NULL for a track with a number. `search` has the folded texts of 512 items in one row, so that they are searched at once. `loudness` has the
/// measured values of items whose tags have no gain.
///
/// `listening.db` has the data that is in no file: folders, ratings, counts, notes and smart playlists.
package enum LibraryTables {
  /// The bytes "frml" and "frmn", which mark the two databases as ours.
  package static let libraryApplication: Int64 = 0x6672_6d6c
  package static let listeningApplication: Int64 = 0x6672_6d6e

  /// The values of the column `item.state`.
  package enum State: Int64, Sendable {
    case shown = 0
    /// The file is missing.
    case hidden = 1
    /// The file could never be read, so there is nothing to show.
    case unread = 2
    /// The file's parts are shown instead of it.
    case cut = 3
    /// The file is a CUE sheet, which is known so that its changes are seen.
    case sheet = 4
  }

  /// The value of the columns `item.part_start` and `record.part` for a whole file. For a part they say where it begins, in frames, 75 a second.
  package static let wholeFile: Int64 = -1

  /// What a name is to its items, such as their artist, as the column `name.kind` has it. Each number is one bit, and `item.further` has several of them.
  package enum NameKind: Int64, Sendable, CaseIterable {
    case artist = 1
    case albumArtist = 2
    case composer = 4
    case genre = 8
    case podcast = 16

    /// The column of `item` that refers to the first name of this kind.
    package var column: String {
      switch self {
      case .artist: "artist"
      case .albumArtist: "album_artist"
      case .composer: "composer"
      case .genre: "genre"
      case .podcast: "podcast"
      }
    }
  }

  /// The SQL function that tells whether a search has found an item. The store registers it.
  package static let foundFunction = "is_found"
  /// The SQL function that makes of a path its URI, folded (without capitals and accents).
  package static let uriFunction = "folded_uri"
  /// The SQL function that makes of a path its URI without escapes, folded.
  package static let plainURIFunction = "folded_plain_uri"

  /// The SQL function that makes of an order key of an older version the present one. It is there while a library is opened.
  package static let keyFunction = "renewed_key"

  /// The SQL function that makes of a path the order key of its file on an album. It is there while a library is opened.
  package static let fileKeyFunction = "file_key"

  /// The SQL functions that join letters with their parts in a text or a key, make the order key of a folded text, and join letters in a row of
  /// `search`. They are there while a library is opened.
  package static let joinFunction = "joined"
  package static let foldedKeyFunction = "folded_key"
  package static let searchRowFunction = "joined_row"

  /// The order key of a row's folded text with joined letters, in SQL: made from that text if the present one is, and not from a tag for sorting.
  private static let joinedKey = """
    CAST(iif(key = CAST(\(foldedKeyFunction)(folded) AS BLOB), \(foldedKeyFunction)(\(joinFunction)(folded)),
      \(joinFunction)(key)) AS BLOB)
    """

  /// How many items share one row of the table `search`, which holds their texts.
  package static let blockSize: Int64 = 512

  /// The statements at index n turn a file of version n into version n+1. Never change old ones.
  package static let libraryMigrations = [
    """
    CREATE TABLE name (
      id INTEGER PRIMARY KEY AUTOINCREMENT, kind INTEGER NOT NULL, text TEXT NOT NULL, folded TEXT NOT NULL,
      key BLOB NOT NULL, uses INTEGER NOT NULL, UNIQUE (text, kind));
    CREATE TABLE album (
      id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL, artist TEXT NOT NULL, folded TEXT NOT NULL,
      key BLOB NOT NULL, place BLOB NOT NULL, is_named INTEGER NOT NULL, uses INTEGER NOT NULL,
      UNIQUE (text, artist, is_named));
    CREATE INDEX album_place ON album (place);
    CREATE TABLE item (
      id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, size INTEGER NOT NULL, modified INTEGER NOT NULL,
      inode INTEGER NOT NULL, device INTEGER NOT NULL, fingerprint BLOB, state INTEGER NOT NULL,
      hidden_at INTEGER, failure TEXT, added INTEGER NOT NULL, record INTEGER,
      title TEXT NOT NULL, is_titled INTEGER NOT NULL, folded TEXT NOT NULL, key BLOB NOT NULL,
      album INTEGER, artist INTEGER, album_artist INTEGER, composer INTEGER, genre INTEGER, podcast INTEGER,
      further INTEGER NOT NULL, duration INTEGER, track INTEGER, track_count INTEGER, disc INTEGER,
      disc_count INTEGER, date TEXT, date_begin INTEGER, year INTEGER, bpm REAL, comment TEXT,
      folded_comment TEXT, compilation INTEGER NOT NULL, media_type INTEGER NOT NULL, rate INTEGER,
      channels INTEGER, kilobits INTEGER, has_picture INTEGER NOT NULL, track_gain REAL, track_peak REAL,
      album_gain REAL, album_peak REAL, rating INTEGER NOT NULL, play_count INTEGER NOT NULL,
      skip_count INTEGER NOT NULL, last_played INTEGER);
    CREATE INDEX item_place ON item (state, album, disc, track);
    CREATE INDEX item_record ON item (record) WHERE record IS NOT NULL;
    CREATE TABLE further (
      item INTEGER NOT NULL, kind INTEGER NOT NULL, place INTEGER NOT NULL, name INTEGER NOT NULL,
      PRIMARY KEY (item, kind, place)) WITHOUT ROWID;
    CREATE INDEX further_name ON further (name, item);
    CREATE TABLE lyrics (item INTEGER PRIMARY KEY, text TEXT NOT NULL);
    CREATE TABLE search (block INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
    CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    """,
    """
    CREATE TABLE loudness (
      item INTEGER PRIMARY KEY, integrated REAL, peak REAL, blocks BLOB, unfit TEXT, is_stale INTEGER NOT NULL);
    """,
    // The index has all columns that are needed to gather items into collections, and it is a tenth of the table's size.
    """
    DROP INDEX item_place;
    CREATE INDEX item_place ON item (state, album, disc, track, duration, has_picture, further, artist,
      album_artist, composer, genre, podcast);
    """,
    // A path alone is no more the key of an item, which SQLite can only be told with another table.
    """
    ALTER TABLE item RENAME TO former;
    DROP INDEX item_place;
    DROP INDEX item_record;
    CREATE TABLE item (
      id INTEGER PRIMARY KEY, path BLOB NOT NULL, part_start INTEGER NOT NULL, part_end INTEGER,
      size INTEGER NOT NULL, modified INTEGER NOT NULL,
      inode INTEGER NOT NULL, device INTEGER NOT NULL, fingerprint BLOB, state INTEGER NOT NULL,
      sheeted INTEGER NOT NULL, hidden_at INTEGER, failure TEXT, added INTEGER NOT NULL, record INTEGER,
      title TEXT NOT NULL, is_titled INTEGER NOT NULL, folded TEXT NOT NULL, key BLOB NOT NULL,
      album INTEGER, artist INTEGER, album_artist INTEGER, composer INTEGER, genre INTEGER, podcast INTEGER,
      further INTEGER NOT NULL, duration INTEGER, track INTEGER, track_count INTEGER, disc INTEGER,
      disc_count INTEGER, date TEXT, date_begin INTEGER, year INTEGER, bpm REAL, comment TEXT,
      folded_comment TEXT, compilation INTEGER NOT NULL, media_type INTEGER NOT NULL, rate INTEGER,
      channels INTEGER, kilobits INTEGER, has_picture INTEGER NOT NULL, track_gain REAL, track_peak REAL,
      album_gain REAL, album_peak REAL, rating INTEGER NOT NULL, play_count INTEGER NOT NULL,
      skip_count INTEGER NOT NULL, last_played INTEGER, UNIQUE (path, part_start));
    INSERT INTO item SELECT id, path, -1, NULL, size, modified, inode, device, fingerprint, state, 0, hidden_at,
      failure, added, record, title, is_titled, folded, key, album, artist, album_artist, composer, genre,
      podcast, further, duration, track, track_count, disc, disc_count, date, date_begin, year, bpm, comment,
      folded_comment, compilation, media_type, rate, channels, kilobits, has_picture, track_gain, track_peak,
      album_gain, album_peak, rating, play_count, skip_count, last_played FROM former;
    DROP TABLE former;
    CREATE INDEX item_place ON item (state, album, disc, track, duration, has_picture, further, artist,
      album_artist, composer, genre, podcast);
    CREATE INDEX item_record ON item (record) WHERE record IS NOT NULL;
    """,
    // Signs outside ASCII at the beginning of a name count no more. An album's place is its artist's key, two bytes, and its own key.
    """
    UPDATE item SET key = CAST(\(keyFunction)(key) AS BLOB) WHERE substr(key, 1, 1) >= x'80';
    UPDATE name SET key = CAST(\(keyFunction)(key) AS BLOB) WHERE substr(key, 1, 1) >= x'80';
    UPDATE album SET
      key = CAST(\(keyFunction)(key) AS BLOB),
      place = CAST(
        \(keyFunction)(substr(place, 1, length(place) - length(key) - 2))
        || substr(place, length(place) - length(key) - 1, 2) || \(keyFunction)(key) AS BLOB);
    """,
    // Letters and their parts have become one character. A key that was made from the text is made anew, because it may have been cut. All albums of an
    // artist stand where that artist's name does. Tracks without an album are in the order of their titles, where they have no other numbers.
    """
    UPDATE item SET folded = \(joinFunction)(folded), key = \(joinedKey)
      WHERE folded <> \(joinFunction)(folded) OR key <> CAST(\(joinFunction)(key) AS BLOB);
    UPDATE item SET folded_comment = \(joinFunction)(folded_comment)
      WHERE folded_comment <> \(joinFunction)(folded_comment);
    UPDATE name SET folded = \(joinFunction)(folded), key = \(joinedKey)
      WHERE folded <> \(joinFunction)(folded) OR key <> CAST(\(joinFunction)(key) AS BLOB);
    UPDATE album SET folded = \(joinFunction)(folded), key = \(joinedKey)
      WHERE folded <> \(joinFunction)(folded) OR key <> CAST(\(joinFunction)(key) AS BLOB);
    UPDATE album SET place = CAST(
      coalesce(
        (SELECT name.key FROM name WHERE name.text = album.artist AND name.kind IN (1, 2) ORDER BY kind DESC LIMIT 1),
        x'ff')
      || iif(is_named, x'0001' || key, x'0000') AS BLOB);
    UPDATE search SET bytes = CAST(\(searchRowFunction)(bytes) AS BLOB)
      WHERE bytes <> CAST(\(searchRowFunction)(bytes) AS BLOB);
    CREATE INDEX album_artist ON album (artist);
    ALTER TABLE item ADD COLUMN single_key BLOB;
    UPDATE item SET single_key = key WHERE album IN (SELECT id FROM album WHERE NOT is_named);
    DROP INDEX item_place;
    CREATE INDEX item_place ON item (state, album, disc, track, single_key, duration, has_picture, further, artist,
      album_artist, composer, genre, podcast);
    """,
    // When the file's status was last changed. 0 until the next scan, which finds it out without reading the file.
    """
    ALTER TABLE item ADD COLUMN changed INTEGER NOT NULL DEFAULT 0;
    """,
    // Tracks of an album that have no numbers are in the order of their folders' and files' names.
    """
    ALTER TABLE item RENAME COLUMN single_key TO unnumbered_key;
    UPDATE item SET unnumbered_key = CAST(\(fileKeyFunction)(path) AS BLOB)
      WHERE track IS NULL AND album IN (SELECT id FROM album WHERE is_named);
    """,
  ]

  package static let listeningMigrations = [
    """
    CREATE TABLE record (
      id INTEGER PRIMARY KEY AUTOINCREMENT, fingerprint BLOB, path BLOB NOT NULL, rating INTEGER NOT NULL,
      play_count INTEGER NOT NULL, skip_count INTEGER NOT NULL, last_played INTEGER, resume INTEGER);
    CREATE INDEX record_fingerprint ON record (fingerprint);
    CREATE INDEX record_path ON record (path);
    CREATE TABLE note (
      record INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (record, key)) WITHOUT ROWID;
    CREATE TABLE folder (path BLOB PRIMARY KEY, added INTEGER NOT NULL, scanned INTEGER, why TEXT)
      WITHOUT ROWID;
    CREATE TABLE smart (name TEXT PRIMARY KEY, query TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
    """,
    """
    ALTER TABLE smart ADD COLUMN sort TEXT NOT NULL DEFAULT '';
    ALTER TABLE smart ADD COLUMN most INTEGER;
    """,
    // Where the part of the file begins that the record is of; -1 for a whole file.
    """
    ALTER TABLE record ADD COLUMN part INTEGER NOT NULL DEFAULT -1;
    """,
  ]

  /// What the tables store for a part that begins here: its frame, or `wholeFile` for nil.
  package static func part(_ start: DiscTime?) -> Int64 { start.map { Int64($0.frames) } ?? wholeFile }

  /// The part whose beginning and end the tables store as these numbers; nil for a whole file, and for numbers that only a damaged database has.
  package static func part(_ start: Int64, end: Int64?) -> FilePart? {
    let times = 0...Int64(DiscTime.most.frames)
    guard times.contains(start), times.contains(end ?? start) else { return nil }
    return FilePart(start: DiscTime(frames: Int(start)), end: end.map { DiscTime(frames: Int($0)) })
  }
}
