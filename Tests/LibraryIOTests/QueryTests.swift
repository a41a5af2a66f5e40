// SPDX-License-Identifier: MIT
import FermataTestKit
import LibraryIO
import LibraryModel
import LibraryQuery
import MediaModel
import SQLiteIO
import Testing

@Suite("Questions to the library")
struct QueryTests {
  /// A library of random files, some of them rated and heard, and all its items.
  private func library(_ count: Int, seed: UInt64) throws -> (Shelf, [LibraryItem]) {
    let shelf = try Shelf()
    // In the years of which the random dates are, so that moments are compared with them too.
    shelf.now = 880_000_000
    var random = RandomFiles(seed: seed)
    for part in 0..<4 {
      let changes = try (0..<count / 4).map { number in
        let path = try #require(FilePath("/music/\(random.word())/\(part)-\(number).mp3"))
        let record = FileRecord(tags: random.tags(), fingerprint: Shelf.print(part * count + number))
        return FileChange.add(path, Shelf.stamp(number), record)
      }
      let added = try shelf.open.apply(changes, at: shelf.now).added
      for id in added where random.chance(30) {
        _ = try shelf.open.rate(id, random.below(6))
        if random.chance(50) {
          _ = try shelf.open.countPlay(id, at: shelf.now - Int64(random.below(99)) * 40_000)
        }
        if random.chance(30) { _ = try shelf.open.countSkip(id) }
      }
      shelf.now += 400_000
    }
    return (shelf, try shelf.open.page(of: ItemQuery(), at: shelf.time).items)
  }

  @Test(
    "a duration of whole milliseconds is met exactly, though 1.001 s is no whole number of microseconds when multiplied"
  )
  func exactDuration() throws {
    let shelf = try Shelf()
    _ = try shelf.add(1, "/m/a.mp3") { $0.duration = .milliseconds(1_001) }
    for test in ["== 1.001", "<= 1.001", ">= 1.001", "in 1.001..1.001"] {
      #expect(try shelf.titles("duration \(test)") == ["a"], "\(test)")
    }
    #expect(try shelf.titles("duration > 1.001").isEmpty && shelf.titles("duration < 1.001").isEmpty)
  }

  @Test(
    "a playlist that asks what SQLite can't parse is refused, and one that is there all the same is empty")
  func tooDeep() throws {
    let shelf = try Shelf()
    _ = try shelf.add(1, "/m/a.mp3") { $0.artist = ["z"] }
    // Of two branches that nest as deep, only one can come first.
    func chain(_ depth: Int) -> String {
      (0..<depth).reduce("artist == \"a\"") { "(artist == \"b\" \($1 % 2 == 0 ? "or" : "and") \($0))" }
    }
    let text = (0..<18).reduce("artist == \"c\"") { "(\(chain($1)) \($1 % 2 == 0 ? "and" : "or") \($0))" }
    let predicate = try Predicate(text)
    let list = SmartPlaylist("Odd", predicate)
    let isRefused = try shelf.open.refusal(of: list.query(), at: shelf.time) != nil
    _ = try shelf.open.save(list, replacing: true)
    #expect(try shelf.open.extent(of: list, at: shelf.time).count == 0)
    #expect(try shelf.open.playlists(ItemQuery(), at: shelf.time).total == 1)
    if !isRefused { #expect(throws: Never.self) { _ = try shelf.open.ids(of: list.query(), at: shelf.time) } }
  }

  @Test("a predicate whose levels are chains of conditions may nest as deep as our own parser allows")
  func deepPredicates() throws {
    let shelf = try Shelf()
    _ = try shelf.add(1, "/m/a.mp3") { $0.artist = ["z"] }
    let few = "year == 1 or year == 2"
    let many = (1...24).map { "artist contains \"\($0)\"" }.joined(separator: " or ")
    for (begin, end, depth) in [
      ("(\(few) and ", ")", 19), ("(\(many) or ", ")", 18), ("(\(many) and ", " or \(few))", 17),
      ("(", " or \(many))", 18),
      ("not (\(few) or not ", ")", 6), ("not (cloud and \(few) or ", " and cloud)", 9), ("not ", "", 19),
    ] {
      let text = String(repeating: begin, count: depth) + "cloud" + String(repeating: end, count: depth)
      let query = ItemQuery(try Predicate(text))
      #expect(throws: Never.self, "\(depth) times \(begin)…\(end)") {
        _ = try shelf.open.ids(of: query, at: shelf.time)
        _ = try shelf.open.collections(of: query, by: .album, at: shelf.time)
      }
    }
  }

