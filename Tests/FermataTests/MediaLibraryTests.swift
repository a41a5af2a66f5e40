// SPDX-License-Identifier: MIT
import Fermata
import FermataTestKit
import Testing

@Suite("The library, from another program", .serialized, .endsAnyway)
struct MediaLibraryTests {
  @Test("items are found by predicates and words, grouped, queued, rated and noted")
  func queries() async throws {
    try await Stage.run { stage in
      try stage.write(
        "1.flac", pitch: 300,
        ["TITLE": "Blue", "ARTIST": "Joni", "ALBUM": "Blue", "GENRE": "Folk", "TRACKNUMBER": "1"])
      try stage.write(
        "2.flac", pitch: 400, ["TITLE": "California", "ARTIST": "Joni", "ALBUM": "Blue", "TRACKNUMBER": "2"])
      try stage.write("3.flac", pitch: 500, ["TITLE": "So What", "ARTIST": "Miles", "ALBUM": "Kind of Blue"])
      try stage.fermata("library", "add", "--wait", stage.folder.path("Music"))
      let library = MediaLibrary(of: stage.player)

      let all = try await MediaQuery(in: library).items
      #expect(Set(all.map(\.title)) == ["Blue", "California", "So What"])
      #expect(all.allSatisfy { $0.persistentID != nil && $0.albumPersistentID != nil })

      var query = MediaQuery.songs(in: library)
      query.addFilterPredicate(try MediaPropertyPredicate("Joni", forProperty: .artist))
      query.addFilterPredicate(try MediaPropertyPredicate("cal", forProperty: .title, comparison: .contains))
      #expect(try await query.items.map(\.title) == ["California"])

      let albums = try await MediaQuery.albums(in: library).collections
      #expect(albums.map(\.title) == ["Blue", "Kind of Blue"])
      #expect(albums.map(\.count) == [2, 1])
      #expect(albums.first?.representativeItem?.artist == "Joni")
      #expect(try await albums[0].items.map(\.title).sorted() == ["Blue", "California"])

      // The order of albums is not that of their tracks.
      var longest = MediaQuery.albums(in: library)
      longest.sortKeys = [.descending(.title)]
      #expect(try await longest.collections.last?.items.map(\.title) == ["Blue", "California"])
      #expect(Set(albums.map(\.id)).count == 2)

      let search = MediaQuery(search: "kin mil", in: library)
      #expect(try await search.items.map(\.title) == ["So What"])

      var byTitle = MediaQuery(in: library)
      byTitle.sortKeys = [.descending(.title)]
      byTitle.limit = 2
      #expect(try await byTitle.items.map(\.title) == ["So What", "California"])
      #expect(try await stage.player.setQueue(with: byTitle).count == 2)
      #expect(try await stage.player.entries().map(\.item.title) == ["So What", "California"])

      let id = try #require(try await search.persistentIDs.first)
      try await library.setRating(4, of: id)
      try await library.setNote("cool", forKey: "mood", of: id)
      #expect(try await library.item(id).rating == 4)
      #expect(try await library.note(forKey: "mood", of: id) == "cool")
      try await library.setNote(nil, forKey: "mood", of: id)
      #expect(try await library.note(forKey: "mood", of: id) == nil)
    }
  }

