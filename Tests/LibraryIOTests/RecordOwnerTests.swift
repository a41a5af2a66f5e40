// SPDX-License-Identifier: MIT
@testable import LibraryIO
import LibraryModel
import LibraryQuery
import ListeningModel
import MediaModel
import Testing

/// Who gets what the listener said of a song, where files have other names than before.
@Suite("Whose rating it is")
struct RecordOwnerTests {
  private static func path(_ number: Int) throws -> FilePath {
    try #require(FilePath("/m/0\(number).mp3"))
  }

  private static func shelf() throws -> Shelf {
    let shelf = try Shelf()
    try shelf.open.addFolder("/m", at: 1)
    return shelf
  }

  /// Three songs with as many stars as their numbers, in files named by these numbers.
  private func rated() throws -> Shelf {
    let shelf = try Self.shelf()
    for number in 1...3 {
      let item = try shelf.add(number, try Self.path(number)) { $0.title = "song \(number)" }
      #expect(try shelf.open.rate(item, number))
    }
    return shelf
  }

  private func stars(_ shelf: Shelf) throws -> [String] {
    try (0...5).flatMap { stars in try shelf.titles("rating == \(stars)").map { "\($0): \(stars)" } }
  }

  private func exported(_ shelf: Shelf) throws -> [ListeningEntry] {
    var entries: [ListeningEntry] = []
    try shelf.open.exportListening { entries.append($0) }
    return entries
  }

  /// A new song is the first file, and the others were renumbered.
  private func addShifted(to shelf: Shelf, _ order: [Int]) throws {
    for number in order {
      let path = try Self.path(number + 1)
      _ = try shelf.add(number == 0 ? 77 : number, path) { $0.title = number == 0 ? "new" : "song \(number)" }
    }
  }

  @Test(
    "a song that is gone takes its stars with it, though another has its name now, and has them when it is back"
  )
  func displaced() throws {
    let shelf = try Self.shelf()
    let items = try (1...3).map { number in
      try shelf.add(number, try Self.path(number)) { $0.title = "song \(number)" }
    }
    #expect(try shelf.open.rate(items[0], 5))
    let stamps = try (0..<3).map { index in
      let id = items[index]
      return try #require(try shelf.open.knownFiles([id]).first).stamp
    }
    let aside: FilePath = "/m/01.mp3/.1"
    _ = try shelf.open.apply(
      [
        .displace(items[0], aside), .move(items[1], try Self.path(1), stamps[1]),
        .move(items[2], try Self.path(2), stamps[2]),
      ], of: ["/m"], at: 2)
    _ = try shelf.open.handOver()
    #expect(try stars(shelf) == ["song 2: 0", "song 3: 0"])
    _ = try shelf.open.apply([.move(items[0], try Self.path(4), stamps[0])], of: ["/m"], at: 3)
    _ = try shelf.open.handOver()
    #expect(try stars(shelf) == ["song 2: 0", "song 3: 0", "song 1: 5"])
  }

