// SPDX-License-Identifier: MIT
import FermataTestKit
import LibraryModel
import LibraryQuery
import MediaModel
import SQLiteIO
import Testing

@testable import LibraryIO

@Suite("Measured loudness in the library")
struct LoudnessTests {
  private let shelf: Shelf

  init() throws { shelf = try Shelf() }

  /// A sound of so many seconds that is evenly loud.
  private func sound(_ loudness: Double, seconds: Int = 60, peak: Float = 0.5) -> MeasuredLoudness {
    var blocks = LoudnessBlocks()
    for _ in 0..<seconds * 10 { blocks.add(loudness) }
    return MeasuredLoudness(integrated: blocks.integrated, peak: peak, blocks: blocks)
  }

  private func add(
    _ number: Int, album: String? = "Blue", gain: Float? = nil
  ) throws -> MediaItem.ID {
    try shelf.add(number, try #require(FilePath("/m/\(number).flac"))) { tags in
      (tags.album, tags.artist, tags.track) = (album, ["Nina"], number)
      tags.loudness.trackGain = gain
    }
  }

  @discardableResult
  private func note(_ id: MediaItem.ID, _ number: Int, _ found: MeasuredLoudness) throws -> Bool {
    let stamp = Shelf.stamp(number)
    return try shelf.open.note(.success(found), of: id, size: stamp.size, modified: stamp.modified)
  }

  private func gains(_ number: Int) throws -> Loudness? {
    try shelf.open.measuredGains(at: try #require(FilePath("/m/\(number).flac")))
  }

  private func left(_ query: ItemQuery = ItemQuery()) throws -> [MediaItem.ID] {
    try shelf.open.unmeasured(of: query, at: shelf.time)
  }

  @Test(
    "what no tag tells is measured, in the order of the shelf, and what a tag tells never counts as measured")
  func left() throws {
    let (third, first, second) = (try add(3), try add(1), try add(2, gain: -3))
    #expect(try left() == [first, third])
    #expect(try left(ItemQuery(Predicate("track == 3"))) == [third])
    #expect(try shelf.open.loudnessCounts() == LoudnessCounts(unmeasured: 2))
    #expect(try note(first, 1, sound(-20)) && note(third, 3, sound(-10)) && note(second, 2, sound(-5)))
    #expect(try left() == [] && shelf.open.loudnessCounts() == LoudnessCounts())
    #expect(try gains(2) == nil)
    #expect(abs(try #require(gains(1)?.trackGain) - 2) < 0.01)
    #expect(try gains(1)?.trackPeak == 0.5)
  }

  @Test("an album's gain comes from all of its tracks together, as soon as each of them is measured")
  func album() throws {
    let (one, two, three) = (try add(1), try add(2), try add(3))
    try note(one, 1, sound(-20, peak: 0.3))
    try note(two, 2, sound(-10, seconds: 120, peak: 0.9))
    #expect(try gains(1)?.albumGain == nil && gains(1)?.trackGain != nil)
    // A track that can't be measured can't be heard either.
    let stamp = Shelf.stamp(3)
    try shelf.open.note(
      .failure(UnfitSound(reason: "is broken")), of: three, size: stamp.size, modified: stamp.modified)
    #expect(
      try shelf.open.loudnessCounts()
        == LoudnessCounts(unmeasured: 0, unfit: 1, example: "'/m/3.flac' is broken"))
    let gains = try #require(try gains(1))
    // The mean of the powers is above -12 LUFS, and the softer track above the gate.
    var both = sound(-20).blocks
    both.add(sound(-10, seconds: 120).blocks)
    let whole = try #require(both.integrated)
    #expect(abs(try #require(gains.albumGain) - Loudness.gain(for: whole)) < 0.1)
    #expect(gains.albumPeak == 0.9 && gains.trackPeak == 0.3)
    #expect(try self.gains(2)?.albumGain == gains.albumGain)
  }

