// SPDX-License-Identifier: MIT
import FermataTestKit
@testable import LibraryIO
import LibraryModel
import LibraryQuery
import MediaModel
import SQLiteIO
import Testing

@Suite("The library's playlists")
struct PlaylistTests {
  /// Ten items, i-th of the year 1990 + i and i seconds long.
  private func shelf() throws -> Shelf {
    let shelf = try Shelf()
    for number in 1...10 {
      _ = try shelf.add(number, FilePath("/m/\(number).mp3") ?? "/") {
        $0.title = "Song \(number)"
        $0.duration = .seconds(number)
        $0.date = MediaDate(text: "\(1_990 + number)")
      }
    }
    return shelf
  }

  private func playlist(
    _ name: String, _ expression: String, _ sort: String = "", _ limit: Int? = nil
  ) throws -> SmartPlaylist {
    try SmartPlaylist(name, expression: expression, sort: sort, limit: limit)
  }

  private func titles(_ page: CollectionPage) -> [String] {
    page.collections.map { "\($0.title) \($0.count) \($0.duration.components.seconds)" }
  }

  @Test("one is kept with its order and its limit, also where the library is lost")
  func kept() throws {
    let shelf = try shelf()
    let newest = try playlist("Newest", "year > 1992", "-year,title", 3)
    #expect(try shelf.open.save(newest) && shelf.open.save(playlist("old", "year < 1993")))
    #expect(try !shelf.open.save(playlist("old", "rating > 3"), replacing: false))
    shelf.close()
    _ = try shelf.folder.write(
      "data/library.db", "no database, but long enough to be taken for one with a header of its own")
    try shelf.reopen()
    #expect(try shelf.open.smartPlaylists() == [newest, playlist("old", "year < 1993")])
    #expect(try shelf.open.save(playlist("old", "year > 1"), replacing: true))
    #expect(try shelf.open.smartPlaylist("old")?.predicate == Predicate("year > 1"))
    #expect(try shelf.open.deleteSmartPlaylist("old") && !shelf.open.deleteSmartPlaylist("old"))
  }

  @Test("one name in two forms of Unicode is one playlist")
  func forms() throws {
    let shelf = try shelf()
    let (composed, decomposed) = ("Caf\u{e9}", "Cafe\u{301}")
    #expect(try shelf.open.save(playlist(composed, "year < 1993")))
    #expect(try !shelf.open.save(playlist(decomposed, "year > 1993"), replacing: false))
    #expect(try shelf.open.save(playlist(decomposed, "year > 1993")))
    #expect(try shelf.open.smartPlaylists().map(\.predicate.description) == ["year > 1993"])
    #expect(try shelf.open.deleteSmartPlaylist(decomposed) && shelf.open.smartPlaylists().isEmpty)
  }

  @Test("a database of the version before keeps its playlists, which get no order and no limit")
  func migrated() throws {
    let folder = try TemporaryDirectory()
    try folder.makeFolder("data")
    let version = DatabaseVersion(
      application: LibraryTables.listeningApplication, [LibraryTables.listeningMigrations[0]])
    var old: Database? = try Database(folder.path("data/listening.db"))
    try old.map(version.bring)
    try old?.run("INSERT INTO smart VALUES ('best', 'rating >= 4')")
    old = nil
    let (store, damage) = try LibraryStore.open(in: folder.path("data"))
    #expect(try damage.isEmpty && store.smartPlaylists() == [playlist("best", "rating >= 4")])
  }

  @Test("an order counts with a limit: it says which items there are")
  func limited() throws {
    let shelf = try shelf()
    let newest = try playlist("n", "year > 1992", "-year", 3)
    #expect(try shelf.titles(newest.query()) == ["Song 10", "Song 9", "Song 8"])
    #expect(try shelf.titles(newest.query(rows: 1..<9)) == ["Song 9", "Song 8"])
    #expect(try shelf.titles(newest.query(rows: 7..<9)) == [])
    let held = try shelf.open.extent(of: newest, at: shelf.time)
    #expect(held == PlaylistExtent(count: 3, duration: .seconds(27)))
    let all = try shelf.open.extent(of: playlist("a", "year > 1992"), at: shelf.time)
    #expect(all == PlaylistExtent(count: 8, duration: .seconds(52)))
  }

  @Test("smart and plain ones are collections, with what a query leaves of each")
  func collections() throws {
    let shelf = try shelf()
    try shelf.open.save(playlist("Mix 10", "year > 1992", "-year", 3))
    try shelf.open.save(playlist("Nothing", "rating > 3"))
    let plain = [
      PlainPlaylist("Mix 9", ["/m/1.mp3", "/m/2.mp3", "/nowhere.mp3", "/m/1.mp3"].map { ItemSource($0) }),
      PlainPlaylist("Empty", []),
    ]
    func page(_ query: ItemQuery) throws -> CollectionPage {
      try shelf.open.playlists(query, beside: plain, at: shelf.time)
    }
    let all = try page(ItemQuery())
    #expect(titles(all) == ["Empty 0 0", "Mix 9 2 3", "Mix 10 3 27", "Nothing 0 0"] && all.total == 4)
    #expect(all.collections.map { $0.representative?.item.tags.title } == [nil, "Song 1", "Song 8", nil])
    #expect(all.collections.map(\.section) == ["E", "M", "M", "N"])
    #expect(try titles(page(ItemQuery(Predicate("year in [1992, 1999]")))) == ["Mix 9 1 2", "Mix 10 1 9"])
    #expect(try titles(page(ItemQuery(search: "song 9"))) == ["Mix 10 1 9"])
    let second = try page(ItemQuery(limit: 1, offset: 1))
    #expect(titles(second) == ["Mix 9 2 3"] && second.total == 4)
  }

  @Test("they stand in the order of their letters, without articles and accents")
  func letters() throws {
    let shelf = try shelf()
    let plain = ["Zoo", "Élan", "The Best", "Choir", "Blues"].map { PlainPlaylist($0, []) }
    let page = try shelf.open.playlists(ItemQuery(), beside: plain, at: shelf.time)
    #expect(page.collections.map(\.title) == ["The Best", "Blues", "Choir", "Élan", "Zoo"])
    #expect(page.collections.map(\.section) == ["B", "B", "C", "E", "Z"])
  }

  @Test("any property that is said to sort does")
  func sorted() throws {
    let shelf = try shelf()
    for property in ItemProperty.allCases where property.canSort {
      #expect(try shelf.titles(ItemQuery(sort: [SortKey(property)])).count == 10, "\(property)")
    }
  }

  @Test("a playlist of thousands of files is looked through, not named item by item")
  func many() throws {
    let shelf = try Shelf()
    let changes = (1...5_000).map { number in
      FileChange.add(
        FilePath("/m/\(number).mp3") ?? "/", Shelf.stamp(number),
        Shelf.record(number) { $0.title = "\(number)" })
    }
    _ = try shelf.open.apply(changes, at: 1)
    let files = (1...5_000).reversed().compactMap { FilePath("/m/\($0).mp3") }
    let page = try shelf.open.playlists(
      ItemQuery(search: "7"), beside: [PlainPlaylist("all", files.map { ItemSource($0) })], at: shelf.time)
    #expect(page.collections.first?.count == (1...5_000).count { "\($0)".contains("7") })
  }
}
