// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc
@testable import LibraryIO
import LibraryModel
import LibraryQuery
import ListeningModel
import MediaModel
import SQLiteIO
import Testing

@Suite("Parts of a file as items")
struct PartTests {
  private static let disc: FilePath = "/m/disc.flac"

  /// A file that is cut at these frames, with titles.
  private func record(_ number: Int, _ tracks: KeyValuePairs<Int, String>) -> FileRecord {
    var record = Shelf.record(number) { $0.title = "Disc" }
    record.isSheeted = true
    record.parts = tracks.enumerated().compactMap { index, track in
      let end = index + 1 < tracks.count ? DiscTime(frames: tracks[index + 1].key) : nil
      var tags = record.tags
      (tags.title, tags.track, tags.album) = (track.value, index + 1, "Album")
      tags.duration = .seconds(index + 1)
      return FilePart(start: DiscTime(frames: track.key), end: end).map { PartRecord($0, tags) }
    }
    return record
  }

  /// A library with one file of three parts, which was added as number 1.
  private func shelf() throws -> (shelf: Shelf, file: MediaItem.ID, parts: [MediaItem.ID]) {
    let shelf = try Shelf()
    let applied = try shelf.apply(
      .add(Self.disc, Shelf.stamp(1), record(1, [0: "One", 750: "Two", 7_500: "Three"])))
    let file = try #require(try shelf.open.item(at: Self.disc))
    #expect(applied.added.count == 3 && !applied.added.contains(file))
    return (shelf, file, applied.added)
  }

  @Test("a part at a time that no file has, from a damaged database, counts as the whole file")
  func damagedTimes() throws {
    let (shelf, _, parts) = try shelf()
    for column in ["part_start", "part_end"] {
      let value = column == "part_start" ? "1000000000000000000" : "9223372036854775807"
      try shelf.open.database.run("UPDATE item SET \(column) = \(value) WHERE id = \(parts[1].rawValue)")
      #expect(try shelf.titles().count == 3)
      #expect(try shelf.open.item(parts[1])?.item.part == nil)
    }
  }

