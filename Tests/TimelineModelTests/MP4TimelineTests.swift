// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@testable import TimelineModel

@Suite("What an MP4 file says of its time")
struct MP4TimelineTests {
  /// An MP4 file of descriptions alone.
  private struct Film {
    var scale = 1_000
    var trackScale = 44_100
    var coding = "mp4a"
    var times: [(packets: Int, ticks: Int)] = [(216, 1_024), (1, 463)]
    var edits: [(length: Int, start: Int)] = []
    /// Whether the times of the edits have eight bytes.
    var hasLongTimes = false
    var smpb: String?
    var isFragmented = false

    var bytes: [UInt8] {
      let zeros = [UInt8](repeating: 0, count: 80)
      // The start of a pause, -1, has all bits set in eight bytes too.
      func time(_ value: Int) -> [UInt8] {
        hasLongTimes ? number(value == 0xffff_ffff ? value : 0) + number(value) : number(value)
      }
      let list = edits.flatMap { time($0.length) + time($0.start) + number(0x10000) }
      let table = box(
        "stbl",
        box("stsd", number(0) + number(1) + box(coding, zeros))
          + box(
            "stts", number(0) + number(times.count) + times.flatMap { number($0.packets) + number($0.ticks) })
      )
      let media = box(
        "mdia",
        box("mdhd", zeros.prefix(12) + number(trackScale) + zeros.prefix(8))
          + box("hdlr", zeros.prefix(8) + Array("soun".utf8) + zeros.prefix(13)) + box("minf", table))
      let track = box(
        "trak",
        box("tkhd", zeros.prefix(12) + number(1) + zeros.prefix(60))
          + (edits.isEmpty
            ? []
            : box("edts", box("elst", number(hasLongTimes ? 1 << 24 : 0) + number(edits.count) + list)))
          + media)
      let tags = smpb.map { text in
        box(
          "udta",
          box(
            "meta",
            number(0)
              + box(
                "ilst",
                box(
                  "----",
                  box("mean", number(0)) + box("name", number(0) + Array("iTunSMPB".utf8))
                    + box("data", number(1) + number(0) + Array(text.utf8))))))
      }
      return box("ftyp", Array("M4A ".utf8))
        + box(
          "moov",
          box("mvhd", zeros.prefix(12) + number(scale) + zeros) + track
            + (isFragmented ? box("mvex", []) : [])
            + (tags ?? []))
    }

    var timeline: MP4Timeline? {
      let bytes = bytes
      return MP4Timeline(size: bytes.count) { Array(bytes.dropFirst($0).prefix($1)) }
    }

