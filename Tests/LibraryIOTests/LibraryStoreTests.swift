// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
@testable import LibraryIO
import LibraryModel
import LibraryQuery
import ListeningModel
import MediaModel
import SQLiteIO
import Testing

@Suite("The library on disk")
struct LibraryStoreTests {
  @Test("an item is given back as it was written")
  func wholeItem() throws {
    let shelf = try Shelf()
    var tags = MediaTags()
    tags.title = "Söng"
    tags.artist = ["A", "B"]
    tags.album = "Album"
    tags.albumArtist = ["A"]
    tags.composer = ["C", "D", "E"]
    tags.genre = ["Rock"]
    tags.duration = .milliseconds(183_456)
    (tags.track, tags.trackCount, tags.disc, tags.discCount) = (3, 12, 1, 2)
    tags.date = MediaDate(text: "1997-05-20")
    tags.bpm = 120.5
    tags.comment = "a comment"
    tags.lyrics = "la la"
    tags.loudness = Loudness(trackGain: -6.5, trackPeak: 0.9)
    let path: FilePath = "/music/a.flac"
    let record = FileRecord(
      tags: tags, format: AudioFormat(rate: 44_100, channels: 2), kilobits: 900, hasPicture: true,
      fingerprint: Shelf.print(1))
    let id = try #require(try shelf.apply(.add(path, Shelf.stamp(1), record)).added.first)
    try shelf.reopen()
    let found = try #require(try shelf.open.item(id))
    #expect(found.item == MediaItem(id: id, location: .file(path), tags: tags))
    #expect(
      found.hasPicture && found.added == 1_000_000 && found.names.album != nil && found.names.podcast == nil)
    let known = try shelf.open.knownFiles(below: "/music")
    #expect(known == [KnownFile(id: id, path: path, stamp: Shelf.stamp(1), fingerprint: Shelf.print(1))])
    #expect(try shelf.search("sing") == [] && shelf.search("b SONG alb") == ["Söng"])
  }
}