  @Test("the parts are listed, searched, asked for and counted instead of their file")
  func listed() throws {
    let (shelf, file, parts) = try shelf()
    try shelf.reopen()
    #expect(try shelf.titles() == ["One", "Two", "Three"] && shelf.search("two") == ["Two"])
    #expect(
      try shelf.search("disc") == [] && shelf.titles("track > 1 and album == \"Album\"") == ["Two", "Three"])
    #expect(try shelf.titles("url == \"file:///m/disc.flac\"").count == 3)
    let counts = try shelf.open.counts()
    #expect(counts == LibraryCounts(tracks: 3, albums: 1, artists: 0))
    let two = try #require(try shelf.open.item(parts[1])?.item)
    #expect(two.part?.start.frames == 750 && two.part?.end?.frames == 7_500)
    #expect(try #require(try shelf.open.item(parts[2])?.item.part).end == nil)
    #expect(two.location == .file(Self.disc) && two.tags.duration == .seconds(2))
    #expect(try shelf.open.item(at: Self.disc, part: DiscTime(frames: 750)) == parts[1])
    let known = try shelf.open.knownFiles(below: "/m")
    #expect(known.map(\.id) == [file] && known.first?.isSheeted == true)
    #expect(try shelf.open.knownIndex(below: ["/m"]).count == 1)
  }

  @Test(
    "a sheet that changes leaves its parts their numbers and what was said of them, also where a border moved a little"
  )
  func edited() throws {
    let (shelf, file, parts) = try shelf()
    _ = try shelf.open.rate(parts[1], 4)
    _ = try shelf.open.note(parts[1], "mood", "calm")
    let applied = try shelf.apply(
      .update(file, Shelf.stamp(1), record(1, [0: "Uno", 800: "Due", 6_000: "New", 9_000: "Newer"])))
    #expect(try shelf.titles() == ["Uno", "Due", "New", "Newer"])
    #expect(
      applied.changed == Array(parts[..<2]) && applied.removed == [parts[2]] && applied.added.count == 2)
    #expect(try shelf.titles("rating == 4") == ["Due"] && shelf.open.notes(of: parts[1]) == ["mood": "calm"])
    #expect(try shelf.open.item(parts[1])?.item.part?.start.frames == 800)
    // The third one was kept for the time when it is back.
    try shelf.apply(.update(file, Shelf.stamp(1), record(1, [0: "One", 750: "Two", 7_500: "Three"])))
    #expect(try shelf.open.item(at: Self.disc, part: DiscTime(frames: 7_500)) == parts[2])
    #expect(try shelf.titles() == ["One", "Two", "Three"] && shelf.titles("rating == 4") == ["Two"])
  }

  @Test(
    "what is queued is told its item: the part's own, or else that of the whole file, and nothing that is not shown"
  )
  func listings() throws {
    let (shelf, file, parts) = try shelf()
    _ = try shelf.open.rate(parts[1], 4)
    func listed(_ start: Int?) throws -> LibraryListing? {
      let part = start.flatMap { FilePart(start: DiscTime(frames: $0), end: nil) }
      return try shelf.open.listings(of: [ItemSource("/m/none.flac"), ItemSource(Self.disc, part: part)]).last
        ?? nil
    }
    #expect(try listed(750)?.id == parts[1] && listed(750)?.listening.rating == 4)
    #expect(try listed(nil) == nil && listed(751) == nil)
    try shelf.apply(.update(file, Shelf.stamp(1), Shelf.record(1) { $0.title = "Disc" }))
    #expect(try listed(nil)?.id == file && listed(750)?.id == file, "a chapter is of its book")
  }

  @Test("of a book with chapters each chapter says when it was heard, and the last one counts for it")
  func chaptersHeard() throws {
    let (shelf, file, _) = try shelf()
    try shelf.apply(.update(file, Shelf.stamp(1), Shelf.record(1) { $0.title = "Book" }))
    func chapter(_ start: Int, _ end: Int?) -> ItemSource {
      ItemSource(
        Self.disc, part: FilePart(start: DiscTime(frames: start), end: end.map(DiscTime.init(frames:))))
    }
    func listening() throws -> ListeningRecord? {
      try shelf.open.listings(of: [ItemSource(Self.disc)]).first??.listening
    }
    #expect(try shelf.open.countPlay(of: chapter(0, 750), at: 5))
    #expect(try listening()?.playCount == 0 && listening()?.lastPlayed == 5)
    #expect(try !shelf.open.countSkip(of: chapter(0, 750)))
    #expect(try shelf.open.countPlay(of: chapter(751, nil), at: 9))
    #expect(try listening()?.playCount == 1 && listening()?.lastPlayed == 9 && listening()?.skipCount == 0)
    #expect(try !shelf.open.countPlay(of: ItemSource("/m/none.flac"), at: 9))
  }

  @Test("the tracks of two discs that exchanged their names keep what was said of them")
  func exchangedDiscs() throws {
    let (shelf, file, parts) = try shelf()
    try shelf.apply(
      .add("/m/other.flac", Shelf.stamp(2), record(2, [0: "Eins", 750: "Zwei", 7_500: "Drei"])))
    let other = try #require(try shelf.open.item(at: "/m/other.flac"))
    for part in parts { _ = try shelf.open.rate(part, 5) }
    // New tags were written, so the files are read anew.
    try shelf.apply(.update(file, Shelf.stamp(12), record(2, [0: "Eins", 750: "Zwei", 7_500: "Drei"])))
    try shelf.apply(.update(other, Shelf.stamp(11), record(1, [0: "One", 750: "Two", 7_500: "Three"])))
    _ = try shelf.open.handOver()
    #expect(try Set(shelf.titles("rating == 5")) == ["One", "Two", "Three"])
    // A better sound of the same disc keeps them, if no file has come with the old one.
    try shelf.apply(.update(other, Shelf.stamp(13), record(3, [0: "One", 750: "Two", 7_500: "Three"])))
    _ = try shelf.open.handOver()
    #expect(try Set(shelf.titles("rating == 5")) == ["One", "Two", "Three"])
  }

  @Test("a file whose sheet is gone is one item, and its parts are back with the sheet")
  func gone() throws {
    let (shelf, file, parts) = try shelf()
    _ = try shelf.open.countPlay(parts[0], at: 5)
    let applied = try shelf.apply(.update(file, Shelf.stamp(1), Shelf.record(1) { $0.title = "Disc" }))
    #expect(applied.added == [file] && Set(applied.removed) == Set(parts))
    #expect(try shelf.titles() == ["Disc"] && shelf.search("one") == [] && shelf.search("disc") == ["Disc"])
    let back = try shelf.apply(
      .update(file, Shelf.stamp(1), record(1, [0: "One", 750: "Two", 7_500: "Three"])))
    #expect(back.removed == [file] && back.added == parts)
    #expect(try shelf.titles("playCount == 1") == ["One"])
  }

  @Test("parts go with their file when it is moved, exchanged, hidden, shown and forgotten")
  func moved() throws {
    let (shelf, file, parts) = try shelf()
    _ = try shelf.open.rate(parts[2], 5)
    try shelf.apply(.add("/m/other.flac", Shelf.stamp(2), record(2, [0: "Eins", 900: "Zwei"])))
    let other = try #require(try shelf.open.item(at: "/m/other.flac"))
    try shelf.apply(
      .move(file, "/m/other.flac", Shelf.stamp(1)), .move(other, Self.disc, Shelf.stamp(2)))
    #expect(try shelf.open.item(at: "/m/other.flac", part: DiscTime(frames: 7_500)) == parts[2])
    #expect(try shelf.titles("url == \"file:///m/disc.flac\"") == ["Eins", "Zwei"])
    let hidden = try shelf.apply(.hide(file))
    #expect(hidden.removed == parts)
    #expect(try shelf.titles() == ["Eins", "Zwei"] && shelf.search("three") == [])
    let shown = try shelf.apply(.move(file, "/m/x.flac", Shelf.stamp(1)))
    #expect(shown.added == parts)
    #expect(try shelf.titles("rating == 5") == ["Three"] && shelf.search("three") == ["Three"])
    try shelf.apply(.hide(file))
    #expect(try shelf.open.purge(olderThan: shelf.now + 1).count == 4)
    #expect(try shelf.open.knownFiles(below: "/m").map(\.path) == [Self.disc])
    // What was said of a part is back with its sound, wherever that is.
    try shelf.apply(
      .add("/m/y.flac", Shelf.stamp(3), record(1, [0: "One", 750: "Two", 7_500: "Three"])))
    #expect(try shelf.open.handOver().count == 1)
    #expect(try shelf.titles("rating == 5") == ["Three"])
  }

  @Test(
    "a folder that is taken out takes the parts with it, and a file that takes the place of a cut one too")
  func removed() throws {
    let (shelf, _, parts) = try shelf()
    let plain = try shelf.add(2, "/m/plain.flac") { $0.title = "Plain" }
    let applied = try shelf.apply(.move(plain, Self.disc, Shelf.stamp(2)))
    #expect(Set(applied.removed) == Set(parts))
    #expect(try shelf.titles() == ["Plain"])
    try shelf.open.addFolder("/m", at: 1)
    try shelf.apply(.add("/m/b.flac", Shelf.stamp(3), record(3, [0: "One", 750: "Two"])))
    #expect(try shelf.open.removeFolder("/m")?.count == 3)
    #expect(try shelf.open.counts() == LibraryCounts())
    #expect(try shelf.open.database.number("SELECT count(*) FROM item") == 0)
  }

  @Test("what was said of parts is exported and taken over, and survives a library that is made anew")
  func carried() throws {
    let (shelf, _, parts) = try shelf()
    _ = try shelf.open.rate(parts[1], 3)
    var entries: [ListeningEntry] = []
    try shelf.open.exportListening { entries.append($0) }
    #expect(entries.map(\.start?.frames) == [750])
    let lines = entries.map { ListeningFile.bytes($0) }.reduce(ListeningFile.header(at: 1), +)
    let read = try ListeningFile.read(lines)
    #expect(read.lines == entries.map { .sound($0) } && read.report.unreadable == 0)

    let other = try Shelf()
    #expect(try other.open.importListening(entries).waiting == 1)
    try other.apply(.add("/n/a.flac", Shelf.stamp(9), record(1, [0: "One", 750: "Two", 7_500: "Three"])))
    #expect(try other.open.handOver().count == 1)
    #expect(try other.titles("rating == 3") == ["Two"])
    #expect(try other.open.importListening(entries).bySound == 1)

    shelf.close()
    for name in shelf.folder.names(in: "data") where name.hasPrefix("library.db") {
      #expect(unlink(shelf.folder.path("data/\(name)")) == 0)
    }
    try shelf.reopen()
    try shelf.apply(.add(Self.disc, Shelf.stamp(1), record(1, [0: "One", 750: "Two", 7_500: "Three"])))
    #expect(try shelf.titles("rating == 3") == ["Two"])
  }

  @Test("a sheet is known and no item, and a file is measured as a whole for all its parts")
  func sheets() throws {
    let (shelf, file, parts) = try shelf()
    try shelf.apply(.sheet("/m/disc.cue", Shelf.stamp(5)))
    try shelf.apply(.sheet("/m/disc.cue", Shelf.stamp(6)))
    let sheet = try #require(try shelf.open.knownFiles(in: ["/m"]).first { $0.path.isSheet })
    #expect(sheet.stamp == Shelf.stamp(6))
    #expect(try shelf.open.knownFiles(in: ["/"]) == [] && shelf.titles().count == 3)
    try shelf.apply(.forget(sheet.id))
    #expect(try shelf.open.knownFiles(in: ["/m"]).map(\.id) == [file])

    #expect(try shelf.open.unmeasured(of: ItemQuery(try Predicate("track == 2")), at: shelf.time) == [file])
    #expect(try shelf.open.loudnessCounts().unmeasured == 1)
    let found = MeasuredLoudness(integrated: -20, peak: 0.5, blocks: LoudnessBlocks())
    #expect(try shelf.open.note(.success(found), of: file, size: 1, modified: 7))
    #expect(try shelf.open.measuredGains(at: Self.disc)?.trackGain == 2)
    #expect(try shelf.open.item(parts[0])?.item.id == parts[0])
  }

  /// A folder with the database of a library as an older fermata made it, with what `fill` writes into it.
  private func formerLibrary(version: Int, _ fill: (Database) throws -> Void) throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    try folder.makeFolder("data")
    let library = try Database(folder.path("data/library.db"))
    try DatabaseVersion(
      application: LibraryTables.libraryApplication, Array(LibraryTables.libraryMigrations[..<version])
    ).bring(library)
    try fill(library)
    return folder
  }

  @Test("a library of the version before keeps its items, their numbers and what was said of them")
  func migrated() throws {
    let listening = DatabaseVersion(
      application: LibraryTables.listeningApplication, Array(LibraryTables.listeningMigrations[..<2]))
    let folder = try formerLibrary(version: 3) { library in
      try library.run(
        """
        INSERT INTO item (id, path, size, modified, inode, device, fingerprint, state, added, record, title, is_titled,
          folded, key, further, compilation, media_type, has_picture, rating, play_count, skip_count)
        VALUES (7, CAST('/m/a.mp3' AS BLOB), 1, 7, 1, 1, NULL, 0, 99, 1, 'Song', 1, 'song', x'01', 0, 0, 0, 0, 4, 2, 1);
        INSERT INTO counter VALUES ('listening', 3);
        """)
    }
    do {
      let said = try Database(folder.path("data/listening.db"))
      try listening.bring(said)
      try said.run(
        """
        INSERT INTO record VALUES (1, NULL, CAST('/m/a.mp3' AS BLOB), 4, 2, 1, 50, NULL);
        INSERT INTO counter VALUES ('listening', 3);
        """)
    }
    let (store, damage) = try LibraryStore.open(in: folder.path("data"))
    #expect(damage == [])
    let item = try #require(try store.item(MediaItem.ID(rawValue: 7)))
    #expect(item.item.displayTitle == "Song" && item.item.part == nil && item.added == 99)
    #expect(item.item.listening.rating == 4 && item.item.listening.playCount == 2)
    #expect(try store.rate(MediaItem.ID(rawValue: 7), 5))
    var entries: [ListeningEntry] = []
    try store.exportListening { entries.append($0) }
    #expect(entries.map(\.listening.rating) == [5] && entries.map(\.start) == [nil])
    #expect(try store.knownIndex(below: ["/m"]).count == 1)
  }

  @Test("a library of the version before orders names as one of today: signs outside ASCII no longer count")
  func renewedKeys() throws {
    let folder = try formerLibrary(version: 4) { library in
      try library.run(
        """
        INSERT INTO name VALUES (1, 1, '…And B', '…and b', CAST('…and b' AS BLOB), 1);
        INSERT INTO name VALUES (2, 1, 'A', 'a', CAST('a' AS BLOB), 1);
        INSERT INTO album VALUES (1, '¡The 7!', '…And B', '¡the 7!', CAST('¡the 0' || x'0137' || '!' AS BLOB),
          CAST('…and b' || x'0001' || '¡the 0' || x'0137' || '!' AS BLOB), 1, 1);
        INSERT INTO album VALUES (2, '', 'A', '', x'', CAST('a' || x'0000' AS BLOB), 0, 1);
        """)
      for (id, title) in [(1, "♥"), (2, "…c")] {
        try library.run(
          """
          INSERT INTO item (id, path, part_start, size, modified, inode, device, state, sheeted, added, title, is_titled,
            folded, key, album, artist, further, compilation, media_type, has_picture, rating, play_count, skip_count)
          VALUES (\(id), CAST('/m/\(id)' AS BLOB), -1, 1, 7, 1, 1, 0, 0, 99, '\(title)', 1, '\(title)',
            CAST('\(title)' AS BLOB), \(id), \(id), 0, 0, 0, 0, 0, 0, 0);
          """)
      }
    }
    do {
      let (store, damage) = try LibraryStore.open(in: folder.path("data"))
      #expect(damage == [])
      let time = QueryTime(now: 0)
      let wanted: [(Grouping, [String])] = [(.artist, ["A", "A"]), (.album, ["#"]), (.title, ["#", "C"])]
      for (grouping, sections) in wanted {
        let found = try store.collections(of: ItemQuery(), by: grouping, at: time).collections
        #expect(found.map(\.section) == sections, "\(grouping)")
      }
    }
    let library = try Database(folder.path("data/library.db"))
    let places = try library.prepare("SELECT key, place FROM album ORDER BY place")
    var found: [[UInt8]] = []
    while try places.step() { found += [places.bytes(0), places.bytes(1)] }
    let seven = Array("0\u{1}7!".utf8)
    #expect(found == [[], Array("a\0\0".utf8), seven, Array("and b\0\u{1}".utf8) + seven])
  }

  @Test(
    "a library of the version before: letters in parts are found as whole ones, and single tracks are sorted")
  func renewedTexts() throws {
    let (parted, whole) = ("\u{1112}\u{1161}\u{11ab}", "한")
    let shelf = try Shelf()
    // A key is cut after 120 bytes, of which the parts take more.
    let long = Array(repeating: parted, count: 30).joined(separator: " ")
    for (number, title) in ["y \(parted)", "x \(parted)", long].enumerated() {
      _ = try shelf.add(number, try #require(FilePath("/m/\(number).mp3"))) {
        ($0.title, $0.artist, $0.comment) = (title, [parted], parted)
      }
    }
    for (number, artists) in [(3, [parted]), (4, []), (5, [long])] {
      _ = try shelf.add(number, try #require(FilePath("/m/\(number).mp3"))) {
        ($0.title, $0.album, $0.albumArtist) = ("c", "x \(parted)", artists)
        $0.isCompilation = artists.isEmpty
      }
    }
    let made = try shelf.rows()
    shelf.close()
    do {
      // The texts as the version before wrote them.
      let old = try Database(shelf.folder.path("data/library.db"))
      let inParts = { ($0 as [UInt8]).replacing(Array(whole.utf8), with: Array(parted.utf8)) }
      try old.defineText("parted", inParts)
      try old.defineText("parted_row") {
        SearchTable.encode((SearchTable.texts(of: $0) ?? [:]).mapValues(inParts))
      }
      try old.defineText("key_of") { OrderKey.bytes(folded: $0) }
      try old.defineText("artist_key") {
        OrderKey.bytes(folded: inParts(TextFolding.bytes(String(decoding: $0, as: UTF8.self))))
      }
      try old.run(
        """
        UPDATE item SET folded = parted(folded), key = CAST(key_of(parted(folded)) AS BLOB),
          folded_comment = parted(folded_comment);
        UPDATE name SET folded = parted(folded), key = CAST(key_of(parted(folded)) AS BLOB);
        UPDATE album SET folded = parted(folded), key = CAST(key_of(parted(folded)) AS BLOB), place = CAST(
          iif(artist = '', x'ff', artist_key(artist)) || iif(is_named, x'0001' || key_of(parted(folded)), x'0000') AS BLOB);
        UPDATE search SET bytes = CAST(parted_row(bytes) AS BLOB);
        DROP INDEX album_artist; DROP INDEX item_place; ALTER TABLE item DROP COLUMN unnumbered_key; ALTER TABLE item DROP COLUMN changed; CREATE INDEX item_place ON item (state, album);
        PRAGMA user_version = 5;
        """)
    }
    try shelf.reopen()
    #expect(shelf.damage == [])
    #expect(try shelf.rows() == made && !made.isEmpty)
    #expect(try shelf.search("\(whole) x") == ["x \(parted)", "c", "c", "c"])
    let commented = try shelf.titles("comment contains \"\(whole)\"")
    #expect(commented.prefix(2) == ["x \(parted)", "y \(parted)"])
  }
}

extension Shelf {
  /// What the tables have for the search and for sorting, row by row.
  fileprivate func rows() throws -> [[UInt8]] {
    var rows: [[UInt8]] = []
    for table in [
      "SELECT folded, key, unnumbered_key, folded_comment FROM item", "SELECT folded, key, '', '' FROM name",
      "SELECT folded, key, place, '' FROM album", "SELECT bytes, '', '', '' FROM search",
    ] {
      let statement = try open.database.prepare(table)
      while try statement.step() { rows += (0..<4).map { statement.bytes($0) } }
    }
    return rows
  }
}
