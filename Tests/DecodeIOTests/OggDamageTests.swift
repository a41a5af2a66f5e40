// SPDX-License-Identifier: MIT
import DecodeIO
import FermataTestKit
import Testing

/// Ogg files as they come from recordings of streams and from broken disks: all that is left of them plays.
@Suite("An Ogg file with pages missing")
struct OggDamageTests {
  struct Codec: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let encoder: [String]
    /// How far off a sample may be that was decoded after another beginning.
    let tolerance: Float
  }

  static let codecs = [
    Codec(
      testDescription: "Vorbis", encoder: ["oggenc", "-Q", "-q", "3", "-o", "OUT", "IN"], tolerance: 1e-6),
    Codec(
      testDescription: "Opus", encoder: ["opusenc", "--quiet", "--bitrate", "96", "IN", "OUT"],
      tolerance: 1e-4),
  ]

  /// The numbers that the encoder makes up for two streams may be the same.
  private static func vorbis(serial: UInt64) -> Codec {
    Codec(
      testDescription: "Vorbis",
      encoder: ["oggenc", "-Q", "-q", "3", "-s", "\(serial + 70)", "-o", "OUT", "IN"],
      tolerance: 1e-6)
  }

  /// Of a stream's FLAC nobody knows the length beforehand, as here where it comes through a pipe.
  private static let flac = Codec(
    testDescription: "FLAC",
    encoder: [
      "sh", "-c",
      """
      flac --ogg --silent --force-raw-format --endian=little --sign=signed --channels=2 --sample-rate=48000 --bps=16 \\
        --stdout - <"$0" | cat >"$1"
      """, "IN", "OUT",
    ], tolerance: 0)

  /// Four seconds in many pages, the headers apart.
  private func song(_ codec: Codec, seed: UInt64 = 1) throws -> (headers: [UInt8], pages: [[UInt8]]) {
    let directory = try TemporaryDirectory()
    let signal = Signal.noise(rate: 48_000, channels: 2, frames: 200_000, seed: seed, level: 0.2)
    let input = try directory.write("in.wav", WAVFile.bytes(signal))
    let output = directory.path("out")
    try Tool.run(codec.encoder.map { $0 == "IN" ? input : $0 == "OUT" ? output : $0 })
    let pages = OggPages.pages(of: try withExtendedLifetime(directory) { try contents(of: output) })
    let headers = OggPages.headers(of: pages)
    return (pages[..<headers].flatMap { $0 }, Array(pages[headers...]))
  }

  private func decoder(_ headers: [UInt8], _ pages: some Sequence<[UInt8]>) throws -> any Decoder {
    try Decoders.open(MemorySource(headers + pages.flatMap { $0 }))
  }

  /// A table without values, all of whose codes have the same length.
  private static func table(entries: Int, width: Int = 1, hasValues: Bool = false) -> [UInt8] {
    let length = Int.bitWidth - 1 - entries.leadingZeroBitCount
    let fields =
      [
        (0x564342, 24), (width, 16), (entries, 24), (1, 1), (length - 1, 5), (entries, length + 1),
      ] + (hasValues ? [(1, 4), (0, 64), (0, 4), (0, 1), (0, 1)] : [(0, 4)])
    let bits = fields.flatMap { number, count in (0..<count).map { UInt8(number >> min($0, 63) & 1) } }
    return stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<min(bits.count, start + 8)].reversed().reduce(UInt8(0)) { $0 << 1 | $1 }
    }
  }

  /// The headers of a song with a table of this size in the last one.
  private static func headers(_ headers: [UInt8], entries: Int, width: Int = 1, hasValues: Bool = false)
    -> [[UInt8]]
  {
    let name = Array("vorbis".utf8)
    return [
      OggPages.page(Array(OggPages.pages(of: headers)[0][28...]), flags: 2),
      OggPages.page([3] + name + [UInt8](repeating: 0, count: 8) + [1], flags: 0, number: 1),
      OggPages.page(
        [5] + name + [0] + table(entries: entries, width: width, hasValues: hasValues), flags: 0, number: 2),
    ]
  }

  @Test("with a Vorbis header whose tables would fill the memory is refused")
  func values() throws {
    let pages = Self.headers(
      try song(Self.codecs[0]).headers, entries: 256, width: 65_535, hasValues: true)
    let error = #expect(throws: DecodeError.self) { _ = try decoder([], pages[...]) }
    #expect(error?.description.contains("absurd size") == true, "\(error as Any)")
  }

  @Test("that is a recording of several songs plays all but the one whose header is damaged")
  func damagedSong() throws {
    let songs = try (1...3).map { try song(Self.vorbis(serial: $0), seed: $0) }
    let bytes = { (song: (headers: [UInt8], pages: [[UInt8]])) in song.headers + song.pages.flatMap { $0 } }
    let first = try decoder(songs[0].headers, songs[0].pages).frames()
    // The recording was stopped when the second song had just begun.
    let stopped = try Decoders.open(MemorySource(bytes(songs[0]) + songs[1].headers.prefix(1_000)))
    #expect(stopped.length == .unknown)
    #expect(throws: DecodeError.self) { while try !stopped.frames(5_000).isEmpty {} }
    #expect(stopped.position == first.count / 2)
    // A part of the second song's header is lost.
    var hole = bytes(songs[1])
    hole.removeSubrange(1_500..<2_500)
    let others = try Decoders.open(MemorySource(bytes(songs[0]) + hole + bytes(songs[2])))
    let last = try decoder(songs[2].headers, songs[2].pages).frames()
    #expect(try others.measure() == (first.count + last.count) / 2 && others.position == 0)
    let heard = try others.frames()
    #expect(difference(heard, first + last) <= Self.codecs[0].tolerance)
    for target in [300_000, 10, 399_999, 0] {
      try others.seek(to: target)
      let expected = Array(heard[target * 2..<min(heard.count, target * 2 + 200)])
      #expect(try others.position == target && others.frames(100) == expected)
    }
  }

  @Test("plays without the song whose header has tables that would fill the stack")
  func laterTables() throws {
    let songs = try (1...2).map { try song(Self.vorbis(serial: $0), seed: $0) }
    let hostile = Self.headers(songs[0].headers, entries: 0x40_0000).flatMap { $0 }
    let decoder = try decoder(
      songs[0].headers, songs[0].pages + [hostile + songs[1].headers] + songs[1].pages)
    #expect(decoder.length == .unknown)
    #expect(try decoder.frames().count / 2 > 390_000)
  }

  @Test(
    "with a Vorbis header whose tables would fill the stack is refused, and others are not",
    arguments: [6_561, 0x40_0000])
  func tables(entries: Int) throws {
    let pages = Self.headers(try song(Self.codecs[0]).headers, entries: entries)
    let name = Array("vorbis".utf8)
    let first = pages[0]
    let error = #expect(throws: DecodeError.self) { _ = try decoder([], pages) }
    #expect(error?.description.contains("absurd size") == (entries > 1 << 18), "\(error as Any)")
    // libogg passes over a page of another version, and over the rest of a packet that it has not begun; libvorbisfile passes over a stream whose first
    // packet is not whole in its page. What is passed over must not be counted for the header.
    let small = [5] + name + [0] + Self.smallTable
    var version = OggPages.page(small, flags: 0, number: 1)
    version[4] = 1
    let orphan = OggPages.page(small, flags: 1, number: 1)
    let unfinished = Array(first[28...]) + [UInt8](repeating: 0, count: 255 - first[28...].count)
    let decoys: [[[UInt8]]] = [
      [pages[0], OggPages.withTrueChecksums(version), pages[1], pages[2]],
      [
        pages[0], orphan,
        OggPages.page([3] + name + [UInt8](repeating: 0, count: 8) + [1], flags: 0, number: 2),
        OggPages.page([5] + name + [0] + Self.table(entries: entries), flags: 0, number: 3),
      ],
      [OggPages.page(unfinished, flags: 2, isWhole: false)] + pages,
      // The first packet ends within the mark.
      [OggPages.page(laces: [3, 4], [1] + name, flags: 2)] + pages,
    ]
    for pages in decoys where entries > 1 << 18 {
      let error = #expect(throws: DecodeError.self) { _ = try decoder([], pages[...]) }
      #expect(error?.description.contains("absurd size") == true, "\(error as Any)")
    }
  }

  /// A table of one entry.
  private static let smallTable: [UInt8] = [0x42, 0x43, 0x56, 1, 0, 1, 0, 0, 1, 0]

  @Test("that begins late plays to its end, knows how long it is and where it stands", arguments: codecs)
  func beginsLate(codec: Codec) throws {
    let (headers, pages) = try song(codec)
    try #require(pages.count >= 4)
    let whole = try decoder(headers, pages).frames()
    for missing in [1, pages.count / 2] {
      let decoder = try decoder(headers, pages.dropFirst(missing))
      let stated = decoder.length.exactFrames
      let heard = try decoder.frames()
      let frames = heard.count / 2
      #expect(stated == frames && decoder.position == frames)
      #expect(frames > 200_000 * (pages.count - missing - 1) / pages.count)
      // A codec needs some time to find into the middle of a sound.
      let tail = min(heard.count / 2, heard.count - 96_000)
      #expect(difference(heard.suffix(tail), whole.suffix(tail)) <= codec.tolerance)
      for target in [0, 1, 700, frames / 3, frames / 2, frames - 2_000, frames - 1] {
        try decoder.seek(to: target)
        #expect(decoder.position == target)
        let expected = Array(heard[target * 2..<min(heard.count, target * 2 + 1_000)])
        #expect(difference(try decoder.frames(500), expected) <= codec.tolerance, "to \(target) of \(frames)")
      }
    }
  }

  @Test(
    "of FLAC that begins late, as a stream's recording does, is sought and measured from its own beginning")
  func lateFLAC() throws {
    let (headers, pages) = try song(Self.flac)
    let whole = try decoder(headers, pages).frames()
    for missing in [1, pages.count / 2] {
      let decoder = try decoder(headers, pages.dropFirst(missing))
      let frames = try decoder.measure()
      #expect(frames > 200_000 * (pages.count - missing - 1) / pages.count && frames < whole.count / 2)
      let heard = try decoder.frames()
      #expect(heard == Array(whole.suffix(frames * 2)) && decoder.position == frames)
      #expect(decoder.length == .exact(frames))
      for target in [0, 1, 700, frames / 3, frames / 2, frames - 2_000, frames - 1] {
        try decoder.seek(to: target)
        let expected = Array(heard[target * 2..<min(heard.count, target * 2 + 1_000)])
        #expect(
          try decoder.position == target && decoder.frames(500) == expected, "to \(target) of \(frames)")
      }
    }
  }

  @Test("of FLAC with a second song plays the first, and says that there is another")
  func chainedFLAC() throws {
    let directory = try TemporaryDirectory()
    let songs = try (1...2).map { number in
      let signal = Signal.noise(rate: 48_000, channels: 2, frames: 50_000, seed: UInt64(number), level: 0.2)
      let input = try directory.write("\(number).wav", WAVFile.bytes(signal))
      let output = directory.path("\(number).oga")
      try Tool.run(["flac", "-s", "--ogg", "--serial-number=\(number)", "-o", output, input])
      return try contents(of: output)
    }
    let alone = try Decoders.open(MemorySource(songs[0])).frames()
    let decoder = try Decoders.open(MemorySource(songs[0] + songs[1]))
    var heard: [Float] = []
    let error = #expect(throws: DecodeError.self) {
      while true {
        let more = try decoder.frames(1_000)
        if more.isEmpty { break }
        heard += more
      }
    }
    #expect(heard == alone && error?.code == .unsupported && error?.reason.contains("another song") == true)
  }

  @Test("of FLAC that was cut out of a longer file counts from its own beginning, whatever length it states")
  func cutFLAC() throws {
    let directory = try TemporaryDirectory()
    let signal = Signal.noise(rate: 48_000, channels: 2, frames: 100_000, seed: 3, level: 0.2)
    let (input, output) = (try directory.write("in.wav", WAVFile.bytes(signal)), directory.path("out.flac"))
    try Tool.run(["flac", "--silent", "--blocksize=4096", "-o", output, input])
    let bytes = try contents(of: output)
    let whole = try Decoders.open(MemorySource(bytes)).frames()
    // Each frame begins with a mark and with what all of them have in common; the sixth has the number 5.
    let sound = try #require(
      bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xF8]) && bytes[$0 + 4] == 0 })
    let mark = bytes[sound..<sound + 4] + [5]
    let sixth = try #require(bytes.indices.first { bytes[$0...].starts(with: mark) })
    let decoder = try Decoders.open(MemorySource(Array(bytes[..<sound] + bytes[sixth...])))
    #expect(decoder.length == .estimated(100_000 - 5 * 4_096))
    let expected = Array(whole[(5 * 4_096 * 2)...])
    for target in [0, 1, 30_000] {
      try decoder.seek(to: target)
      let heard = try decoder.frames(500)
      #expect(heard == Array(expected[target * 2..<target * 2 + 1_000]), "to \(target)")
    }
    try decoder.seek(to: 0)
    #expect(try decoder.frames() == expected)
    #expect(decoder.length == .exact(100_000 - 5 * 4_096))
  }

  @Test("in its middle goes on behind the gap to the end, which is no failure", arguments: codecs)
  func gap(codec: Codec) throws {
    let (headers, pages) = try song(codec)
    let whole = try decoder(headers, pages).frames()
    let middle = pages.count / 2
    let decoder = try decoder(headers, pages[..<middle] + pages[(middle + 1)...])
    let heard = try decoder.frames()
    #expect(heard.count < whole.count && heard.count > whole.count * (pages.count - 2) / pages.count)
    #expect(decoder.length == .exact(heard.count / 2) && decoder.position == heard.count / 2)
    let tail = 20_000
    #expect(difference(heard.suffix(tail), whole.suffix(tail)) <= codec.tolerance)
  }

  @Test("or damaged goes on behind the damage", arguments: codecs)
  func damagedPage(codec: Codec) throws {
    let (headers, pages) = try song(codec)
    let whole = try decoder(headers, pages).frames()
    var damaged = pages
    damaged[pages.count / 2][60] ^= 0xFF
    let heard = try decoder(headers, damaged).frames()
    #expect(heard.count < whole.count && heard.count > whole.count * (pages.count - 2) / pages.count)
    // Behind a checksum that fits, the codec finds the damage itself.
    damaged[0] = OggPages.page([UInt8](repeating: 0xFF, count: 300), flags: 0)
    #expect(try decoder(headers, damaged).frames().count > whole.count * (pages.count - 3) / pages.count)
  }

  @Test("at the end of one song and the beginning of the next plays both", arguments: codecs)
  func chained(codec: Codec) throws {
    let (first, second) = (try song(codec), try song(codec, seed: 2))
    let bytes =
      first.headers + first.pages.dropLast().flatMap { $0 }
      + renumbered(second.headers + second.pages.flatMap { $0 })
    let decoder = try Decoders.open(MemorySource(bytes))
    let heard = try decoder.frames()
    let alone = try self.decoder(second.headers, second.pages).frames()
    #expect(heard.count > alone.count * 3 / 2)
    #expect(
      difference(heard.suffix(alone.count - 2_000), alone.suffix(alone.count - 2_000)) <= codec.tolerance)
    for target in [100, heard.count / 2 - 150_000, heard.count / 2 - 60_000, heard.count / 2 - 3_000] {
      try decoder.seek(to: target)
      let expected = Array(heard[target * 2..<target * 2 + 1_000])
      #expect(difference(try decoder.frames(500), expected) <= codec.tolerance, "to \(target)")
    }
  }

  @Test("before its first page plays from the first song on that begins in it", arguments: codecs)
  func beginsInside(codec: Codec) throws {
    let (first, second) = (try song(codec), try song(codec, seed: 2))
    let next = renumbered(second.headers + second.pages.flatMap { $0 })
    // The end of a page, and a page of the song before.
    let bytes: [UInt8] = Array(first.pages[0].suffix(1_000)) + first.pages[1] + next
    try #require(bytes.count - next.count < 60_000)
    #expect(
      try Decoders.open(MemorySource(bytes)).frames() == Decoders.open(MemorySource(next)).frames())
    #expect(try Decoders.open(MemorySource(first.pages[1] + next)).frames().count > 390_000)
  }

  @Test("or with a gain beyond all measure hurts no ears")
  func gain() throws {
    let (first, pages) = try song(Self.codecs[1])
    var headers = first
    // The gain in the first header, after a page's 28 bytes: 128 dB.
    (headers[28 + 16], headers[28 + 17]) = (0xff, 0x7f)
    let bytes = OggPages.withTrueChecksums(headers) + pages.flatMap { $0 }
    let loudest = try Decoders.open(MemorySource(bytes)).frames().map(abs).max()
    #expect(loudest == 64)
  }

  /// The same stream under another number; two of one number in a row would be one stream.
  private func renumbered(_ bytes: [UInt8]) -> [UInt8] {
    let pages = OggPages.pages(of: bytes).map { page in Array(page[..<14]) + [1, 2, 3, 4] + page[18...] }
    return OggPages.withTrueChecksums(pages.flatMap { $0 })
  }

  @Test("or with times that count too little plays to its end, and is sought by what is heard")
  func wrongTimes() throws {
    let decoder = try Decoders.open(MemorySource(slowSong()))
    let heard = try decoder.frames()
    // The last page says where it ends, and says that wrongly too.
    #expect(heard.count / 2 > 190_000)
    #expect(decoder.length == .exact(heard.count / 2))
    for target in [150_000, 1_000, 190_000] {
      // A player opens the file anew for each seek.
      for decoder in [decoder, try Decoders.open(MemorySource(slowSong()))] {
        try decoder.seek(to: target)
        #expect(decoder.position == target)
        #expect(difference(try decoder.frames(500), Array(heard[target * 2..<target * 2 + 1_000])) == 0)
      }
    }
    #expect(try Decoders.open(MemorySource(slowSong())).length == .unknown)
  }

  @Test("or with such times is sought until nobody wants to go there any more")
  func calledOff() throws {
    let decoder = try Decoders.open(MemorySource(slowSong()))
    expectCalledOff(decoder, to: 190_000)
  }

  @Test("or with such times is decoded to measure it, until nobody wants to know any more")
  func measuredInOrder() throws {
    let decoder = try Decoders.open(MemorySource(slowSong()))
    #expect(try decoder.frames(100_000).count == 200_000)
    #expect(decoder.length.exactFrames == nil)
    var questions = 0
    let error = #expect(throws: DecodeError.self) {
      _ = try decoder.measure {
        questions += 1
        return questions < 10
      }
    }
    #expect(error?.code == .unreadable)
    #expect(questions == 10 && decoder.position == 100_000)
    let measured = try decoder.measure()
    #expect(decoder.position == 100_000)
    #expect(try decoder.frames().count / 2 == measured - 100_000)
  }

  /// Opus as a server wrote it that counted each page as a fraction of what is in it.
  private func slowSong() throws -> [UInt8] {
    let (headers, pages) = try song(Self.codecs[1])
    let slow = pages.enumerated().map { number, page in
      Array(page[..<6]) + WAVFile.little(UInt64(23_765_280 + number * 840)) + page[14...]
    }
    return OggPages.withTrueChecksums(headers + slow.flatMap { $0 })
  }

  @Test("is sought by what is heard when the library cannot go into the gap", arguments: [0, 100])
  func soughtIntoGap(before: Int) throws {
    let (headers, pages) = try song(Self.codecs[1])
    try #require(pages.count >= 4)
    let left = pages[..<1] + pages[2...]
    let heard = try decoder(headers, left).frames()
    let decoder = try decoder(headers, left)
    if before > 0 { _ = try decoder.frames(before) }
    // The gap is the second second. Decoding begins a second before the target: in its middle.
    let target = 48_000 + 72_000
    try decoder.seek(to: target)
    #expect(decoder.position == target)
    let expected = Array(heard[target * 2..<target * 2 + 1_000])
    #expect(difference(try decoder.frames(500), expected) <= Self.codecs[1].tolerance)
  }
}