@Suite("What stays when files move, change and vanish")
struct IdentityTests {
  @Test("numbers of items and names stay over moves and retagging, and nothing the listener said is lost")
  func moves() throws {
    let shelf = try Shelf()
    func tags(_ album: String) -> (inout MediaTags) -> Void {
      { ($0.artist, $0.album, $0.genre) = (["A", "B"], album, ["Rock"]) }
    }
    let one = try shelf.add(1, "/m/one.mp3", tags("X"))
    let two = try shelf.add(2, "/m/two.mp3", tags("X"))
    #expect(
      try shelf.open.rate(one, 4) && shelf.open.countPlay(one, at: 77) && shelf.open.note(one, "mood", "calm")
    )
    #expect(
      try shelf.open.note(two, "mood", nil) && !shelf.open.note(MediaItem.ID(rawValue: 99), "mood", nil))
    // One note, however its key is written.
    #expect(try shelf.open.note(two, "\u{E9}", "old") && shelf.open.note(two, "e\u{301}", "new"))
    #expect(try shelf.open.notes(of: two) == ["\u{E9}": "new"])
    #expect(try shelf.open.note(two, "e\u{301}", nil))
    let names = try #require(try shelf.open.item(one)).names
    // The files change places, and one is shown by its file's name.
    let exchanged = try shelf.apply(
      .move(one, "/m/two.mp3", Shelf.stamp(1)), .move(two, "/m/one.mp3", Shelf.stamp(2)))
    #expect(
      exchanged.moves == [
        FileMove(from: "/m/one.mp3", to: "/m/two.mp3"), FileMove(from: "/m/two.mp3", to: "/m/one.mp3"),
      ])
    #expect(try shelf.open.item(one)?.item.location == .file("/m/two.mp3"))
    #expect(try shelf.search("two") == ["two"] && shelf.titles("id == \(one.rawValue)") == ["two"])
    try shelf.apply(.update(one, Shelf.stamp(3), Shelf.record(1, tags("Y"))))
    let now = try #require(try shelf.open.item(one))
    #expect(
      now.names.artist == names.artist && now.names.genre == names.genre && now.names.album != names.album)
    #expect(now.item.listening.rating == 4 && now.item.listening.lastPlayed == 77)
    #expect(try shelf.open.notes(of: one) == ["mood": "calm"])
    // The album X keeps its number as long as one item bears it, and then is gone.
    #expect(try shelf.open.item(two)?.names.album == names.album)
    try shelf.apply(.update(two, Shelf.stamp(4), Shelf.record(2, tags("Y"))))
    let albums = try shelf.open.collections(of: ItemQuery(), by: .album, at: shelf.time).collections
    #expect(albums.map(\.title) == ["Y"] && albums.first?.count == 2)
    #expect(try shelf.titles("albumID == \(try #require(names.album))") == [])
  }

  @Test("a missing file is hidden, comes back as it was, and is purged when it was missing for long")
  func hiding() throws {
    let shelf = try Shelf()
    let id = try shelf.add(1, "/m/a.mp3") { $0.title = "Song" }
    #expect(try shelf.apply(.hide(id)).removed == [id])
    #expect(try shelf.titles() == [] && shelf.search("song") == [] && shelf.open.counts().tracks == 0)
    #expect(try shelf.open.knownFiles(below: "/m").first?.isHidden == true)
    #expect(try shelf.apply(.show(id, Shelf.stamp(1))).added == [id])
    #expect(try shelf.search("song") == ["Song"])
    try shelf.apply(.hide(id))
    #expect(
      try shelf.open.purge(olderThan: shelf.now) == [] && shelf.open.purge(olderThan: shelf.now + 1) == [id])
    #expect(try shelf.open.knownFiles(below: "/").isEmpty)
    // A number is never given twice.
    #expect(try shelf.add(1, "/m/a.mp3").rawValue > id.rawValue)
  }

  @Test("a file that can't be read is known with the reason, shown only if it was read before")
  func failures() throws {
    let shelf = try Shelf()
    let good = try shelf.add(1, "/m/good.mp3")
    try shelf.apply(
      .failed("/m/good.mp3", Shelf.stamp(5), "broken"), .failed("/m/bad.mp3", Shelf.stamp(6), "no sound"))
    let known = try shelf.open.knownFiles(below: "/m/")
    #expect(
      known.map(\.failure) == ["no sound", "broken"]
        && known.map(\.stamp) == [Shelf.stamp(6), Shelf.stamp(5)])
    #expect(try shelf.titles() == ["good"])
    let bad = try #require(known.first?.id)
    #expect(try shelf.apply(.update(bad, Shelf.stamp(7), Shelf.record(2))).added == [bad])
    try shelf.apply(.update(good, Shelf.stamp(8), Shelf.record(1)))
    #expect(
      try shelf.open.knownFiles(below: "/m").allSatisfy { $0.failure == nil }
        && shelf.titles() == ["bad", "good"])
  }

  @Test("tells where files stand on their albums, unless they are others now, can't be read or are not known")
  func places() throws {
    let shelf = try Shelf()
    _ = try shelf.add(1, "/m/one.mp3") { ($0.album, $0.disc, $0.track) = ("X", 2, 7) }
    _ = try shelf.add(2, "/m/two.mp3") { $0.track = 1 }
    _ = try shelf.add(3, "/m/three.mp3")
    _ = try shelf.add(4, "/m/four.mp3") { $0.track = 4 }
    try shelf.apply(.failed("/m/four.mp3", Shelf.stamp(4), "broken"))
    let files: [(FilePath, FileStamp)] = [
      ("/m/three.mp3", Shelf.stamp(3)), ("/m/one.mp3", Shelf.stamp(1)), ("/m/two.mp3", Shelf.stamp(2)),
      ("/m/two.mp3", Shelf.stamp(5)), ("/m/four.mp3", Shelf.stamp(4)), ("/m/none.mp3", Shelf.stamp(6)),
    ]
    #expect(
      try shelf.open.places(of: files) == [
        TrackPlace(album: nil, disc: nil, track: nil), TrackPlace(album: "X", disc: 2, track: 7),
        TrackPlace(album: nil, disc: nil, track: 1), nil, nil, nil,
      ])
  }

  @Test("what a scan found in a folder that was taken out meanwhile is not written, and all else is")
  func removedFolder() throws {
    let shelf = try Shelf()
    for folder: FilePath in ["/m", "/n"] { try shelf.open.addFolder(folder, at: 1) }
    let moved = try shelf.add(1, "/n/a.mp3")
    #expect(try shelf.open.removeFolder("/m") == [])
    func add(_ number: Int, _ path: FilePath) -> FileChange {
      .add(path, Shelf.stamp(number), Shelf.record(number))
    }
    let changes: [FileChange] = [
      add(2, "/m/b.mp3"), add(3, "/n/c.mp3"), .failed("/m/d.mp3", Shelf.stamp(4), "broken"),
      .move(moved, "/m/a.mp3", Shelf.stamp(1)), add(5, "/nn/e.mp3"),
    ]
    #expect(try shelf.open.apply(changes, of: ["/m", "/n"], at: shelf.now).added.count == 1)
    #expect(try shelf.open.knownFiles(below: "/").map(\.path) == ["/n/a.mp3", "/n/c.mp3"])
    // While all folders are there, nobody looks at each path.
    #expect(try shelf.open.apply([add(6, "/n/f.mp3")], of: ["/n"], at: shelf.now).added.count == 1)
  }

  @Test("the index of known files tells what a list of them tells")
  func index() throws {
    let shelf = try Shelf()
    var ids: [MediaItem.ID] = []
    for number in 0..<200 {
      ids.append(try shelf.add(number, try #require(FilePath("/m/\(number % 3)/\(number).mp3"))))
    }
    try shelf.apply(.hide(ids[8]))
    _ = try shelf.add(500, "/n/other.mp3")
    var index = try shelf.open.knownIndex(below: ["/m", "/m/1"])
    #expect(index.count == 200)
    let known = try shelf.open.knownFiles(below: "/m")
    for file in known where file.stamp.size.isMultiple(of: 2) || file.isHidden {
      let isSettled = index.settle(PathDigest(file.path), file.stamp)
      #expect(isSettled == !file.isHidden)
    }
    let isSettled = [
      index.settle(PathDigest("/m/none.mp3"), Shelf.stamp(1)),
      index.settle(PathDigest("/m/1/1.mp3"), Shelf.stamp(2)),
    ]
    #expect(isSettled == [false, false])
    #expect(index.unsettled.count == 101 && index.unsettled.contains(ids[8]))
    let files = try shelf.open.knownFiles(index.unsettled + [MediaItem.ID(rawValue: 9_999)])
    #expect(Set(files) == Set(known.filter { !$0.stamp.size.isMultiple(of: 2) || $0.isHidden }))
  }

  @Test("the numbers of a library are right after every change")
  func overview() throws {
    let shelf = try Shelf()
    try shelf.open.addFolder("/m", at: 1)
    func tracks() throws -> [Int] {
      let found = try shelf.open.overview()
      return found.folders.map(\.tracks) + [found.counts.tracks, found.loudness.unmeasured]
    }
    #expect(try tracks() == [0, 0, 0])
    let id = try shelf.add(1, "/m/a")
    #expect(try tracks() == [1, 1, 1])
    try shelf.apply(.hide(id))
    #expect(try tracks() == [0, 0, 0])
    try shelf.apply(.show(id, Shelf.stamp(1)))
    #expect(try tracks() == [1, 1, 1])
    let stamp = Shelf.stamp(1)
    try shelf.open.note(
      .failure(UnfitSound(reason: "is broken")), of: id, size: stamp.size, modified: stamp.modified)
    #expect(try tracks() == [1, 1, 0] && shelf.open.overview().loudness.unfit == 1)
    try shelf.open.noteScan(of: "/m", at: 9)
    #expect(try shelf.open.overview().folders.map(\.lastScan) == [9])
    _ = try shelf.open.removeFolder("/m")
    #expect(try tracks() == [0, 0])
  }

  @Test("names that are no UTF-8 are kept, and folders with like names are apart")
  func paths() throws {
    let shelf = try Shelf()
    let odd = try #require(FilePath([0x2f, 0x6d, 0x2f, 0xff, 0x0a, 0x27]))
    _ = try shelf.add(1, odd)
    _ = try shelf.add(2, "/m2/a")
    _ = try shelf.add(3, "/m/sub/b")
    #expect(Set(try shelf.open.knownFiles(below: "/m").map(\.path)) == [odd, "/m/sub/b"])
    for folder: FilePath in ["/m", "/m/sub"] { try shelf.open.addFolder(folder, at: 1) }
    #expect(try shelf.open.folders().map(\.tracks) == [2, 1])
    #expect(try shelf.open.removeFolder("/m")?.count == 1 && shelf.open.removeFolder("/m") == nil)
    #expect(try Set(shelf.titles()) == ["a", "b"])
  }
}

@Suite("What the listener said, carried elsewhere")
struct ExportTests {
  @Test("everything is exported, and taken over by another library, before or after its files are added")
  func roundTrip() throws {
    let first = try Shelf()
    let a = try first.add(1, "/m/a.mp3")
    let b = try first.add(2, "/m/b.mp3")
    #expect(
      try first.open.rate(a, 4) && first.open.countPlay(a, at: 9) && first.open.note(a, "k", "v\n\"w\""))
    #expect(try first.open.countSkip(b) && first.open.keepPlace(.seconds(77), of: b, at: 12))
    func entries(_ shelf: Shelf) throws -> [ListeningEntry] {
      var entries: [ListeningEntry] = []
      try shelf.open.exportListening { entries.append($0) }
      return entries
    }
    let exported = try entries(first)
    #expect(exported.map(\.listening.rating) == [4, 0] && exported.last?.place == .seconds(77))
    #expect(exported.map(\.listening.lastPlayed) == [9, 12])
    for isBefore in [true, false] {
      let second = try Shelf()
      if isBefore {
        #expect(try second.open.importListening(exported).waiting == 2)
        // Who plays the file before a scan has found it must not begin it anew.
        let places = try second.open.resumePlaces()
        #expect(places.map(\.path) == ["/m/b.mp3"] && places.map(\.place) == [.seconds(77)])
        // And who plays on there is not taken back to where the import was.
        try second.open.keepPlace(.seconds(90), ofNoItem: "/m/b.mp3")
        try second.open.keepPlace(.seconds(90), ofNoItem: "/nobody/knows.mp3")
        #expect(try second.open.resumePlaces().map(\.place) == [.seconds(90)])
        try second.open.keepPlace(nil, ofNoItem: "/m/b.mp3")
        #expect(try second.open.resumePlaces().isEmpty)
        try second.open.keepPlace(.seconds(77), ofNoItem: "/m/b.mp3")
      }
      let there = try second.add(1, "/other/a.flac")
      _ = try second.add(99, "/m/b.mp3")
      _ = try second.open.handOver()
      if !isBefore {
        let report = try second.open.importListening(exported)
        #expect(report.bySound == 1 && report.byPath == 1 && report.waiting == 0)
      }
      #expect(
        try second.titles("rating == 4 and playCount == 1") == ["a"]
          && second.titles("skipCount == 1") == ["b"])
      #expect(
        try second.open.notes(of: there) == ["k": "v\n\"w\""]
          && second.open.resumePlaces().map(\.place) == [.seconds(77)])
      let again = try second.open.importListening(exported)
      #expect(try entries(second).count == 2 && again.different == 0)
      try second.reopen()
      #expect(try second.titles("rating == 4 and playCount == 1") == ["a"])
    }
  }

  @Test(
    "of equal copies each has its own entry, before or after they are added, and however often it is imported"
  )
  func copies() throws {
    let first = try Shelf()
    for (index, name) in ["a", "b", "c"].enumerated() {
      let id = try first.add(1, try #require(FilePath("/m/\(name).mp3")))
      for _ in 0...index { _ = try first.open.countPlay(id, at: 9) }
    }
    var exported: [ListeningEntry] = []
    try first.open.exportListening { exported.append($0) }
    #expect(exported.map(\.listening.playCount) == [1, 2, 3])
    for isBefore in [true, false] {
      let second = try Shelf()
      for _ in 0..<2 where isBefore { #expect(try second.open.importListening(exported).waiting == 3) }
      // One is where it was, one has another path, and one is not here yet.
      _ = try second.add(1, "/m/c.mp3")
      _ = try second.add(1, "/m/elsewhere.mp3")
      _ = try second.open.handOver()
      for _ in 0..<2 {
        let report = try second.open.importListening(exported)
        #expect(report.bySound == 2 && report.waiting == 1 && report.different == 0)
      }
      #expect(
        try second.titles("playCount == 3") == ["c"] && second.titles("playCount == 1") == ["elsewhere"])
      _ = try second.add(1, "/m/b.mp3")
      #expect(try second.titles("playCount == 2") == ["b"])
    }
  }

  @Test("an import or a removal that nobody wants any more, at whatever time, has changed nothing")
  func interrupted() throws {
    let shelf = try Shelf()
    try shelf.open.addFolder("/m", at: 1)
    let a = try shelf.add(1, "/m/a.mp3")
    #expect(try shelf.open.rate(a, 2))
    var theirs = ListeningEntry("/m/a.mp3", fingerprint: Shelf.print(1))
    theirs.listening.rating = 5
    for work in [
      { _ = try shelf.open.importListening([theirs], preferring: .theirs, isInterrupted: { true }) },
      { _ = try shelf.open.removeFolder("/m", isInterrupted: { true }) },
      { try shelf.open.exportListening(isInterrupted: { true }) { _ in } },
    ] as [() throws -> Void] {
      let error = #expect(throws: StoreError.self) { try work() }
      #expect(error?.isInterruption == true)
    }
    #expect(try shelf.titles("rating == 2") == ["a"] && shelf.open.folders().map(\.path) == ["/m"])
    let taken = try shelf.open.importListening([theirs], preferring: .theirs, isInterrupted: { false })
    #expect(try taken.bySound == 1 && shelf.titles("rating == 5") == ["a"])
  }

  @Test("what was said in both places is kept, and the sound counts before the path")
  func merged() throws {
    let shelf = try Shelf()
    let (a, b) = (try shelf.add(1, "/m/a.mp3"), try shelf.add(2, "/m/b.mp3"))
    #expect(try shelf.open.rate(a, 2) && shelf.open.countPlay(a, at: 50) && shelf.open.note(a, "k", "mine"))
    // There, the sound of a was called b.
    var theirs = ListeningEntry("/m/b.mp3", fingerprint: Shelf.print(1), notes: ["k": "theirs", "l": "new"])
    (theirs.listening.rating, theirs.listening.playCount) = (5, 7)
    let best = try SmartPlaylist("best", expression: "rating > 3", sort: "", limit: nil)
    try shelf.open.save(SmartPlaylist("best", try Predicate("rating > 4")))
    let report = try shelf.open.importListening([theirs], [best])
    #expect(report.bySound == 1 && report.different == 3 && report.playlists == 0)
    #expect(try shelf.open.item(a)?.item.listening.playCount == 7)
    #expect(try shelf.open.item(a)?.item.listening.rating == 2)
    #expect(try shelf.open.notes(of: a) == ["k": "mine", "l": "new"])
    #expect(try shelf.open.item(b)?.item.listening == ListeningRecord())
    let replaced = try shelf.open.importListening([theirs], [best], preferring: .theirs)
    #expect(try replaced.playlists == 1 && shelf.open.smartPlaylists() == [best])
    #expect(try shelf.open.item(a)?.item.listening.rating == 5 && shelf.open.notes(of: a)["k"] == "theirs")
    // A playlist that a newer program saved.
    let newer = "SELECT count(*) FROM listening.smart WHERE query = 'mood is sad'"
    try shelf.open.database.run("UPDATE listening.smart SET query = 'mood is sad'")
    #expect(try shelf.open.importListening([], [best]).different == 1)
    #expect(try shelf.open.database.number(newer) == 1)
    #expect(try shelf.open.importListening([], [best], preferring: .theirs).playlists == 1)
    #expect(try shelf.open.database.number(newer) == 0)
  }
}