    private func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xff) } }
    private func box(_ name: String, _ content: some Sequence<UInt8>) -> [UInt8] {
      let content = Array(content)
      return number(content.count + 8) + Array(name.utf8) + content
    }
  }

  // 216 packets and a shorter one: 221,647 ticks, of which 1,024 are padding: 220,623 frames are to be heard.
  private static let smpb = " 00000000 00000400 00000231 0000000000035DCF 00000000 00000000"

  @Test("the sound lies between the two ends of its padding, whichever way they are stated")
  func cuts() throws {
    func cut(rate: Int = 44_100, _ change: (inout Film) -> Void) throws -> [Int?] {
      var film = Film()
      change(&film)
      let cut = try #require(film.timeline).cut(track: 1, rate: rate)
      return [cut.start, cut.end]
    }
    #expect(try cut { _ in } == [0, 221_647])
    // The edit's length is in milliseconds; up to one, the table is right.
    #expect(try cut { $0.edits = [(5_003, 1_024)] } == [1_024, 221_647])
    #expect(try cut { $0.edits = [(4_000, 1_024)] } == [1_024, 177_424])
    #expect(try cut { $0.edits = [(0, 1_024)] } == [1_024, 221_647])
    // A pause before the sound is no edit of it, and several edits are cut at the beginning only.
    for hasLongTimes in [false, true] {
      #expect(
        try cut { ($0.edits, $0.hasLongTimes) = ([(20, 0xffff_ffff), (4_000, 1_024)], hasLongTimes) }
          == [1_024, 177_424])
    }
    #expect(try cut { $0.edits = [(1_000, 1_024), (1_000, 90_000)] } == [1_024, 221_647])
    #expect(try cut { $0.smpb = Self.smpb } == [1_024, 221_647])
    // iTunes' text wins.
    #expect(
      try cut {
        ($0.smpb, $0.edits) = (Self.smpb, [(4_000, 2_112)])
        $0.times = [(218, 1_024)]
      } == [1_024, 221_647])
    #expect(
      try cut {
        ($0.isFragmented, $0.times) = (true, [])
        $0.edits = [(0, 1_024)]
      } == [1_024, nil])
  }

  @Test("packets with a row of their own each are added up, for hours of them")
  func manyRows() throws {
    // As of a broadcast, whose stamps are rounded. The edit's length is in milliseconds, rounded up.
    let film = Film(
      times: (0..<200_000).map { (packets: 1, ticks: $0 % 2 == 0 ? 1_020 : 1_028) }, edits: [(4_643_991, 0)])
    let cut = try #require(film.timeline).cut(track: 1, rate: 44_100)
    #expect(cut.end == 200_000 * 1_024)
  }

  @Test("HE-AAC's core has half of the frames, and the delay of its decoder is counted by some encoders only")
  func core() throws {
    func cut(_ change: (inout Film) -> Void) throws -> [Int?] {
      var film = Film()
      film.times = [(30, 1_024)]
      change(&film)
      let cut = try #require(film.timeline).cut(track: 1, rate: 44_100)
      return [cut.start, cut.end]
    }
    func apple(_ film: inout Film) { film.trackScale = 22_050 }
    func others(_ film: inout Film) { film.times = [(30, 2_048)] }
    // 2,112 + 27,000 + 1,608 are the core's 30,720 frames; 4,228 + 54,000 + 3,212 the 61,440 that come out.
    let ofCore = " 00000000 00000840 00000648 0000000000006978 00000000"
    let ofAll = " 00000000 00001084 00000C8C 000000000000D2F0 00000000"
    #expect(
      try cut {
        apple(&$0); $0.smpb = ofCore
      } == [2 * (2_112 + 481), 2 * (2_112 + 481 + 27_000)])
    #expect(
      try cut {
        others(&$0); $0.smpb = ofAll
      } == [4_228, 58_228])
    #expect(
      try cut {
        apple(&$0); $0.smpb = ofAll
      } == [4_228, 58_228])
    #expect(
      try cut {
        apple(&$0); $0.edits = [(1_000, 2_112)]
      } == [5_186, 49_286])
    #expect(
      try cut {
        others(&$0); $0.edits = [(1_000, 5_186)]
      } == [5_186, 49_286])
    // Nobody cut the beginning: there is nothing to add a delay to.
    #expect(
      try cut {
        apple(&$0); $0.edits = [(1_000, 0)]
      } == [0, 44_100])
    #expect(try cut(apple) == [0, 61_440])
    // Where the file ends too early, it ends there.
    #expect(
      try cut {
        apple(&$0); ($0.smpb, $0.times) = (ofCore, [(28, 1_024)])
      } == [5_186, 57_344])
  }

  @Test("the tracks are told by their numbers and their codings")
  func tracks() throws {
    var film = Film()
    film.coding = "drms"
    let timeline = try #require(film.timeline)
    #expect(timeline.sounds.map(\.number) == [1] && timeline.sounds[0].isLocked)
    #expect(timeline.sounds[0].coding == "drms" && timeline.scale == 1_000)
    #expect(MP4Timeline(size: 12) { _, _ in [] } == nil)
  }

  @Test("what is no text of iTunes says nothing")
  func texts() {
    #expect(MP4Timeline.priming(Self.smpb) == .init(frames: 1_024, length: 220_623))
    for text in ["", " 0 0", " 00000000 xyz 0 1", " 0 400 231 0", " 0 FFFFFFFF 0 1", " 0 -400 0 1"] {
      #expect(MP4Timeline.priming(text) == nil, "\(text)")
    }
  }

  @Test("no bytes make it trap, and no more are read than there are")
  func damaged() {
    var film = Film()
    (film.edits, film.smpb) = ([(5_003, 1_024)], Self.smpb)
    let whole = film.bytes
    var generator = SeededGenerator(seed: 9)
    for _ in 0..<20_000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...5, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        bytes[place] = Bool.random(using: &generator) ? 0xff : .random(in: 0...255, using: &generator)
      }
      var read = 0
      let timeline = MP4Timeline(size: bytes.count) { offset, count in
        read += count
        return Array(bytes.dropFirst(offset).prefix(count))
      }
      let cut = timeline?.cut(track: 1, rate: 44_100)
      #expect(cut.map { $0.start >= 0 } ?? true)
      #expect(read < 1 << 20)
    }
  }

  // MARK: Fragments

  private func number(_ value: Int, bytes: Int = 4) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * (bytes - 1 - $0))) }
  }

  private func box(_ name: String, _ content: [UInt8]...) -> [UInt8] {
    number(content.joined().count + 8) + Array(name.utf8) + content.joined()
  }

  private func length(_ bytes: [UInt8]) -> MP4Fragments.Length? {
    var track = MP4Timeline.Track()
    (track.number, track.scale) = (1, 44_100)
    return MP4Fragments(of: track, size: bytes.count) { Array(bytes.dropFirst($0).prefix($1)) }
      .length(filmScale: 1_000)
  }

  /// A fragment with a run of packets of this track, and one of another track.
  private func fragment(packets: Int, each: Int?) -> [UInt8] {
    let other = box(
      "traf", box("tfhd", number(0x8), number(2), number(7)), box("trun", number(0), number(99)))
    let own = box(
      "traf",
      box("tfhd", number(each == nil ? 0x2 : 0xA), number(1), number(1), each.map { number($0) } ?? []),
      box("trun", number(0x1), number(packets), number(0)))
    return box("moof", box("mfhd", number(0)), own, other) + box("mdat", number(0))
  }

  @Test("the length of fragments is that of their packets, if nothing else tells it")
  func counted() {
    let head = box("moov", box("mvex", box("trex", number(0), number(1), number(1), number(1_024))))
    let run = box(
      "moof",
      box(
        "traf", box("tfhd", number(0), number(1)),
        box("trun", number(0x300), number(2), number(10), number(0), number(20), number(0))))
    #expect(length(head) == nil)
    let whole = head + fragment(packets: 100, each: nil) + fragment(packets: 3, each: 1_000) + run
    #expect(length(whole) == .init(ticks: 100 * 1_024 + 3_000 + 30, scale: 44_100))
    #expect(length(head + fragment(packets: 0xffff_ffff, each: 0xffff_ffff)) == nil)
  }

  @Test("an index or a note tells the length of fragments without a look at each")
  func told() {
    let note = box("moov", box("mvex", box("mehd", number(0), number(5_000))))
    #expect(length(note) == .init(ticks: 5_000, scale: 1_000))
    func index(_ pieces: [(isIndex: Bool, ticks: Int)]) -> [UInt8] {
      box(
        "sidx", number(0), number(1), number(48_000), number(0), number(0), number(pieces.count),
        pieces.flatMap { number($0.isIndex ? 1 << 31 : 9) + number($0.ticks) + number(0) })
    }
    let pieces = index([(true, 700), (false, 300)]) + index([(false, 500), (false, 200)])
    #expect(length(note + pieces + fragment(packets: 9, each: 9)) == .init(ticks: 1_000, scale: 48_000))
    // An index that is cut off tells nothing.
    #expect(length(note + pieces.dropLast(30)) == .init(ticks: 5_000, scale: 1_000))
  }
}