  @Test("a part of a URI is found as it is written in one, and as people read it")
  func plainURIs() throws {
    let shelf = try Shelf()
    _ = try shelf.add(1, "/m/Live at Leeds/Café.mp3") { $0.title = "a" }
    _ = try shelf.add(2, "/m/50%off.mp3") { $0.title = "b" }
    #expect(
      try shelf.titles("url contains \"50%off\"") == ["b"]
        && shelf.titles("url contains \"50%25off\"") == ["b"])
    for part in ["Live at Leeds", "live%20at", "Café", "caf%C3%A9", "leeds/Cafe\u{301}"] {
      #expect(try shelf.titles("url contains \"\(part)\"") == ["a"], "\(part)")
    }
    #expect(try shelf.titles("url begins \"file:///m/Live at\"") == ["a"])
    #expect(try shelf.titles("url contains \"Live  at\"").isEmpty)
  }

  @Test("items that are asked for by their numbers are looked up, and found as by any other condition")
  func numbers() throws {
    let shelf = try Shelf()
    let ids = try (1...9).map { number in
      try shelf.add(number, try #require(FilePath("/m/\(number).mp3"))) { $0.title = "song \(10 - number)" }
        .rawValue
    }
    let (one, two, three) = (ids[0], ids[1], ids[2])
    for (text, titles) in [
      ("id in [\(three), \(one), \(three), 99999]", ["song 7", "song 9"]), ("id == \(two)", ["song 8"]),
      ("id in []", []), ("id in [\(one), \(two)] and title contains \"8\"", ["song 8"]),
    ] as [(String, [String])] {
      let page = try shelf.open.page(
        of: ItemQuery(try Predicate(text), sort: [SortKey(.title)]), at: shelf.time)
      #expect(page.items.map(\.item.displayTitle) == titles && page.total == titles.count, "\(text)")
      #expect(try shelf.open.ids(of: ItemQuery(try Predicate(text)), at: shelf.time).count == titles.count)
    }
    func named(_ text: String, search: String = "") throws -> [Int64]? {
      ItemQuery(try Predicate(text), search: search).namedItems
    }
    #expect(
      try named("id in [3, 1, 3]") == [1, 3] && named("id == 7") == [7] && named("id in []") == [])
    #expect(try named("not id in [1]") == nil && named("id in [1]", search: "x") == nil)
    #expect(try named("albumID in [1]") == nil && named("id in [1] and year > 1990") == nil)
  }

  @Test("a moment without a time zone is one of the caller's clocks")
  func callersClock() throws {
    let shelf = try Shelf()
    shelf.now = 1_000_000_000  // 2001-09-09T01:46:40Z
    _ = try shelf.add(1, "/m/a.mp3") { $0.title = "a" }
    // Two hours ahead of UTC.
    let time = QueryTime(now: shelf.now) { $0 - 7_200 }
    for (text, isFound) in [
      ("2001-09-09T03:46:40", true), ("2001-09-09T03:46:41", false), ("2001-09-09T01:46:40Z", true),
      ("2001-09-09T01:46:41Z", false), ("2001-09-09T02:46:40+01:00", true),
    ] {
      let ids = try shelf.open.ids(of: ItemQuery(try Predicate("added >= \"\(text)\"")), at: time)
      #expect(ids.isEmpty != isFound, "\(text)")
    }
  }

  @Test("2,000 random predicates find in the database what a plain filter finds")
  func predicates() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    let (shelf, items) = try library(240, seed: seed)
    #expect(items.count == 240)
    let naive = NaiveFilter(time: shelf.time)
    var random = RandomPredicate(seed: seed)
    var found = 0
    for _ in 0..<2_000 {
      let predicate = random.predicate()
      // Which further names have which numbers is nothing an item tells.
      let text = predicate.description
      if ["artistID", "albumArtistID", "composerID", "genreID"].contains(where: {
        NaiveFilter.contains(text, $0)
      }) {
        continue
      }
      let expected = Set(items.filter { naive.meets($0, predicate) }.compactMap(\.item.id))
      let ids = try shelf.open.ids(of: ItemQuery(predicate), at: shelf.time)
      try #require(Set(ids) == expected && ids.count == expected.count, "seed \(seed): \(text)")
      let byTitle = ItemQuery(predicate, sort: [try SortKey(.title), try SortKey(.year, isDescending: true)])
      try #require(try Set(shelf.open.ids(of: byTitle, at: shelf.time)) == expected, "seed \(seed): \(text)")
      found += expected.isEmpty ? 0 : 1
    }
    #expect(found > 500)
  }

  @Test("the pages of a list are the list, in whatever order and beside whatever else they are asked for")
  func pagesOfOneList() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    let (shelf, _) = try library(200, seed: seed)
    var random = RandomPredicate(seed: seed)
    var turns = SeededGenerator(seed: seed)
    let sorts: [[SortKey]] = [
      [], [try SortKey(.title)], [try SortKey(.year, isDescending: true), try SortKey(.artist)],
    ]
    for _ in 0..<150 {
      let predicate = turns.next() % 4 == 0 ? nil : random.predicate()
      let query = ItemQuery(
        predicate, search: turns.next() % 3 == 0 ? "a" : "", sort: sorts[Int(turns.next() % 3)])
      let grouping = Grouping.allCases[Int(turns.next() % 8)]
      let whole = try shelf.open.page(of: query, at: shelf.time)
      let groups = try shelf.open.collections(of: query, by: grouping, at: shelf.time)
      var (items, collections) = ([LibraryItem](), [ItemCollection]())
      var page = query
      page.limit = 1 + Int(turns.next() % 30)
      while items.count < whole.total {
        page.offset = items.count
        let part = try shelf.open.page(of: page, at: shelf.time)
        try #require(part.total == whole.total && !part.items.isEmpty, "seed \(seed): \(query)")
        items += part.items
        // In between, something else is asked, or everything changes.
        if turns.next() % 5 == 0 {
          _ = try shelf.open.page(of: ItemQuery(limit: 3, offset: 2), at: shelf.time)
        }
        if turns.next() % 5 == 0, let id = items[0].item.id {
          try shelf.apply(.hide(id), .show(id, Shelf.stamp(1)))
        }
      }
      while collections.count < groups.total {
        page.offset = collections.count
        let part = try shelf.open.collections(of: page, by: grouping, at: shelf.time)
        try #require(part.total == groups.total && !part.collections.isEmpty, "seed \(seed): \(query)")
        collections += part.collections
      }
      #expect(items.map(\.item.id) == whole.items.map(\.item.id), "seed \(seed): \(query)")
      #expect(collections == groups.collections, "seed \(seed): \(query), \(grouping)")
    }
  }

  @Test("a list that is read page by page does not show what has changed before its last page was asked for")
  func changesBetweenPages() throws {
    let shelf = try Shelf()
    for number in 0..<30 {
      _ = try shelf.add(number, try #require(FilePath("/m/\(number + 100).mp3"))) {
        $0.album = "A\(number % 9)"
      }
    }
    func page(_ offset: Int) throws -> [String] {
      try shelf.titles(ItemQuery(sort: [try SortKey(.title)], limit: 5, offset: offset))
    }
    #expect(try page(0).first == "100" && page(5).first == "105" && page(10).first == "110")
    let third = try #require(
      try shelf.open.page(of: ItemQuery(try Predicate("title == \"103\"")), at: shelf.time).items.first?.item
        .id)
    try shelf.apply(.hide(third))
    #expect(try page(10).first == "111")
    #expect(try shelf.open.rate(third, 5) && page(15).first == "116")
    shelf.now += 1_000
    #expect(try page(20).first == "121" && page(25).count == 4)
  }

  @Test(
    "an artist's albums stand together where some files have a text to sort the artist by, whichever is read first"
  )
  func sortTags() throws {
    func tags(_ artist: String, _ album: String, _ sort: String? = nil) -> (inout MediaTags) -> Void {
      {
        ($0.title, $0.albumArtist, $0.album) = (album, [artist], album)
        $0.sort = SortNames(albumArtist: sort)
      }
    }
    let shelf = try Shelf()
    _ = try shelf.add(1, "/m/1.mp3", tags("David Bowie", "Low"))
    _ = try shelf.add(2, "/m/2.mp3", tags("Cher", "Believe"))
    #expect(try shelf.titles() == ["Believe", "Low"])
    _ = try shelf.add(3, "/m/3.mp3", tags("David Bowie", "Heroes", "Bowie, David"))
    #expect(try shelf.titles() == ["Heroes", "Low", "Believe"])
    _ = try shelf.add(4, "/m/4.mp3", tags("David Bowie", "Lodger"))
    try shelf.reopen()
    _ = try shelf.add(5, "/m/5.mp3", tags("David Bowie", "Aladdin Sane"))
    #expect(try shelf.titles() == ["Aladdin Sane", "Heroes", "Lodger", "Low", "Believe"])
    // And so for an album's own text, which other files of it need not have.
    try shelf.apply(
      .update(
        try #require(
          try shelf.open.ids(of: ItemQuery(try Predicate("title == \"Low\"")), at: shelf.time).first),
        Shelf.stamp(9),
        Shelf.record(1) {
          tags("David Bowie", "Low")(&$0)
          $0.sort = SortNames(album: "Zlow")
        }))
    _ = try shelf.add(6, "/m/6.mp3", tags("David Bowie", "Low"))
    _ = try shelf.add(7, "/m/7.mp3", tags("Cher", "X", "Zcher"))
    #expect(
      try shelf.titles() == ["Aladdin Sane", "Heroes", "Lodger", "Low", "Low", "Believe", "X"])
  }

  @Test(
    "tracks without numbers: those without an album are in the order of their titles, others of their files")
  func singles() throws {
    let shelf = try Shelf()
    let files: [(file: String, title: String?, album: String?)] = [
      ("z10", nil, nil), ("q", "The Ant", nil), ("z9", nil, nil), ("2", "Zweites", "A"),
      ("1", "Allegro", "B"),
      ("10", "Abends", "A"), ("3", "Zugabe", "A"),
    ]
    var ids: [MediaItem.ID] = []
    for (number, file) in files.enumerated() {
      ids.append(
        try shelf.add(number, try #require(FilePath("/m/\(file.file).mp3"))) {
          ($0.title, $0.album) = (file.title, file.album)
        })
    }
    let albums = ["Zweites", "Zugabe", "Abends", "Allegro"]
    #expect(try shelf.titles() == ["The Ant", "z9", "z10"] + albums)
    #expect(try shelf.titles(ItemQuery(sort: [try SortKey(.genre)])) == ["The Ant", "z9", "z10"] + albums)
    #expect(try shelf.search("z") == ["z9", "z10", "Zweites", "Zugabe"])
    // A file without a title has another one when it is renamed, and a track may get an album or lose it.
    try shelf.apply(.move(ids[2], "/m/aa.mp3", Shelf.stamp(2)))
    try shelf.apply(.update(ids[0], Shelf.stamp(8), Shelf.record(0) { $0.album = "B" }))
    try shelf.apply(.update(ids[3], Shelf.stamp(9), Shelf.record(3) { $0.title = "Zu" }))
    try shelf.apply(.move(ids[6], "/m/11.mp3", Shelf.stamp(6)))
    #expect(try shelf.titles() == ["aa", "The Ant", "Zu", "Abends", "Zugabe", "Allegro", "z10"])
  }

  @Test("an album without numbers whose disks have folders of their own is in the order of these")
  func disks() throws {
    let shelf = try Shelf()
    for (number, file) in ["CD 2/01", "CD 10/01", "CD 1/02", "CD 1/01", "CD 2/02"].enumerated() {
      _ = try shelf.add(number, try #require(FilePath("/m/Book/\(file).mp3"))) {
        ($0.title, $0.album) = (file, "Book")
      }
    }
    #expect(try shelf.titles() == ["CD 1/01", "CD 1/02", "CD 2/01", "CD 2/02", "CD 10/01"])
  }

  @Test(
    "a letter that is written as one character is found where it was written in parts",
    arguments: [
      ("\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}", "한글"), ("\u{1100}\u{1161} x", "가"),
      ("カ\u{3099}ラスハ\u{309a}", "ガラスパ"),
      ("ひひ\u{3099}う\u{3099}", "ひびゔ"), ("\u{627}\u{653}ب", "آب"), ("\u{928}\u{93c}", "\u{929}"),
    ])
  func parts(parted: String, whole: String) throws {
    #expect(TextFolding.fold(parted).hasPrefix(whole) && TextFolding.fold(whole) == whole)
    // Parts that can't be joined stay as they are.
    #expect(TextFolding.bytes("あ\u{3099}\u{11ab}é") == Array("あ\u{3099}\u{11ab}e".utf8))
    let shelf = try Shelf()
    _ = try shelf.add(1, "/m/1.mp3") { ($0.title, $0.artist, $0.comment) = (parted, [parted], parted) }
    #expect(try shelf.search(whole).count == 1 && shelf.titles("artist begins \"\(whole)\"").count == 1)
  }

  @Test("a predicate and its negation part the library in two")
  func halves() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    let (shelf, _) = try library(80, seed: seed)
    var random = RandomPredicate(seed: seed)
    for _ in 0..<300 {
      let predicate = random.predicate()
      let both = try [predicate, .not(predicate)].map {
        try shelf.open.page(of: ItemQuery($0, limit: 0), at: shelf.time).total
      }
      #expect(both.reduce(0, +) == 80, "seed \(seed): \(predicate)")
    }
  }

  @Test("a search finds the items that have every word somewhere, whatever was changed before")
  func search() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    let (shelf, items) = try library(1_200, seed: seed)
    var random = RandomFiles(seed: seed)
    for item in items where random.chance(40) {
      let id = try #require(item.item.id)
      try shelf.apply(
        random.chance(50) ? .hide(id) : .update(id, Shelf.stamp(1), FileRecord(tags: random.tags())))
    }
    let shown = try shelf.open.page(of: ItemQuery(), at: shelf.time).items
    for text in [
      "r", "ro", "ROCK", "beat the", "ß", "жу 2", "x y", "o'n", "é 10 a", "zz", "\"", "e e e", "\\",
      // As somebody types, and takes letters back. `lastSearch` narrows what was found before.
      "b", "be", "be t", "be th", "be t", "be r", "eb r", "be ro", "o", "r o", "ro", "ro b", "ro be", "b",
    ] {
      let words = TextFolding.words(text)
      let expected = shown.filter { item in
        let tags = item.item.tags
        let fields =
          [item.item.displayTitle, tags.album ?? ""] + tags.artist + tags.albumArtist + tags.composer
          + tags.genre
        return words.allSatisfy { word in fields.contains { NaiveFilter.contains(TextFolding.fold($0), word) }
        }
      }
      let page = try shelf.open.page(of: ItemQuery(search: text), at: shelf.time)
      #expect(page.items.map(\.item.id) == expected.map(\.item.id), "seed \(seed): \(text)")
      #expect(page.total == expected.count)
    }
  }

  @Test("pages of a list are parts of it, and the total is that of the whole")
  func pages() throws {
    let (shelf, items) = try library(400, seed: 5)
    for query in [
      ItemQuery(), ItemQuery(search: "r"), ItemQuery(sort: [try SortKey(.added, isDescending: true)]),
    ] {
      let whole = try shelf.open.ids(of: query, at: shelf.time)
      var part = query
      (part.limit, part.offset) = (7, 30)
      let page = try shelf.open.page(of: part, at: shelf.time)
      #expect(page.items.compactMap(\.item.id) == Array(whole[30..<37]) && page.total == whole.count)
    }
    #expect(items.count == 400)
  }

  @Test("collections have the items of a name, those with several names in each of theirs")
  func collections() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    let (shelf, items) = try library(300, seed: seed)
    let groups: [(Grouping, (LibraryItem) -> [String])] = [
      (.artist, { $0.item.tags.artist }), (.albumArtist, { $0.item.tags.albumArtist }),
      (.composer, { $0.item.tags.composer }), (.genre, { $0.item.tags.genre }),
      (.title, { [$0.item.displayTitle] }),
      (.podcast, { $0.podcast.map { [$0] } ?? [] }),
    ]
    for (grouping, names) in groups {
      let page = try shelf.open.collections(of: ItemQuery(), by: grouping, at: shelf.time)
      var counts: [[UInt8]: Int] = [:]
      for name in items.flatMap(names) { counts[Array(name.utf8), default: 0] += 1 }
      let found = Dictionary(uniqueKeysWithValues: page.collections.map { (Array($0.title.utf8), $0.count) })
      #expect(found == counts && page.total == counts.count, "seed \(seed): \(grouping)")
      #expect(page.collections.allSatisfy { $0.representative.map(names)?.contains($0.title) == true })
    }
    let albums = try shelf.open.collections(of: ItemQuery(), by: .album, at: shelf.time)
    for album in albums.collections {
      let number = try #require(album.id)
      let inside = items.filter { $0.names.album == number }
      #expect(inside.count == album.count && Set(inside.map(\.item.tags.album)) == [album.title])
      #expect(inside.compactMap(\.item.tags.duration).reduce(.zero, +) == album.duration)
    }
    let all = try shelf.open.collections(of: ItemQuery(), by: .artist, at: shelf.time).total
    #expect(all > 3)
    for query in [ItemQuery(offset: 9_999), ItemQuery(limit: 0), ItemQuery(limit: 0, offset: 9_999)] {
      #expect(try shelf.open.collections(of: query, by: .artist, at: shelf.time).total == all)
    }
    // The status of the library tells how many there are, also where songs have several artists.
    let counts = try shelf.open.counts()
    for (list, count) in [(LibraryList.albums, counts.albums), (.artists, counts.artists)] {
      let (query, grouping) = list.question
      let page = try shelf.open.collections(of: query, by: try #require(grouping), at: shelf.time)
      #expect(count == page.total && count == page.collections.count && count > 1, "seed \(seed): \(list)")
    }
  }

  @Test("the shelf stands by artist, album, disc and track; articles, case, accents and zeros don't count")
  func shelfOrder() throws {
    let shelf = try Shelf()
    let rows: [(String, String?, Int?, Int?)] = [
      ("The Beatles", "Abbey Road", 1, 2), ("the beatles", "abbey road", 1, 10), ("Beatles", nil, nil, nil),
      ("Äbba", "Album 10", 1, 1), ("ABBA", "Album 2", 1, 1), ("Zed", "A", 2, 1), ("Zed", "A", 1, 9),
    ]
    for (index, row) in rows.enumerated() {
      _ = try shelf.add(index, try #require(FilePath("/m/\(index)"))) { tags in
        (tags.title, tags.artist, tags.album, tags.disc, tags.track) = (
          "\(index)", [row.0], row.1, row.2, row.3
        )
      }
    }
    #expect(try shelf.titles() == ["4", "3", "2", "0", "1", "6", "5"])
    #expect(
      try shelf.titles(ItemQuery(sort: [try SortKey(.title, isDescending: true)])) == [
        "6", "5", "4", "3", "2", "1", "0",
      ])
    let artists = try shelf.open.collections(of: ItemQuery(), by: .artist, at: shelf.time).collections
    #expect(artists.map(\.section) == ["A", "A", "B", "B", "B", "Z"])
  }

  @Test("a track without a number of its disc is on the first one")
  func missingDisc() throws {
    let shelf = try Shelf()
    for (index, disc) in [nil, 1, nil, 1, 2].enumerated() {
      _ = try shelf.add(index, try #require(FilePath("/m/\(index)"))) { tags in
        (tags.title, tags.album, tags.disc, tags.track) = ("\(index)", "A", disc, index + 1)
      }
    }
    #expect(try shelf.titles() == ["0", "1", "2", "3", "4"])
    #expect(try shelf.titles(ItemQuery(sort: [try SortKey(.album)])) == ["0", "1", "2", "3", "4"])
  }

  @Test("signs before a name don't count, be they ASCII or not")
  func signs() throws {
    let shelf = try Shelf()
    let titles = ["…And Justice", "B", "¡Caramba!", "– The „D“", "(E)", "「あ」", "♥"]
    for (index, title) in titles.enumerated().reversed() {
      _ = try shelf.add(index, try #require(FilePath("/m/\(index)"))) { tags in
        (tags.title, tags.artist, tags.album) = (title, [title], title)
      }
    }
    #expect(try shelf.titles(ItemQuery(sort: [try SortKey(.title)])) == ["♥"] + titles.dropLast())
    #expect(try shelf.titles() == ["♥"] + titles.dropLast())
    for grouping in [Grouping.artist, .album] {
      let found = try shelf.open.collections(of: ItemQuery(), by: grouping, at: shelf.time).collections
      #expect(found.map(\.section) == ["#", "A", "B", "C", "D", "E", "あ"])
    }
  }

  @Test(
    "collections stand by name, or by the least or greatest of their items' values, or by the sum of lengths and counts"
  )
  func sortedCollections() throws {
    let shelf = try Shelf()
    let rows: [(album: String, genre: [String], year: Int?, seconds: Int, plays: Int)] = [
      ("Kind", ["Jazz"], 1959, 10, 1), ("Kind", ["Jazz"], 2009, 10, 1),
      ("Blue", ["Jazz", "Folk"], 1971, 15, 0),
      ("Void", ["Noise"], nil, 1, 0), ("Airs", ["Folk"], 1980, 30, 5),
    ]
    for (index, row) in rows.enumerated() {
      let id = try shelf.add(index, try #require(FilePath("/m/\(index)"))) { tags in
        (tags.album, tags.genre, tags.date) = (
          row.album, row.genre, row.year.flatMap { MediaDate(text: "\($0)") }
        )
        tags.duration = .seconds(row.seconds)
      }
      for _ in 0..<row.plays { _ = try shelf.open.countPlay(id, at: shelf.now) }
    }
    func names(_ grouping: Grouping, _ sort: String) throws -> String {
      let query = ItemQuery(sort: sort.isEmpty ? [] : try SortKey.list(sort))
      return try shelf.open.collections(of: query, by: grouping, at: shelf.time).collections.map(\.title)
        .joined(separator: " ")
    }
    #expect(try names(.album, "") == "Airs Blue Kind Void")
    #expect(try names(.album, "year") == "Kind Blue Airs Void", "what has no year comes last")
    #expect(try names(.album, "-year") == "Kind Airs Blue Void")
    #expect(try names(.album, "-duration") == "Airs Kind Blue Void")
    #expect(try names(.album, "playCount,-album") == "Void Blue Kind Airs")
    #expect(try names(.genre, "-duration") == "Folk Jazz Noise", "a further genre counts as well")
    #expect(try names(.genre, "year") == "Jazz Folk Noise")
    #expect(try names(.title, "-title") == "4 3 2 1 0")
  }

  @Test("a question that is no longer wanted ends with an error of its own, and the next one is answered")
  func interruption() throws {
    let (shelf, _) = try library(2_000, seed: 3)
    let error = #expect(throws: StoreError.self) {
      try shelf.open.page(of: ItemQuery(search: "r"), at: shelf.time) { true }
    }
    #expect(error?.isInterruption == true && error?.isDamage == false)
    let slow = ItemQuery(
      try Predicate("title contains \"r\" or url contains \"zz\""), sort: [try SortKey(.artist)])
    #expect(throws: StoreError.self) { try shelf.open.page(of: slow, at: shelf.time) { true } }
    #expect(try shelf.open.page(of: ItemQuery(search: "r", limit: 1), at: shelf.time).total > 0)
  }
}