  @Test("a collection has all its items, whatever the query's limit, and albums of one title are told apart")
  func members() async throws {
    try await Stage.run { stage in
      for (number, artist) in ["Abba", "Abba", "Queen"].enumerated() {
        try stage.write(
          "\(number).flac", pitch: 300 + 50 * number,
          ["TITLE": "T\(number)", "ARTIST": artist, "ALBUM": "Greatest Hits", "TRACKNUMBER": "\(number + 1)"])
      }
      try stage.fermata("library", "add", "--wait", stage.folder.path("Music"))
      let library = MediaLibrary(of: stage.player)
      var albums = MediaQuery.albums(in: library)
      albums.limit = 1
      let first = try #require(try await albums.collections.first)
      #expect(try await first.items.map(\.title) == ["T0", "T1"])

      try stage.fermata("add", stage.folder.path("Music/2.flac"), stage.folder.path("Music/0.flac"))
      try stage.fermata("playlist", "save", "some")
      try stage.fermata("playlist", "smart", "of Abba", "artist == \"Abba\"")
      var query = MediaQuery.playlists(in: library)
      let lists = try await query.collections
      #expect(lists.map(\.title) == ["of Abba", "some"] && lists.map(\.count) == [2, 2])
      #expect(try await lists[0].items.map(\.title) == ["T0", "T1"])
      #expect(try await lists[1].items.map(\.title) == ["T2", "T0"])
      query.addFilterPredicate(try MediaPropertyPredicate("Queen", forProperty: .artist))
      let narrowed = try await query.collections
      #expect(narrowed.map(\.title) == ["some"])
      #expect(try await narrowed[0].items.map(\.title) == ["T2"])
    }
  }

  @Test("a predicate that makes no sense is an error that names the property and what is allowed")
  func invalidPredicates() throws {
    #expect(!MediaItem.canFilter(by: .artwork) && !MediaItem.canFilter(by: .lyrics))
    #expect(MediaItem.canFilter(by: .comments) && MediaItem.canSort(by: .title))
    let error = #expect(throws: MusicError.self) {
      try MediaPropertyPredicate("x", forProperty: .lyrics, comparison: .contains)
    }
    #expect(error?.subject == "lyrics")
    #expect(throws: MusicError.self) { try MediaPropertyPredicate("x", forProperty: .rating) }
    #expect(throws: MusicError.self) { try MediaPropertyPredicate(text: "artist ==") }
    for property in MediaItem.Property.allCases { #expect(MediaItem.isKnown(property), "\(property)") }
  }