  @Test("of many files with the same sound, such as silence, each keeps its stars when all are moved")
  func manyOfOneSound() throws {
    let shelf = try Self.shelf()
    for number in 1...30 {
      let item = try shelf.add(1, try #require(FilePath("/m/\(number).mp3"))) { $0.title = "\(number)" }
      #expect(try shelf.open.rate(item, 5))
    }
    _ = try shelf.open.removeFolder("/m")
    try shelf.open.addFolder("/n", at: 2)
    for number in 1...30 {
      _ = try shelf.add(1, try #require(FilePath("/n/copy \(number).mp3"))) { $0.title = "\(number)" }
    }
    _ = try shelf.open.handOver()
    #expect(try shelf.titles("rating == 5").count == 30)
  }

  @Test("songs that were renumbered keep their stars in an import, whatever their names are now")
  func importing() throws {
    let entries = try exported(rated())
    let other = try Shelf()
    try addShifted(to: other, [0, 1, 2, 3])
    let report = try other.open.importListening(entries)
    #expect(report.bySound == 3 && report.byPath == 0 && report.waiting == 0)
    #expect(try stars(other) == ["new: 0", "song 1: 1", "song 2: 2", "song 3: 3"])
    // A song that is gone leaves its name to another, which takes no stars of its own from there.
    let third = try Shelf()
    for number in 2...3 {
      _ = try third.add(number, try Self.path(number - 1)) { $0.title = "song \(number)" }
    }
    let again = try third.open.importListening(entries)
    #expect(again.bySound == 2 && again.byPath == 0 && again.waiting == 1)
    #expect(try stars(third) == ["song 2: 2", "song 3: 3"])
  }

  @Test(
    "so they do where their folder is taken out and added again, in whatever order it is read",
    arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2]])
  func addingAgain(order: [Int]) throws {
    let shelf = try rated()
    #expect(try shelf.open.removeFolder("/m") != nil)
    try addShifted(to: shelf, order)
    _ = try shelf.open.handOver()
    #expect(try stars(shelf) == ["new: 0", "song 1: 1", "song 2: 2", "song 3: 3"])
  }