@Suite("Databases that are not as they were left")
struct DamageTests {
  /// A library with a rated item in a folder, closed.
  private func shelf() throws -> Shelf {
    let shelf = try Shelf()
    try shelf.open.addFolder("/m", at: 1)
    let id = try shelf.add(1, "/m/a.mp3") { $0.title = "Song" }
    #expect(try shelf.open.rate(id, 5) && shelf.open.countPlay(id, at: 9) && shelf.open.note(id, "k", "v"))
    try shelf.open.save(SmartPlaylist("best", try Predicate("rating >= 4")))
    shelf.close()
    return shelf
  }

  @Test("a damaged library is put aside, and what the listener said comes back with the files, moved or not")
  func library() throws {
    let shelf = try shelf()
    _ = try shelf.folder.write(
      "data/library.db", "no database, but long enough to be taken for one with a header of its own")
    try shelf.reopen()
    #expect(
      shelf.damage.count == 1
        && shelf.damage.first?.path.hasPrefix(shelf.folder.path("data/library.db.damaged-")) == true)
    #expect(try shelf.open.folders().map(\.path) == ["/m"] && shelf.titles() == [])
    let id = try shelf.add(1, "/elsewhere/b.mp3") { $0.title = "Song" }
    #expect(try shelf.open.handOver() == [id])
    #expect(
      try shelf.titles("rating == 5 and playCount == 1") == ["Song"] && shelf.open.notes(of: id) == ["k": "v"]
    )
    // A second copy of the sound is not the one that was rated.
    _ = try shelf.add(1, "/elsewhere/copy.mp3") { $0.title = "Copy" }
    #expect(try shelf.titles("rating == 5") == ["Song"])
    let playlists = try shelf.open.collections(of: ItemQuery(), by: .playlist, at: shelf.time)
    #expect(playlists.collections.map(\.count) == [1] && playlists.collections.first?.title == "best")
  }

  @Test("a copy that was there first gets what the listener said when the original goes, however it goes")
  func copyThatStays() throws {
    for goes in ["missing", "taken out"] {
      let shelf = try shelf()
      try shelf.reopen()
      let original = try #require(try shelf.open.page(of: ItemQuery(), at: shelf.time).items.first?.item.id)
      let copy = try shelf.add(1, "/n/a.mp3") { $0.title = "Copy" }
      #expect(try shelf.open.handOver() == [] && shelf.titles("rating == 5") == ["Song"])
      if goes == "missing" { try shelf.apply(.hide(original)) } else { _ = try shelf.open.removeFolder("/m") }
      // Nor does an end of the agent in between keep it from that.
      try shelf.reopen()
      #expect(try shelf.open.handOver() == [copy])
      #expect(try shelf.titles("rating == 5 and playCount == 1") == ["Copy"])
      #expect(try shelf.open.notes(of: copy) == ["k": "v"])
      #expect(try shelf.open.handOver() == [])
      // The original is a second copy when it comes back.
      if goes == "missing" { try shelf.apply(.show(original, Shelf.stamp(1))) }
      #expect(try shelf.titles("rating == 5") == ["Copy"])
    }
  }

  @Test("where the listener's database is lost, ratings and counts are taken from the library's copies")
  func listening() throws {
    let shelf = try shelf()
    _ = try shelf.folder.write(
      "data/listening.db", "no database, but long enough to be taken for one with a header of its own")
    try shelf.reopen()
    #expect(shelf.damage.count == 1)
    #expect(try shelf.titles("rating == 5 and playCount == 1") == ["Song"])
    let id = try #require(try shelf.open.page(of: ItemQuery(), at: shelf.time).items.first?.item.id)
    #expect(try shelf.open.countPlay(id, at: 10))
    try shelf.reopen()
    #expect(try shelf.titles("rating == 5 and playCount == 2") == ["Song"])
  }

  @Test("a damaged listener's database comes back from its copy, with the newer ratings of the library")
  func copy() throws {
    let shelf = try shelf()
    // The copy is made when the database is opened.
    try shelf.reopen()
    let id = try #require(try shelf.open.page(of: ItemQuery(), at: shelf.time).items.first?.item.id)
    let other = try shelf.add(2, "/m/new.mp3") { $0.title = "New" }
    #expect(try shelf.open.rate(id, 3) && shelf.open.countPlay(id, at: 10) && shelf.open.rate(other, 2))
    shelf.close()
    _ = try shelf.folder.write("data/listening.db", "no database, but long enough to be taken for one")
    try shelf.reopen()
    #expect(shelf.damage.map { $0.description.contains("taken from the last copy") } == [true])
    #expect(try shelf.open.folders().map(\.path) == ["/m"])
    #expect(try shelf.open.notes(of: id) == ["k": "v"])
    #expect(try shelf.titles("rating == 3 and playCount == 2") == ["Song"])
    #expect(try shelf.titles("rating == 2") == ["New"])
    #expect(try shelf.open.smartPlaylists().map(\.name) == ["best"])
    try shelf.reopen()
    #expect(try shelf.damage.isEmpty && shelf.titles("rating == 3 and playCount == 2") == ["Song"])
  }

  @Test("a listener's database that is missing or empty is made from its copy", arguments: [false, true])
  func missing(isEmpty: Bool) throws {
    let shelf = try shelf()
    try shelf.reopen()
    shelf.close()
    #expect(unlink(shelf.folder.path("data/listening.db")) == 0)
    if isEmpty { _ = try shelf.folder.write("data/listening.db", "") }
    try shelf.reopen()
    #expect(try shelf.damage.isEmpty && shelf.open.folders().map(\.path) == ["/m"])
    #expect(try shelf.titles("rating == 5 and playCount == 1") == ["Song"])
  }

  @Test("a copy by a newer program is not used either")
  func newerCopy() throws {
    let shelf = try shelf()
    try shelf.reopen()
    shelf.close()
    for name in ["data/listening.db", "data/listening.db.copy"] {
      try Database(shelf.folder.path(name)).run("PRAGMA user_version = 99")
    }
    try shelf.reopen()
    #expect(try shelf.damage.count == 1 && shelf.open.folders().isEmpty)
    #expect(try shelf.titles("rating == 5 and playCount == 1") == ["Song"])
    #expect(try Database(shelf.folder.path("data/listening.db.copy")).number("PRAGMA user_version") == 99)
  }

  @Test("an index that does not agree with its table is made again, and nothing is put aside")
  func damagedIndex() throws {
    let shelf = try Shelf()
    let item = try shelf.add(1, "/m/a.mp3") {
      ($0.title, $0.album, $0.artist) = ("Song", "Album", ["Artist"])
    }
    #expect(try shelf.open.rate(item, 5))
    shelf.close()
    for (name, index) in [("library.db", "album_artist"), ("listening.db", "record_path")] {
      let database = try Database(shelf.folder.path("data/\(name)"))
      // The pages of the index stay, and are those of another column now.
      try database.run(
        """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, '(artist)', '(text)') WHERE name = '\(index)';
        UPDATE sqlite_schema SET sql = replace(sql, '(path)', '(rating)') WHERE name = '\(index)';
        """)
    }
    for name in ["library.db", "listening.db"] {
      let database = try Database(shelf.folder.path("data/\(name)"))
      let verdict = try database.prepare("PRAGMA integrity_check(1)")
      #expect(try verdict.step() && verdict.text(0) != "ok", "\(name)")
    }
    let opened = try LibraryStore.open(in: shelf.folder.path("data"), distrusted: true)
    #expect(opened.damage.isEmpty)
    for name in ["main", "listening"] {
      let verdict = try opened.store.database.prepare("PRAGMA \(name).integrity_check(1)")
      #expect(try verdict.step() && verdict.text(0) == "ok", "\(name)")
    }
  }

  @Test("a copy from the future is made again: the clock was wrong")
  func copyFromTheFuture() throws {
    let shelf = try shelf()
    try shelf.reopen()
    let copy = try shelf.folder.write("data/listening.db.copy", "no database")
    var times = Array(repeating: timespec(tv_sec: time(nil) + 100_000, tv_nsec: 0), count: 2)
    #expect(utimensat(AT_FDCWD, copy, &times, 0) == 0)
    try shelf.reopen()
    #expect(try Database(copy).number("SELECT count(*) FROM folder") == 1)
  }

  @Test("what is below no folder goes, unless all folders were lost", arguments: [false, true])
  func strays(areLost: Bool) throws {
    let shelf = try Shelf()
    for folder in ["/b", "/b/inner", "/d"] as [FilePath] { try shelf.open.addFolder(folder, at: 1) }
    let paths: [FilePath] = ["/a/1", "/b/2", "/b/inner/3", "/b0/4", "/c/5", "/d/6", "/d.mp3", "/e/8"]
    for (number, path) in paths.enumerated() {
      _ = try shelf.add(number + 1, path) { $0.title = path.text }
    }
    if areLost { try shelf.open.database.run("DELETE FROM listening.folder") }
    #expect(try shelf.open.removeStrays() == (areLost ? 0 : 5))
    #expect(try shelf.open.removeStrays() == 0)
    if !areLost { #expect(try shelf.titles() == ["/b/2", "/b/inner/3", "/d/6"]) }
  }

  @Test("a damaged copy is not used, and one is not made again before an hour has passed")
  func badCopy() throws {
    let shelf = try shelf()
    try shelf.reopen()
    _ = try shelf.folder.write("data/listening.db.copy", "no database")
    try shelf.reopen()
    #expect(try shelf.folder.text("data/listening.db.copy") == "no database")
    shelf.close()
    _ = try shelf.folder.write("data/listening.db", "no database, but long enough to be taken for one")
    try shelf.reopen()
    #expect(try shelf.damage.count == 1 && shelf.open.folders().isEmpty)
    #expect(try shelf.titles("rating == 5 and playCount == 1") == ["Song"])
    #expect(shelf.folder.names(in: "data").allSatisfy { !$0.hasPrefix(".") })
  }

  @Test("a crash between two commits, while files changed names, leaves each sound with what was said of it")
  func halfCommit() throws {
    let shelf = try Shelf()
    let first = try shelf.add(1, "/m/a.mp3") { $0.title = "A" }
    let second = try shelf.add(2, "/m/b.mp3") { $0.title = "B" }
    #expect(try shelf.open.rate(first, 5) && shelf.open.rate(second, 1))
    shelf.close()
    do {
      // Only one of the two databases has the exchange of names.
      let database = try Database(shelf.folder.path("data/library.db"))
      for (from, to) in [("/m/a.mp3", "/m/-"), ("/m/b.mp3", "/m/a.mp3"), ("/m/-", "/m/b.mp3")] {
        try database.run(
          "UPDATE item SET path = CAST('\(to)' AS BLOB) WHERE path = CAST('\(from)' AS BLOB)")
      }
      try database.run("UPDATE counter SET value = value + 1 WHERE name = 'listening'")
    }
    try shelf.reopen()
    #expect(try shelf.titles("rating == 5") == ["A"] && shelf.titles("rating == 1") == ["B"])
  }

  @Test("a newer version and another program's database are put aside")
  func foreign() throws {
    for pragma in ["user_version = 99", "application_id = 1"] {
      let shelf = try shelf()
      do {
        let database = try Database(shelf.folder.path("data/library.db"))
        try database.run("PRAGMA \(pragma)")
      }
      try shelf.reopen()
      #expect(shelf.damage.count == 1 && shelf.damage.first?.description.isEmpty == false, "\(pragma)")
      #expect(try shelf.titles() == [])
    }
  }

  @Test("a batch that fails changes nothing, in the tables, the search or the names")
  func rollback() throws {
    let shelf = try self.shelf()
    try shelf.reopen()
    let open = try shelf.open
    // A page limit stands for a full disk.
    try open.database.run("PRAGMA main.max_page_count = 1")
    let long = String(repeating: "x", count: 900)
    let changes = try (0..<400).map { number in
      FileChange.add(
        try #require(FilePath("/m/\(number)")), Shelf.stamp(number),
        Shelf.record(number + 10) { $0.title = long + "\(number)" })
    }
    let error = #expect(throws: StoreError.self) { try open.apply(changes, at: 5) }
    #expect(error?.cause == .full && error?.advice.hasSuffix("make room") == true)
    #expect(try shelf.titles() == ["Song"] && shelf.search("xxx") == [])
    try open.database.run("PRAGMA main.max_page_count = 1000000")
    #expect(try open.apply(changes, at: 5).added.count == 400 && shelf.search("xxx").count == 400)
  }
}