  @Test("a date is given as a text or as a year, and means what it means in the text form")
  func dates() throws {
    for property in [MediaItem.Property.releaseDate, .lastPlayed, .dateAdded] {
      let name = property.rawValue
      #expect(
        try MediaPropertyPredicate("1997-05-20", forProperty: property)
          == MediaPropertyPredicate(text: "\(name) == \"1997-05-20\""))
      #expect(
        try MediaPropertyPredicate(1997, forProperty: property, comparison: .lessThan)
          == MediaPropertyPredicate(text: "\(name) < 1997"))
      #expect(throws: MusicError.self) { try MediaPropertyPredicate("soon", forProperty: property) }
      #expect(throws: MusicError.self) { try MediaPropertyPredicate(1997.5, forProperty: property) }
    }
  }

  @Test("predicates are joined, and their text means the same")
  func joined() throws {
    let first = try MediaPropertyPredicate("A \"quoted\" \\ name", forProperty: .artist)
    let second = try MediaPropertyPredicate(3, forProperty: .rating, comparison: .greaterThan)
    let third = try MediaPropertyPredicate(true, forProperty: .isCompilation)
    let joined = first && (second || !third)
    #expect(try MediaPropertyPredicate(text: joined.description) == joined)
  }

  @Test(
    "conditions that a program joins one after the other are not nested, so that any number can be asked for")
  func joinedInALoop() throws {
    let ids = try (0..<100).map { try MediaPropertyPredicate(Double($0), forProperty: .beatsPerMinute) }
    for joined in [ids.dropFirst().reduce(ids[0], ||), ids.dropFirst().reduce(ids[0], &&)] {
      #expect(try MediaPropertyPredicate(text: joined.description) == joined)
    }
  }

  @Test("a folder is added, followed until it is read, and removed")
  func folders() async throws {
    try await Stage.run { stage in
      try stage.write("1.flac", pitch: 300, ["TITLE": "Blue"])
      let music = stage.folder.path("Music")
      let library = MediaLibrary(of: stage.player)
      #expect(try await library.folders == [])

      try await follow(library) { library throws(MusicError) in try await library.addFolder(music) }
      let folder = try #require(try await library.folders.first)
      #expect(folder.path == music && folder.url == "file://\(music)")
      #expect(folder.count == 1 && folder.problem == nil)

      try stage.write("2.flac", pitch: 400, ["TITLE": "Green"])
      try await follow(library) { library throws(MusicError) in try await library.scan() }
      #expect(try await library.folders.first?.count == 2)

      try await library.removeFolder(music)
      #expect(try await library.folders == [])
    }
  }

  /// Gives an order that begins a job, and waits until the job is done.
  private func follow(
    _ library: MediaLibrary, _ order: (MediaLibrary) async throws(MusicError) -> MediaLibrary.Job.ID
  ) async throws {
    let id = try await order(library)
    let last = await library.updates(of: id).reduce(into: MediaLibrary.Job?.none) { $0 = $1 }
    #expect(last?.state == .done && last?.problem == nil, "\(String(describing: last))")
    #expect(try await library.currentJobs.contains { $0.id == id && $0.state == .done })
  }

  @Test("a job that nobody knows, or whose player has ended, keeps nobody waiting")
  func lostJob() async throws {
    try await Stage.run { stage in
      let library = MediaLibrary(of: stage.player)
      for await job in library.updates(of: MediaLibrary.Job.ID(rawValue: 4_000)) {
        Issue.record("there is a job \(job)")
      }
      try stage.write("1.flac", pitch: 300, ["TITLE": "Blue"])
      let scan = try await library.addFolder(stage.folder.path("Music"))
      async let last = library.updates(of: scan).reduce(into: 0) { count, _ in count += 1 }
      stage.kill()
      try await stage.restart()
      _ = await last
    }
  }

  @Test("a query of playlists has the items of the playlists")
  func playlists() async throws {
    try await Stage.run { stage in
      for number in 1...3 {
        try stage.write("\(number).flac", pitch: 200 + 50 * number, ["TITLE": "Song \(number)"])
      }
      try stage.fermata("library", "add", "--wait", stage.folder.path("Music"))
      try stage.fermata("playlist", "smart", "Two", "title != \"Song 2\"")
      let query = MediaQuery.playlists(in: MediaLibrary(of: stage.player))
      #expect(try await query.items.map(\.title).sorted() == ["Song 1", "Song 3"])
      #expect(try await stage.player.setQueue(with: query).count == 2)
    }
  }

  @Test("a folder that can't be added or removed, and a job that is not there, are errors that say why")
  func refusedFolders() async throws {
    try await Stage.run { stage in
      let library = MediaLibrary(of: stage.player)
      let relative = await #expect(throws: MusicError.self) { try await library.addFolder("Music") }
      #expect(relative?.description == "Music: it is no absolute path; begin it with '/'")
      let missing = stage.folder.path("nowhere")
      let absent = await #expect(throws: MusicError.self) { try await library.addFolder(missing) }
      let reason = "'\(missing)': No such file or directory"
      #expect(absent?.code == .noSuchFile, "\(String(describing: absent))")
      #expect(absent?.reason.hasPrefix(reason) == true)
      let stranger = await #expect(throws: MusicError.self) { try await library.removeFolder(missing) }
      #expect(stranger?.code == .refused, "\(String(describing: stranger))")
      let unknown = await #expect(throws: MusicError.self) {
        try await library.cancel(MediaLibrary.Job.ID(rawValue: 4_000))
      }
      #expect(unknown?.code == .refused, "\(String(describing: unknown))")
    }
  }

  @Test("changes of the library are told")
  func changes() async throws {
    try await Stage.run { stage in
      let library = MediaLibrary(of: stage.player)
      var changes = library.changes.makeAsyncIterator()
      // An answer comes when the sequence hears everything from then on.
      _ = try await stage.player.volume
      try stage.write("1.flac", pitch: 300, ["TITLE": "Blue"])
      try stage.fermata("library", "add", "--wait", stage.folder.path("Music"))
      #expect(await changes.next()?.added == 1)
      // What an agent changed that could not tell it any more is looked for when the next one has come.
      stage.kill()
      try await stage.restart()
      let change = await changes.next()
      #expect(change?.added == 0 && change?.changed == 0 && change?.removed == 0)
    }
  }
}