  @Test("items without an album have no album's gain, and an album with a tagged track neither")
  func loose() throws {
    let (one, two, three) = (try add(1, album: nil), try add(2, album: nil), try add(3))
    _ = try add(4, gain: 1)
    for (id, number) in [(one, 1), (two, 2), (three, 3)] { try note(id, number, sound(-20)) }
    for number in 1...3 { #expect(try gains(number)?.trackGain != nil && gains(number)?.albumGain == nil) }
    // This album is measured as a whole before one of its tracks is tagged.
    for number in 5...6 { try note(add(number, album: "Red"), number, sound(-20)) }
    #expect(try gains(5)?.albumGain != nil)
    let tagged = Shelf.record(6) { tags in
      (tags.album, tags.artist, tags.track) = ("Red", ["Nina"], 6)
      tags.loudness.trackGain = 1
    }
    try shelf.apply(.update(#require(try shelf.open.item(at: "/m/6.flac")), Shelf.stamp(7), tagged))
    #expect(try gains(5)?.trackGain != nil && gains(5)?.albumGain == nil)
  }

  @Test("other tags change nothing, another sound or another file is measured anew, a move keeps all")
  func changes() throws {
    let id = try add(1)
    try note(id, 1, sound(-20))
    try shelf.apply(.update(id, Shelf.stamp(5), Shelf.record(1) { $0.title = "New" }))
    #expect(try left() == [] && gains(1) != nil)
    try shelf.apply(.move(id, "/m/2.flac", Shelf.stamp(6)))
    #expect(try gains(2) != nil)
    try shelf.apply(.update(id, Shelf.stamp(7), Shelf.record(2)))
    #expect(try left() == [id] && gains(2) == nil)
    // A measurement of the file as it was comes too late.
    #expect(try !note(id, 6, sound(-20)))
    #expect(try left() == [id])
  }

  @Test("a file that can't be measured is left alone until it changes in any way")
  func unfit() throws {
    let id = try add(1)
    let stamp = Shelf.stamp(1)
    try shelf.open.note(
      .failure(UnfitSound(reason: "is broken")), of: id, size: stamp.size, modified: stamp.modified)
    #expect(try left() == [] && gains(1) == nil)
    try shelf.apply(.update(id, Shelf.stamp(2), Shelf.record(1)))
    #expect(try left() == [id])
  }

  @Test("what is to be measured again counts until then, and the rest of it is still to do after a restart")
  func again() throws {
    let (one, two) = (try add(1), try add(2))
    for (id, number) in [(one, 1), (two, 2)] { try note(id, number, sound(-20)) }
    try shelf.open.remeasure(ItemQuery(), at: shelf.time)
    #expect(try left() == [one, two] && gains(1)?.albumGain != nil)
    try note(one, 1, sound(-30))
    try shelf.reopen()
    #expect(try left() == [two])
    #expect(abs(try #require(gains(1)?.trackGain) - 12) < 0.01)
    #expect(try shelf.open.toMeasure([one, two]).map(\.id) == [two])
  }

  @Test(
    "a file that is read anew keeps its loudness, whatever tells its sound then; one that has changed does not"
  )
  func readAnew() throws {
    let id = try add(1)
    #expect(try note(id, 1, sound(-20)))
    func read(_ stamp: FileStamp, print: Int) throws -> Bool {
      var record = FileRecord(tags: MediaTags())
      record.fingerprint = Shelf.print(print)
      try shelf.apply(.update(id, stamp, record))
      return try gains(1) != nil
    }
    try shelf.open.tagsAreRead(in: "windows-1251")
    #expect(try read(Shelf.stamp(1), print: 77))
    #expect(try !read(Shelf.stamp(2), print: 78))
  }

  @Test("an item that is gone takes its loudness with it, and a missing file's is kept")
  func gone() throws {
    let id = try add(1)
    try note(id, 1, sound(-20))
    try shelf.apply(.hide(id))
    #expect(try gains(1) == nil && left() == [])
    try shelf.apply(.show(id, Shelf.stamp(1)))
    #expect(try gains(1) != nil)
    try shelf.apply(.hide(id))
    _ = try shelf.open.purge(olderThan: shelf.now + 1)
    #expect(try shelf.open.database.number("SELECT count(*) FROM loudness") == 0)
  }

  @Test("a library of the version before keeps its items, all of them to be measured")
  func migrated() throws {
    let id = try add(1)
    shelf.close()
    do {
      let old = try Database(shelf.folder.path("data/library.db"))
      try old.run("DROP TABLE loudness; DROP INDEX album_artist; PRAGMA user_version = 1")
    }
    try shelf.reopen()
    #expect(shelf.damage.isEmpty)
    #expect(try left() == [id])
  }
}