  @Test(
    "so they do where the files were written anew under each other's names",
    arguments: [(order: [1, 2], isRated: false), ([2, 1], false), ([1, 2], true)])
  func rewritten(order: [Int], isRated: Bool) throws {
    let shelf = try rated()
    let items = try (1...3).map { number in
      try #require(try shelf.open.knownFiles(below: "/m").first { $0.path == (try Self.path(number)) }).id
    }
    // The first song is gone, and the others have moved up.
    for number in order {
      let record = Shelf.record(number + 1) { $0.title = "song \(number + 1)" }
      _ = try shelf.apply(.update(items[number - 1], Shelf.stamp(number + 10), record))
      // Who rates a song meanwhile rates this song.
      if isRated, number == 2 { #expect(try shelf.open.rate(items[1], 5)) }
    }
    // What they have stays to be seen until it is decided.
    #expect(try shelf.titles("rating == 0").isEmpty)
    _ = try shelf.apply(.hide(items[2]))
    _ = try shelf.open.handOver()
    #expect(try stars(shelf).sorted() == ["song 2: 2", "song 3: \(isRated ? 5 : 3)"])
    // The record of the song that is gone is left, with the name that another has. It stays nobody's when that one is written anew.
    _ = try shelf.apply(.update(items[0], Shelf.stamp(90), Shelf.record(90) { $0.title = "song 2" }))
    _ = try shelf.open.handOver()
    #expect(try stars(shelf).sorted() == ["song 2: 2", "song 3: \(isRated ? 5 : 3)"])
  }

  @Test(
    "so they do where the scan is cut short, by the agent's end or by a folder that is taken out, and another one reads the rest",
    arguments: [true, false])
  func cutShort(ends: Bool) throws {
    let shelf = try rated()
    let items = try (1...3).map { number in
      try #require(try shelf.open.knownFiles(below: "/m").first { $0.path == (try Self.path(number)) }).id
    }
    func write(_ number: Int) throws {
      let record = Shelf.record(number + 1) { $0.title = "song \(number + 1)" }
      _ = try shelf.apply(.update(items[number - 1], Shelf.stamp(number + 10), record))
    }
    try write(1)
    if ends {
      try write(2)
      try shelf.reopen()
    } else {
      _ = try shelf.open.handOver(in: [])
      try write(2)
    }
    _ = try shelf.apply(.hide(items[2]))
    _ = try shelf.open.handOver()
    #expect(try stars(shelf).sorted() == ["song 2: 2", "song 3: 3"])
  }

  @Test("a scan of some folders gives no file what may be that of one in another folder")
  func someFolders() throws {
    let shelf = try Self.shelf()
    try shelf.open.addFolder("/n", at: 1)
    let items = try ["/m/x.mp3", "/n/x.mp3"].enumerated().map { number, path in
      let item = try shelf.add(number + 1, try #require(FilePath(path))) { $0.title = "song \(number + 1)" }
      #expect(try shelf.open.rate(item, number + 1))
      return item
    }
    func write(_ item: MediaItem.ID, sound: Int) throws {
      let record = Shelf.record(sound) { $0.title = "song \(sound)" }
      _ = try shelf.apply(.update(item, Shelf.stamp(sound + 20), record))
    }
    // The two have exchanged their names, and one of the two folders is scanned.
    try write(items[0], sound: 2)
    _ = try shelf.open.handOverWhatIsNobodys()
    #expect(try shelf.open.mayOweRecords)
    try write(items[1], sound: 1)
    _ = try shelf.open.handOver()
    #expect(try stars(shelf).sorted() == ["song 1: 1", "song 2: 2"])
    // One has moved to the other folder, and has a twin in its own.
    let twin = try shelf.add(1, "/n/twin.mp3") { $0.title = "twin" }
    _ = try shelf.apply(.hide(items[1]))
    #expect(try shelf.open.handOverWhatIsNobodys().isEmpty)
    _ = try shelf.apply(.move(items[1], "/m/moved.mp3", Shelf.stamp(21)))
    _ = try shelf.open.handOver()
    #expect(try stars(shelf).sorted() == ["song 1: 1", "song 2: 2", "twin: 0"])
    // What nobody has any more is not waited for.
    _ = try shelf.open.removeFolder("/n")
    _ = try shelf.open.removeFolder("/m")
    try shelf.open.addFolder("/o", at: 2)
    _ = try shelf.add(2, "/o/copy.mp3") { $0.title = "copy" }
    #expect(try shelf.open.handOverWhatIsNobodys().count == 1)
    #expect(try stars(shelf) == ["copy: 2"])
    _ = twin
  }

  @Test(
    "a file whose tags change, or that is moved, before it is decided whose record it has, decides nothing")
  func undecided() throws {
    let shelf = try rated()
    let items = try (1...2).map { number in
      try #require(try shelf.open.knownFiles(below: "/m").first { $0.path == (try Self.path(number)) }).id
    }
    func write(_ number: Int, sound: Int) throws {
      let record = Shelf.record(sound) { $0.title = "song \(sound)" }
      _ = try shelf.apply(.update(items[number - 1], Shelf.stamp(sound + 20), record))
    }
    try write(1, sound: 2)
    try write(1, sound: 2)
    _ = try shelf.apply(.move(items[0], "/m/elsewhere.mp3", Shelf.stamp(40)))
    try write(2, sound: 1)
    _ = try shelf.open.handOver()
    #expect(try stars(shelf).sorted() == ["song 1: 1", "song 2: 2", "song 3: 3"])
  }

  @Test(
    "a file that was written anew with a better sound keeps its stars, though a copy of the old sound is there"
  )
  func encodedAgain() throws {
    let shelf = try Self.shelf()
    let rated = try shelf.add(1, "/m/album/a.mp3") { $0.title = "rated" }
    #expect(try shelf.open.rate(rated, 4))
    _ = try shelf.add(1, "/m/copies/a.mp3") { $0.title = "copy" }
    _ = try shelf.open.handOver()
    _ = try shelf.apply(.update(rated, Shelf.stamp(9), Shelf.record(9) { $0.title = "rated" }))
    _ = try shelf.open.handOver()
    #expect(try stars(shelf) == ["copy: 0", "rated: 4"])
    // The agent ends before the scan does.
    _ = try shelf.apply(.update(rated, Shelf.stamp(10), Shelf.record(10) { $0.title = "rated" }))
    try shelf.reopen()
    _ = try shelf.open.handOver()
    #expect(try stars(shelf) == ["copy: 0", "rated: 4"])
    // It is rated while the scan goes on.
    _ = try shelf.apply(.update(rated, Shelf.stamp(11), Shelf.record(11) { $0.title = "rated" }))
    #expect(try shelf.open.rate(rated, 3))
    _ = try shelf.open.handOver()
    #expect(try stars(shelf) == ["copy: 0", "rated: 3"])
    _ = try shelf.open.handOver()
    #expect(try stars(shelf) == ["copy: 0", "rated: 3"])
  }

  @Test("of equal copies the one that was rated has its stars again, whichever is read first")
  func copies() throws {
    for isCopyFirst in [true, false] {
      let shelf = try Self.shelf()
      let rated = try shelf.add(1, "/m/album/a.mp3") { $0.title = "rated" }
      #expect(try shelf.open.rate(rated, 4))
      _ = try shelf.add(1, "/m/copies/a.mp3") { $0.title = "copy" }
      #expect(try shelf.open.removeFolder("/m") != nil)
      let copy = { _ = try shelf.add(1, "/m/copies/a.mp3") { $0.title = "copy" } }
      if isCopyFirst { try copy() }
      _ = try shelf.add(1, "/m/album/a.mp3") { $0.title = "rated" }
      if !isCopyFirst { try copy() }
      _ = try shelf.open.handOver()
      #expect(try shelf.titles("rating == 4") == ["rated"])
    }
  }

  @Test("a song that is played while its folder is still read has all that was said of it before")
  func playedMeanwhile() throws {
    let shelf = try rated()
    #expect(try shelf.open.removeFolder("/m") != nil)
    let song = try shelf.add(3, "/n/elsewhere.mp3") { $0.title = "song 3" }
    #expect(try shelf.open.countPlay(song, at: 9))
    #expect(try shelf.titles("rating == 3 and playCount == 1") == ["song 3"])
    _ = try shelf.open.handOver()
    #expect(try shelf.titles("rating == 3 and playCount == 1") == ["song 3"])
  }

  @Test("another encoding under the same name has the stars, once no file of that sound has come")
  func encoding() throws {
    let shelf = try rated()
    #expect(try shelf.open.removeFolder("/m") != nil)
    for number in 1...3 {
      _ = try shelf.add(number + 50, try Self.path(number)) { $0.title = "song \(number)" }
    }
    #expect(try shelf.open.handOver().count == 3)
    #expect(try stars(shelf) == ["song 1: 1", "song 2: 2", "song 3: 3"])
  }

  @Test(
    "an item that has moved and was read anew has changed once; what was gone before is not removed again")
  func countedOnce() throws {
    let shelf = try Self.shelf()
    let item = try shelf.add(1, "/m/a.mp3")
    let moved = try shelf.apply(
      .move(item, "/m/b.mp3", Shelf.stamp(2)), .update(item, Shelf.stamp(2), Shelf.record(1)))
    #expect(moved.changed == [item] && moved.added.isEmpty)
    _ = try shelf.add(3, "/m/c.mp3")
    try shelf.apply(.hide(item))
    let back = try shelf.apply(
      .move(item, "/m/d.mp3", Shelf.stamp(4)), .update(item, Shelf.stamp(4), Shelf.record(1)))
    #expect(back.added == [item] && back.changed.isEmpty)
    try shelf.apply(.hide(item))
    #expect(try shelf.open.removeFolder("/m")?.count == 1)
  }

  @Test("tracks that a sort leaves equal are in the order of the shelf, not of their files")
  func ties() throws {
    let shelf = try Self.shelf()
    let tracks = [("B", 2), ("A", 3), ("B", 1), ("A", 1), ("A", 2)]
    for (number, track) in tracks.enumerated() {
      _ = try shelf.add(number + 1, try Self.path(number)) {
        $0.title = "\(track.0)\(track.1)"
        $0.artist = [track.0]
        $0.album = "Greatest Hits"
        $0.track = track.1
        $0.date = MediaDate(text: "1999")
      }
    }
    for sort in ["-added", "album", "artist", "-year", "rating", "genre"] {
      let query = ItemQuery(sort: try SortKey.list(sort))
      #expect(try shelf.titles(query) == ["A1", "A2", "A3", "B1", "B2"], "by \(sort)")
    }
  }
}
