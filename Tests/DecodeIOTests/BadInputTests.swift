// SPDX-License-Identifier: MIT
import AudioModel
import DecodeIO
import FermataTestKit
import Glibc
import MediaModel
import Testing

/// What is no sound, or not all of one: a clear error, and never a wait.
@Suite("Bad input")
struct BadInputTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func failure(_ path: String) -> DecodeError? {
    #expect(throws: DecodeError.self) { _ = try decode(path) }
  }

  private func encode(_ encoder: [String], _ name: String, frames: Int = 30_000) throws -> [UInt8] {
    let input = try directory.write(
      "\(name).wav", WAVFile.bytes(.noise(rate: 44_100, channels: 2, frames: frames)))
    try Tool.run(encoder.map { $0 == "IN" ? input : $0 == "OUT" ? directory.path(name) : $0 })
    return try contents(of: directory.path(name))
  }

  private func mp3(_ options: [String] = ["-V2"], frames: Int = 30_000) throws -> [UInt8] {
    try encode(["lame", "--quiet"] + options + ["IN", "OUT"], "made.mp3", frames: frames)
  }

  @Test("numbers beyond all measure, and what is no number, hurt no ears")
  func beyondMeasure() throws {
    let format = AudioFormat(rate: 8_000, channels: 1)
    let samples: [Float] = [0.5, .nan, .infinity, -.infinity, 1e30, -1e30, 3, -0.5]
    let path = try ToneFile.wav("wild.wav", samples, format, .float32, in: directory)
    let decoder = try Decoders.open(FilePath(stringLiteral: path))
    var heard = [Float](repeating: 9, count: 8)
    var span = heard.mutableSpan
    #expect(try decoder.read(into: &span) == 8)
    #expect(heard == [0.5, 0, 0, 0, 64, -64, 3, -0.5])
  }

  @Test("that is no file says what it is")
  func noFile() {
    let pipe = directory.path("pipe.mp3")
    mkfifo(pipe, 0o600)
    let cases: [(String, DecodeError.Code, String)] = [
      (directory.path("none.mp3"), .cannotOpen, "cannot be opened: No such file or directory"),
      ("/dev/null/none.mp3", .cannotOpen, "cannot be opened: Not a directory"),
      (directory.path, .notAFile, "is a folder; only files can be played"),
      (pipe, .notAFile, "is a pipe; only files can be played"),
      ("/dev/zero", .notAFile, "is a device; only files can be played"),
    ]
    for (path, code, reason) in cases {
      let error = failure(path)
      #expect(error?.code == code)
      #expect(error?.description == "\(path): \(reason)")
    }
  }

  @Test("that is not ours to read says so")
  func forbidden() throws {
    let path = try directory.write("forbidden.mp3", [1])
    chmod(path, 0)
    // The superuser may read everything; nobody else may.
    let error = failure(path)
    #expect(error?.code == (geteuid() == 0 ? .unknownContent : .cannotOpen))
  }

  @Test("that is no sound says what it is", arguments: foreignFiles)
  func foreign(bytes: [UInt8], reason: String) throws {
    // Whatever the name says, and whatever looks like MPEG audio further down.
    let frames = [[UInt8]](repeating: [0xFF, 0xFB, 0x90, 0x64] + .init(repeating: 0, count: 413), count: 20)
    for (name, rest) in [("song.mp3", []), ("song.m4a", frames.flatMap { $0 })] {
      let isWords = reason.hasPrefix("is no sound")
      let error = failure(try directory.write(name, isWords ? bytes : bytes + rest))
      #expect(error?.code == .unknownContent)
      #expect(error?.reason == reason)
    }
  }

  static let foreignFiles: [([UInt8], String)] =
    [
      ("Dear diary, today I heard a sine.", "is no sound that can be recognised"),
      ("\0\0\0\u{10}ftypmp42\0\0\0\0\0\0\0\u{12}moov stsd avc1", "is MPEG-4 video"),
      ("#EXTM3U\nsong.mp3\n", "is a playlist"),
      ("#EXTM3U\n#EXT-X-VERSION:3\n/etc/passwd\n", "is an HLS list, which names the pieces of a stream"),
      (".RMF and so on", "is RealMedia (RealAudio)"),
      ("MThd and so on", "is MIDI, notes without sound"), ("Extended Module: x", "is a tracker module (XM)"),
      ("IMPM", "is a tracker module (IT)"), ("RIFFsizeAVI ", "is AVI video"), ("FLV\u{1}", "is Flash video"),
      ("<!DOCTYPE html>", "is a web page"), ("PK\u{3}\u{4}", "is a ZIP archive"),
    ].map { (Array($0.0.utf8), $0.1) } + [
      ([0x2E, 0x72, 0x61, 0xFD, 0, 3], "is RealAudio"),
      (.init(repeating: 0x20, count: 1_080) + Array("M.K.".utf8), "is a tracker module (MOD)"),
      (.init(repeating: 0x20, count: 44) + Array("SCRM".utf8), "is a tracker module (S3M)"),
      (OggPages.page(Array("Speex   1.2rc1".utf8), flags: 2), "is Ogg Speex"),
      (OggPages.page([0x80] + Array("theora".utf8), flags: 2), "is Theora video without sound"),
      (OggPages.page(Array("something".utf8), flags: 2), "is Ogg with a codec that is not known"),
    ]

  @Test("of a format that FFmpeg decodes is named, where nothing decodes it", arguments: outsideFiles)
  func notDecoded(bytes: [UInt8], name: String) throws {
    let song = try directory.write("song.mp3", bytes)
    let path = try #require(FilePath(song))
    let error = #expect(throws: DecodeError.self) { _ = try Decoders.open(path) }
    #expect(error?.code == .unsupported && error?.reason == "is \(name), which is not decoded here")
  }

  static let outsideFiles: [([UInt8], String)] =
    [
      ("wvpk and so on", "WavPack"), ("\0\0\0\u{20}ftypM4A and so on", "AAC and ALAC in MP4"),
      ("MAC and so on", "Monkey's Audio"), ("MPCK and so on", "Musepack"), ("TTA1 and so on", "True Audio"),
      ("DSD and so on", "DSD (DSF)"),
    ].map { (Array($0.0.utf8), $0.1) } + [
      ([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9], "Windows Media"),
      ([0x1A, 0x45, 0xDF, 0xA3, 0x01], "Matroska and WebM"),
      // Two frames each, which say how long they are.
      (adts + adts + adts, "AAC (ADTS)"), (ac3 + ac3, "AC-3"),
    ]
  private static let adts: [UInt8] =
    [0xFF, 0xF1, 0x50, 0x80, 0x02, 0x1F, 0xFC] + .init(repeating: 0, count: 9)
  private static let ac3: [UInt8] = [0x0B, 0x77, 0, 0, 0, 0x40] + .init(repeating: 0, count: 122)

  @Test(
    "without a single sample says so, in every format",
    arguments: ["wav", "w64", "aiff", "caf", "au", "flac", "oga"])
  func withoutSamples(kind: String) throws {
    let input = try directory.write("in.wav", WAVFile.bytes(Signal(rate: 44_100, channels: 2, samples: [])))
    #expect(try contents(of: input).count == 44)
    let output = directory.path("out.\(kind)")
    // The encoder refuses to make these: a description of 16 bits, stereo, and nothing behind it.
    let flac =
      Array("fLaC".utf8) + [0x80, 0, 0, 34, 16, 0, 16, 0, 0, 0, 0, 0, 0, 0, 0x0A, 0xC4, 0x42, 0xF0]
      + .init(repeating: 0, count: 20)
    switch kind {
    case "wav": try Tool.run(["cp", input, output])
    case "flac": _ = try directory.write("out.flac", flac)
    case "oga":
      let packet = [0x7F] + Array("FLAC".utf8) + [1, 0, 0, 0] + flac
      _ = try directory.write("out.oga", OggPages.page(packet, flags: 6))
    default: try Tool.run(["sox", input, "-t", kind, output])
    }
    let error = failure(output)
    #expect(error?.code == .empty, "\(error?.description ?? "plays")")
    #expect(error?.reason == "has no sound in it: not a single sample")
  }

  @Test("of headers only is refused with words of our own", arguments: ["ogg", "opus", "mp3"])
  func headersOnly(kind: String) throws {
    let encoders = [
      "ogg": ["oggenc", "-Q", "-o", "OUT", "IN"], "opus": ["opusenc", "--quiet", "IN", "OUT"],
      "mp3": ["lame", "--quiet", "IN", "OUT"],
    ]
    var bytes = try encode(try #require(encoders[kind]), "whole")
    if kind == "mp3" {
      let tag = try #require(
        (0..<200).first { bytes[$0...].starts(with: "Info".utf8) || bytes[$0...].starts(with: "Xing".utf8) })
      // A tag that says that nothing follows, and nothing that follows.
      bytes = Array(bytes[..<417])
      bytes.replaceSubrange(tag + 8..<tag + 16, with: [0, 0, 0, 0, 0, 0, 1, 0xA1])
    } else {
      let pages = OggPages.pages(of: bytes)
      bytes = pages[..<OggPages.headers(of: pages)].flatMap { $0 }
    }
    let error = failure(try directory.write("headers.\(kind)", bytes))
    #expect([.empty, .damaged].contains(error?.code), "\(error?.description ?? "plays")")
    #expect(error?.reason.contains("code") == false && error?.reason.contains("lib") == false)
  }

  @Test(
    "whose MP3 tag counts its own frame, as that of iTunes does, is no exact length before it is measured")
  func tagThatCountsItself() throws {
    var song = try mp3()
    let tag = try #require((0..<200).first { song[$0...].starts(with: "Xing".utf8) })
    #expect(try Decoders.open(MemorySource(song)).length == .exact(30_000))
    let lame = try #require((0..<300).first { song[$0...].starts(with: "LAME".utf8) })
    // It writes neither delay nor padding.
    song.replaceSubrange(lame..<lame + 9, with: Array("iTunes 8.".utf8))
    song.replaceSubrange(lame + 21..<lame + 24, with: [0, 0, 0])
    song[tag + 11] += 1
    let decoder = try Decoders.open(MemorySource(song))
    #expect(decoder.length.exactFrames == nil && decoder.length.frames != nil)
    let measured = try decoder.measure()
    #expect(try decoder.rest().frames == measured)
  }

  @Test("whose MP3 tag is of an unknown writer is decoded to measure it, until nobody wants to know any more")
  func tagOfUnknownWriter() throws {
    var song = try mp3()
    let lame = try #require((0..<300).first { song[$0...].starts(with: "LAME".utf8) })
    song.replaceSubrange(lame..<lame + 9, with: Array("Stranger1".utf8))
    let decoder = try Decoders.open(MemorySource(song))
    #expect(decoder.length.exactFrames == nil)
    var questions = 0
    let error = #expect(throws: DecodeError.self) {
      _ = try decoder.measure {
        questions += 1
        return questions < 5
      }
    }
    #expect(error?.code == .unreadable)
    #expect(questions == 5 && decoder.position == 0)
    let measured = try decoder.measure()
    #expect(try decoder.rest().frames == measured)
  }

  @Test("is no WAV file that does not state its size, be it of 5 GB", arguments: [UInt32.max, 0])
  func unstatedSize(stated: UInt32) throws {
    var head = WAVFile.bytes(.noise(rate: 48_000, channels: 2, frames: 100))
    let start = try #require(head.indices.first { head[$0...].starts(with: "data".utf8) }) + 8
    head.replaceSubrange(start - 4..<start, with: WAVFile.little(stated))
    head.replaceSubrange(4..<8, with: WAVFile.little(stated))
    for size in [3 << 20, 5 << 30] {
      let path = try directory.write("long.wav", head)
      try #require(truncate(path, size) == 0)
      let decoder = try Decoders.open(path: path)
      #expect(decoder.length == .exact((size - start) / 4))
      let first = try decoder.frames(100)
      #expect(first.contains { $0 != 0 })
      try decoder.seek(to: (size - start) / 4 - 50)
      #expect(try decoder.frames(100).count == 100 && decoder.position == (size - start) / 4)
      try decoder.seek(to: 0)
      #expect(try decoder.frames(100) == first)
    }
  }

  @Test(
    "is no short WAV file whose recorder was cut off, and one that is empty is told from it by what follows")
  func unstatedShort() throws {
    var wav = WAVFile.bytes(.noise(rate: 48_000, channels: 2, frames: 1_000))
    let start = try #require(wav.indices.first { wav[$0...].starts(with: "data".utf8) }) + 8
    wav.replaceSubrange(start - 4..<start, with: WAVFile.little(UInt32(0)))
    #expect(try Decoders.open(MemorySource(wav)).measure() == 1_000)
    let tags = Array("LIST".utf8) + WAVFile.little(UInt32(4)) + Array("INFO".utf8)
    for rest in [[], tags] {
      #expect(throws: DecodeError.self) {
        try Decoders.open(MemorySource(Array(wav[..<start]) + rest)).measure()
      }
    }
  }

  @Test("behind an MP3 is not heard, be it noise or a sound of another kind")
  func behindMP3() throws {
    let song = try mp3()
    let plain = try Decoders.open(MemorySource(song)).frames()
    var random = SeededGenerator(seed: 5)
    let noise = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let others = [
      noise, WAVFile.bytes(.noise(rate: 44_100, channels: 2, frames: 100_000)),
      [UInt8](repeating: 0, count: 300_000),
    ]
    for other in others {
      let decoder = try Decoders.open(MemorySource(song + other))
      #expect(decoder.length == .exact(30_000))
      #expect(try decoder.frames() == plain)
    }
    // Another MP3 is, and so it is behind a tag.
    #expect(try Decoders.open(MemorySource(song + song)).measure() > 59_000)
    let tag = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
    #expect(try Decoders.open(MemorySource(song + tag + song)).measure() > 59_000)
  }

  @Test("that is empty says so")
  func empty() throws {
    #expect(failure(try directory.write("song.mp3", ""))?.code == .empty)
  }

  @Test("of 10 GB without anything in it is refused after a look at its beginning")
  func sparse() throws {
    let path = try directory.write("huge.mp3", [])
    try #require(truncate(path, 10 << 30) == 0)
    #expect(failure(path)?.code == .unknownContent)
  }

  @Test("of 10 GB with a song at its beginning plays the song, and is then given up with the place")
  func sparseBehindSong() throws {
    let song = try mp3(["-t", "-b", "128"])
    let path = try directory.write("huge.mp3", song)
    try #require(truncate(path, 10 << 30) == 0)
    let decoder = try Decoders.open(path: path)
    var heard = 0
    let error = #expect(throws: DecodeError.self) {
      while true {
        let got = try decoder.frames(1_000).count / 2
        heard += got
        if got == 0 { break }
      }
    }
    #expect(error?.code == .damaged)
    let place = try #require(error?.byteOffset)
    #expect(song.count..<song.count + (1 << 20) ~= place)
    #expect(heard > 29_000)
    let measured = try decoder.measure()
    #expect(measured - heard < 1_000)
  }

  @Test("of 10 GB that only begins as a sound plays that or is given up", arguments: MutationTests.seeds)
  func sparseBehind(seed: MutationTests.Seed) throws {
    let path = try directory.write("huge", try seed.make())
    try #require(truncate(path, 10 << 30) == 0)
    let start = ContinuousClock.now
    do {
      let decoder = try Decoders.open(path: path)
      _ = try decoder.frames(200_000)
    } catch let error as DecodeError {
      #expect(!error.reason.isEmpty)
    }
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test("of Opus whose tags have no end is given up after 64 MB of them")
  func endlessTags() throws {
    let head = Array("OpusHead".utf8) + [1, 2, 0, 0, 0x80, 0xBB, 0, 0, 0, 0, 0]
    var packet = Array("OpusTags".utf8) + [0xFF, 0xFF, 0xFF, 0x7F]
    packet += [UInt8](repeating: 7, count: 255 * 255 - packet.count)
    let pages = try #require(EndlessPacket(packet))
    let beginning = OggPages.page(packet, flags: 0, number: 1, isWhole: false)
    let path = try directory.write("endless", OggPages.page(head, flags: 2) + beginning)
    let file = try #require(fopen(path, "a"))
    // As many as 130 MB.
    for number in 2...2_000 {
      let page = pages.page(UInt32(number))
      #expect(fwrite(page, 1, page.count, file) == page.count)
    }
    fclose(file)
    let error = try #require(failure(path))
    // Under a sanitizer the library's growing memory is copied so often that the time may be over first.
    #expect(error.reason.contains("64 MB") || error.reason.contains("more parts"), "\(error)")
    #expect((error.byteOffset ?? .max) < 80 << 20, "\(error)")
  }

  @Test("with an ID3 tag of 200 MB plays at once")
  func hugeTag() throws {
    let song = try mp3()
    let size = 200 << 20
    let digits = [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7F) }
    let path = try directory.write("tagged.mp3", Array("ID3".utf8) + [4, 0, 0] + digits)
    let descriptor = open(path, O_WRONLY)
    try #require(pwrite(descriptor, song, song.count, size + 10) == song.count)
    close(descriptor)
    #expect(try decode(path) == decode(try directory.write("plain.mp3", song)))
  }

  @Test("with an ID3 tag that is longer than the file says so")
  func endlessTag() throws {
    let path = try directory.write("tag.mp3", Array("ID3".utf8) + [4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F, 1, 2, 3])
    #expect(
      failure(path)?.reason == "has nothing behind its ID3 tag, which says that it is 268435465 bytes long")
  }

  @Test("that is cut off plays as far as it goes", arguments: MutationTests.seeds)
  func truncated(seed: MutationTests.Seed) throws {
    let bytes = try seed.make()
    let whole = try Decoders.open(MemorySource(bytes)).frames()
    for length in [bytes.count / 2, bytes.count - 1, bytes.count / 10, 40, 4, 1] where length < bytes.count {
      var heard: [Float] = []
      do throws(DecodeError) {
        let decoder = try Decoders.open(MemorySource(Array(bytes[..<length])))
        while true {
          var room = [Float](repeating: 0, count: 64 * decoder.format.channels)
          var span = room.mutableSpan
          let got = try decoder.read(into: &span)
          if got == 0 { break }
          heard += room.prefix(got * decoder.format.channels)
        }
      } catch {
        #expect([.cutShort, .damaged, .unknownContent, .empty].contains(error.code), "\(error)")
      }
      #expect(heard.count <= whole.count + 2 * 1_152 * 2)
      // The last frames may be patched up by the codec.
      let sure = max(0, min(heard.count, whole.count) - 3 * 4_608 * 2)
      if seed.name != "opus" {
        #expect(heard.prefix(sure) == whole.prefix(sure), "\(length) of \(bytes.count)")
      }
    }
  }

  @Test("of Fraunhofer's tag at the beginning of an MP3 is not heard")
  func fraunhofer() throws {
    let song = try mp3(["-t", "-b", "128"])
    let size = try #require(MPEGFrameHeader(Array(song.prefix(4)))?.frameSize)
    let front = song.prefix(4) + [UInt8](repeating: 0, count: 32) + Array("VBRI".utf8)
    let tagged = front + [UInt8](repeating: 0, count: size - front.count) + song
    let plain = try decode(directory.write("plain.mp3", song))
    #expect(try decode(directory.write("tagged.mp3", Array(tagged))) == plain)
  }

  @Test("around an MP3 is not heard: tags of every kind before and behind, and junk")
  func junkAround() throws {
    let song = try mp3()
    let plain = try decode(directory.write("plain.mp3", song))
    var generator = SeededGenerator(seed: 7)
    let junk = (0..<10_000).map { _ in UInt8.random(in: 0...0xFE, using: &generator) }
    let ape = Array("APETAGEX".utf8) + [0xD0, 7, 0, 0]
    func footer(_ size: Int) -> [UInt8] {
      ape + WAVFile.little(UInt32(size)) + [1, 0, 0, 0] + [0, 0, 0, 0x80] + [UInt8](repeating: 0, count: 8)
    }
    let cover = [UInt8](repeating: 0xFF, count: 2_500_000)
    let lyrics = Array("LYRICSBEGININD00002 1000015LYRICS200".utf8)
    let id3v1 = Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
    let id3v2 = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 20] + [UInt8](repeating: 0xFF, count: 20)
    let cases: [(String, [UInt8])] = [
      ("ID3v2, twice", id3v2 + id3v2 + song), ("junk before", junk + song),
      ("much junk before", [UInt8](repeating: 0, count: 250_000) + song),
      ("junk behind", song + junk),
      ("ID3v1", song + id3v1), ("APE with a cover", song + footer(0) + cover + footer(cover.count + 32)),
      ("APE and ID3v1", song + footer(0) + cover + footer(cover.count + 32) + id3v1),
      ("Lyrics and ID3v1", song + lyrics + id3v1),
    ]
    for (name, bytes) in cases {
      let decoder = try Decoders.open(path: try directory.write("around.mp3", bytes))
      #expect(try decoder.rest() == plain, "\(name)")
    }
  }

  @Test("inside an MP3 is skipped")
  func junkInside() throws {
    let song = try mp3(["-t", "-b", "128"])
    let bytes = song[..<6_000] + [UInt8](repeating: 0, count: 100_000) + song[6_000...]
    let whole = try decode(directory.write("plain.mp3", song)).frames
    let heard = try decode(directory.write("inside.mp3", Array(bytes))).frames
    #expect(whole - 3 * 1_152 <= heard && heard <= whole)
  }

  @Test("that is two MP3s in one plays both, and knows that its tag speaks of one")
  func appended() throws {
    let song = try mp3()
    let decoder = try Decoders.open(MemorySource(song + song))
    #expect(decoder.length.exactFrames == nil)
    #expect(try decoder.rest().frames >= 60_000)
  }

  @Test("that changes its rate and channels in the middle goes on in the first")
  func changing() throws {
    let low = try encode(
      ["lame", "--quiet", "-t", "--resample", "22.05", "-m", "m", "IN", "OUT"], "low.mp3")
    let decoder = try Decoders.open(MemorySource(try mp3(["-t"]) + low))
    #expect(try decoder.rest().channels == 2)
    #expect(decoder.format.rate == 44_100)
    #expect(decoder.position > 50_000)
  }

  @Test("that lies about its length plays what there is")
  func lies() throws {
    let signal = Signal.noise(rate: 44_100, channels: 2, frames: 5_000)
    var wav = WAVFile.bytes(signal)
    wav.replaceSubrange(40..<44, with: [0xFF, 0xFF, 0xFF, 0x7F])
    #expect(try Decoders.open(MemorySource(wav)).rest().frames == 5_000)

    var flac = try encode(["flac", "-s", "-o", "OUT", "IN"], "lie.flac", frames: 5_000)
    // The last bytes of the 36-bit number of samples.
    flac[24] = 0x7F
    let liar = try Decoders.open(MemorySource(flac, name: "lie.flac"))
    #expect(try liar.frames(5_000).count == 10_000)
    let error = #expect(throws: DecodeError.self) { _ = try liar.frames(1) }
    #expect(error?.code == .cutShort)

    var song = try mp3()
    let tag = try #require((0..<200).first { song[$0...].starts(with: "Xing".utf8) })
    song[tag + 9] = 0x7F
    let decoder = try Decoders.open(MemorySource(song))
    try decoder.seek(to: 1_000_000_000)
    #expect(try decoder.frames(1).isEmpty)
    try decoder.seek(to: 0)
    #expect(try decoder.frames().count / 2 >= 30_000)
  }
}
