// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import MediaModel
import ReaderIO
import ReaderModel
import Testing

@testable import DecodeIO

/// What is special about sounds that another process decodes.
@Suite(
  "A sound that FFmpeg decodes", .serialized, .enabled(if: Outside.client != nil), .endsAnyway)
struct ForeignDecoderTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func encode(_ signal: Signal, _ options: [String], _ name: String) throws -> String {
    let input = try directory.write("\(name).wav", WAVFile.bytes(signal))
    let output = directory.path(name)
    let encoder =
      name.hasSuffix(".mpc") ? Corpus.mpcenc + [input] : Corpus.ffmpeg + ["-i", input] + options
    try Tool.run(encoder + [output])
    return output
  }

  private static func program() throws -> FilePath {
    let path: String = try Program.beside("fermata-reader").path
    return try #require(FilePath(path) as FilePath?)
  }

  @Test("is prepared so far that a process which has to be started first comes in time")
  func prepared() throws {
    let path = try encode(.sines(rate: 44_100, channels: 2, frames: 100_000), ["-c:a", "alac"], "a.m4a")
    let file = try #require(FilePath(path))
    let request = SoundRequest(play: PlayID(rawValue: 1), key: SoundKey("a")) { () throws(DecodeError) in
      try Decoders.open(file, outside: Outside.client)
    }
    let prepared = try #require(PreparedSound(request, length: .milliseconds(160)))
    #expect(prepared.segment.made == 44_100)
  }

  // MARK: Joins

  static let kinds: [(String, [String], Float)] = [
    (".m4a", ["-c:a", "alac"], 0), (".wv", ["-c:a", "wavpack"], 0), (".tta", ["-c:a", "tta"], 0),
    (".mka", ["-c:a", "flac"], 0), (".m4a", ["-c:a", "aac", "-b:a", "256k"], 0.05),
    (".mka", ["-c:a", "libopus", "-b:a", "256k"], 0.05), (".mpc", [], 0.05),
  ]

  @Test("cut into three files plays as one, and no sample is wrong where they join", arguments: kinds)
  func joins(ending: String, options: [String], tolerance: Float) throws {
    let rate = options.contains("libopus") ? 48_000 : 44_100
    let whole = Signal.sines(rate: rate, channels: 2, frames: 100_777)
    let cuts = [0, 30_000, 70_001, 100_777]
    var played: [Float] = []
    for index in 0..<3 {
      let path = try encode(whole[cuts[index]..<cuts[index + 1]], options, "\(index)\(ending)")
      played += try decode(path).samples
    }
    #expect(played.count == whole.samples.count)
    let sent = WAVFile.signal(WAVFile.bytes(whole)).samples
    // A lossy codec bends the edges of what it was given; between them every sample stands where it stood.
    let edge = tolerance > 0 ? 2_048 : 0
    for index in 0..<3 {
      let inner = (cuts[index] + edge) * 2..<(cuts[index + 1] - edge) * 2
      #expect(difference(Array(played[inner]), Array(sent[inner])) <= tolerance)
    }
  }

  // Encoded once by fdkaac 1.0.0, which Debian has among what is not free: `-p 5 -b 48000 -G 0` and `-p 29 -b 32000 -G 1`. These count frames of the
  // core, as iTunes does, in its text and in the edit list.
  @Test("of HE-AAC, cut into three files, stands where it stood", arguments: [("he", 0.05), ("he-v2", 0.15)])
  func highEfficiency(name: String, tolerance: Float) throws {
    let whole = Signal.sines(rate: 44_100, channels: 2, frames: 60_000)
    let cuts = [0, 20_000, 41_000, 60_000]
    for index in 0..<3 {
      let played = try decode("\(Corpus.samples)/\(name)-\(index + 1).m4a")
      let part = whole[cuts[index]..<cuts[index + 1]]
      #expect(played.frames == part.frames)
      #expect(Self.inner(played.samples, differsFrom: part.samples) < tolerance)
    }
  }

  @Test("of Monkey's Audio, cut into a file of each level, joins without a wrong sample")
  func monkeysJoins() throws {
    let corpus = try Corpus()
    let played = try Corpus.monkeys.prefix(Corpus.levels.count).flatMap {
      try decode(corpus.make($0)).samples
    }
    #expect(played == Corpus.part(0..<3_500).samples)
  }

  @Test(
    "and that begins in the middle of a frame, as a net stream's recording does, plays from the next one on")
  func begunLate() throws {
    let signal = Signal.sines(rate: 44_100, channels: 2, frames: 30_000)
    let path = try encode(signal, ["-c:a", "aac", "-f", "adts"], "song.aac")
    let song = try contents(of: path)
    let first = Int(song[3] & 3) << 11 | Int(song[4]) << 3 | Int(song[5]) >> 5
    let whole = try decode(directory.write("second.aac", Array(song[first...])))
    #expect(whole.frames > 28_000)
    #expect(try decode(directory.write("late.aac", Array(song[20...]))) == whole)
  }

  @Test("is cut by iTunSMPB, by the edit list or by both, and played whole where neither is there")
  func priming() throws {
    let whole = Signal.sines(rate: 44_100, channels: 2, frames: 30_001)
    let path = try encode(whole, ["-c:a", "aac", "-b:a", "256k"], "song.m4a")
    let both = try contents(of: path)
    let sent = WAVFile.signal(WAVFile.bytes(whole)).samples
    let plain = try #require(MP4Boxes.without("edts", in: both))
    let raw = try Decoders.open(MemorySource(plain)).rest()
    #expect(raw.frames >= 30_001 + 1_024)
    let smpb = try #require(MP4Boxes.withSMPB(priming: 1_024, length: 30_001, in: plain))
    let edited = try #require(MP4Boxes.withSMPB(priming: 1_024, length: 30_001, in: both))
    for file in [both, smpb, edited] {
      let decoder = try Decoders.open(MemorySource(file))
      #expect(decoder.length == .exact(30_001))
      #expect(Self.inner(try decoder.rest().samples, differsFrom: sent) < 0.05)
    }
    // Nothing tells what is padding: everything is there, and the sound begins late by it.
    #expect(Self.inner(Array(raw.samples[2_048..<2_048 + sent.count]), differsFrom: sent) < 0.05)
  }

  @Test("is refused by name where a shop has locked it")
  func lockedWindowsMedia() throws {
    let song = try contents(
      of: encode(.sines(rate: 44_100, channels: 2, frames: 30_000), ["-c:a", "wmav2"], "song.wma"))
    let lock: [UInt8] = [
      0xfb, 0xb3, 0x11, 0x22, 0x23, 0xbd, 0xd2, 0x11, 0xb4, 0xb7, 0x00, 0xa0, 0xc9, 0x55, 0xfc, 0x6e, 40,
    ]
    var locked = song
    locked.insert(contentsOf: lock + [UInt8](repeating: 0, count: 23), at: 30)
    let size = song[16..<20].reversed().reduce(0) { $0 << 8 | Int($1) } + 40
    for index in 0..<4 { locked[16 + index] = UInt8(size >> (8 * index) & 0xff) }
    locked[24] += 1
    let error = #expect(throws: DecodeError.self) { try Decoders.open(MemorySource(locked)) }
    #expect(
      error?.code == .unsupported && error?.reason.contains("DRM") == true, "\(String(describing: error))")
    #expect(try Decoders.open(MemorySource(song)).rest().frames > 29_000)
  }

  @Test("whose first packet has a late time, as faac writes it, is sought to the frame and played to its end")
  func lateFirstPacket() throws {
    let whole = Signal.sines(rate: 44_100, channels: 2, frames: 90_000)
    let path = try encode(whole, ["-c:a", "aac", "-aac_pns", "0"], "song.m4a")
    let plain = try #require(MP4Boxes.without("edts", in: contents(of: path)))
    let late = try #require(MP4Boxes.withLateFirst(by: 1_024, in: plain))
    let sound = try Decoders.open(MemorySource(plain)).rest()
    #expect(try Decoders.open(MemorySource(late)).rest() == sound)
    for isPlayedBefore in [true, false] {
      let decoder = try Decoders.open(MemorySource(late))
      if isPlayedBefore { _ = try decoder.frames(5_000) }
      for target in [40_000, 20_001, 70_003] {
        try decoder.seek(to: target)
        #expect(try decoder.frames(300) == sound[target..<target + 300].samples, "\(target)")
      }
      #expect(try decoder.rest().frames == sound.frames - 70_303)
    }
  }

  /// The largest difference, without the edges, which the codec bends.
  private static func inner(_ samples: [Float], differsFrom sent: [Float]) -> Float {
    difference(Array(samples.dropFirst(4_096).dropLast(4_096)), Array(sent.dropFirst(4_096).dropLast(4_096)))
  }

  @Test(
    "whose disk fails in the middle says so where it fails, and has no length then",
    arguments: [("song.mka", ["-c:a", "flac"]), ("song.ac3", ["-c:a", "ac3", "-b:a", "640k"])])
  func failingDisk(name: String, options: [String]) throws {
    let signal = Signal.noise(rate: 44_100, channels: 2, frames: 900_000, seed: 3, level: 0.3)
    let song = try contents(of: encode(signal, options, name))
    // Further into the file than what is read at once.
    let place = song.count * 3 / 4
    try #require(place > 500_000)
    let decoder = try Decoders.open(MemorySource(song, failsFrom: place))
    var heard = 0
    let error = #expect(throws: DecodeError.self) {
      while case let frames = try decoder.frames(4_096).count / 2, frames > 0 { heard += frames }
    }
    #expect(error?.code == .unreadable && error?.reason.contains("the disk is gone") == true)
    #expect(heard > 450_000 && decoder.length.exactFrames.map { $0 > 890_000 } ?? true)
    let measured = try Decoders.open(MemorySource(song, failsFrom: place))
    if measured.length.exactFrames == nil {
      #expect(throws: DecodeError.self) { try measured.measure() }
      #expect(measured.length.exactFrames == nil)
    }
    try decoder.seek(to: 1_000)
    #expect(try decoder.frames(500).count == 1_000)
  }

  @Test("is opened by another process, where the one that was taken has just ended for lack of work")
  func retired() throws {
    let song = try encode(.sines(rate: 44_100, channels: 2, frames: 30_000), ["-c:a", "alac"], "song.m4a")
    let path = try #require(FilePath(song))
    let client = LateDecodings(DecoderClient(program: try Self.program()))
    let decoder = try Decoders.open(path, outside: client)
    #expect(try decoder.frames(1_000).count == 2_000)
    client.retires = true
    try decoder.seek(to: 30_000)
    try decoder.seek(to: 10_000)
    #expect(try decoder.rest().frames == 20_000 && !client.retires)
  }

  @Test(
    "that can only be decoded from its beginning is sought in parts, none of which takes long",
    arguments: [("song.mpc", []), ("song.mka", ["-c:a", "libvorbis", "-ar", "96000"])]
      as [(String, [String])])
  func farSeek(name: String, options: [String]) throws {
    let song = try encode(.sines(rate: 44_100, channels: 2, frames: 500_000), options, name)
    let path = try #require(FilePath(song))
    let client = CountedDecodings(DecoderClient(program: try Self.program()))
    let decoder = try Decoders.open(path, outside: client)
    let whole = try decoder.rest()
    client.dropped = []
    for place in [450_000, 20_000, 70_000] {
      try decoder.seek(to: place)
      let heard = try decoder.frames(3_000)
      #expect(heard == Array(whole.samples[place * 2..<place * 2 + heard.count]), "\(place)")
      #expect(heard.count > 0)
    }
    #expect(client.dropped.reduce(0, +) > 370_000 && client.dropped.allSatisfy { $0 <= 1 << 16 })
    // Whoever wants another place by now is not kept waiting for this one.
    expectCalledOff(decoder, to: 450_000)
    try decoder.seek(to: 100_000)
    #expect(try decoder.frames(500) == Array(whole.samples[200_000..<201_000]))
    // Beyond the end there is nothing, and that is no failure.
    try decoder.seek(to: 3_000_000)
    #expect(try decoder.frames(100).isEmpty)
  }

  // MARK: Processes

  @Test("ends with a reason when its process is killed, and the next sound plays")
  func killed() throws {
    let client = DecoderClient(program: try Self.program())
    let song = try encode(.sines(rate: 44_100, channels: 2, frames: 400_000), ["-c:a", "alac"], "song.m4a")
    let path = try #require(FilePath(song))
    // The process of a sound that ended waits for the next one, which so gets a process whose number is known.
    _ = try client.check()
    let number = try #require(client.idleProcesses.first)
    let decoder = try Decoders.open(path, outside: client)
    #expect(try decoder.frames(10_000).count == 20_000)
    #expect(kill(number, SIGKILL) == 0)
    let error = #expect(throws: DecodeError.self) { _ = try decoder.frames() }
    #expect(error?.code == .damaged && error?.reason == "could not be decoded: signal 9 ended the decoder")
    #expect(try Decoders.open(path, outside: client).rest().frames == 400_000)
  }

  @Test("that comes to no end is given up")
  func hanging() throws {
    let client = DecoderClient(
      program: try Self.program(), patience: .milliseconds(700))
    let song = try encode(.sines(rate: 44_100, channels: 2, frames: 400_000), ["-c:a", "alac"], "song.m4a")
    let path = try #require(FilePath(song))
    _ = try client.check()
    let number = try #require(client.idleProcesses.first)
    let decoder = try Decoders.open(path, outside: client)
    #expect(kill(number, SIGSTOP) == 0)
    let error = #expect(throws: DecodeError.self) { _ = try decoder.frames() }
    #expect(error?.reason == "could not be decoded in time: the decoder came to no end")
    #expect(try Decoders.open(path, outside: client).rest().frames == 400_000)
  }

  @Test("gives its process to the next at its end, and has another if it is sought then")
  func handedOn() throws {
    let client = DecoderClient(program: try Self.program())
    let signal = Signal.noise(rate: 44_100, channels: 2, frames: 30_000)
    let song = try encode(signal, ["-c:a", "alac"], "song.m4a")
    let path = try #require(FilePath(song))
    let first = try Decoders.open(path, outside: client)
    let whole = try first.rest()
    let idle = client.idleProcesses
    #expect(idle.count == 1)
    let second = try Decoders.open(path, outside: client)
    #expect(client.idleProcesses.isEmpty)
    try first.seek(to: 20_000)
    #expect(try first.frames(100) == Array(whole.samples[40_000..<40_200]))
    #expect(try second.rest() == whole)
  }

  @Test(
    "has no process any more at its end, however often it is read, also after a seek in a sound of unknown length"
  )
  func readBeyondTheEnd() throws {
    let client = DecoderClient(program: try Self.program())
    let song = try encode(
      .sines(rate: 44_100, channels: 2, frames: 60_000), ["-c:a", "aac", "-f", "adts"], "song.aac")
    let decoder = try Decoders.open(#require(FilePath(song)), outside: client)
    try decoder.seek(to: 30_000)
    #expect(try decoder.frames().count > 0)
    #expect(client.idleProcesses.count == 1)
    #expect(try decoder.frames().isEmpty)
    #expect(client.idleProcesses.count == 1, "the file was opened once more")
    try decoder.seek(to: 50_000)
    #expect(try decoder.frames().count > 0)
  }

  @Test(
    "that goes on with other channels or at another rate ends there with a reason",
    arguments: [
      (["-c:a", "ac3", "-ac", "6"], ["-c:a", "ac3", "-ac", "2"], "ac3"),
      (["-c:a", "aac", "-f", "adts", "-ac", "1"], ["-c:a", "aac", "-f", "adts", "-ar", "48000"], "aac"),
    ])
  func anotherForm(first: [String], second: [String], ending: String) throws {
    let signal = Signal.sines(rate: 44_100, channels: 2, frames: 441_000)
    let begin = try contents(of: encode(signal, first, "begin.\(ending)"))
    let rest = try contents(of: encode(signal, second, "rest.\(ending)"))
    let alone = try decode(directory.path("begin.\(ending)"))
    let path = try directory.write("whole.\(ending)", begin + rest)
    let decoder = try Decoders.open(path: path)
    #expect(decoder.format.rate == alone.rate && decoder.format.channels == alone.channels)
    var heard: [Float] = []
    let error = #expect(throws: DecodeError.self) {
      while true {
        let piece = try decoder.frames(4_096)
        if piece.isEmpty { break }
        heard += piece
      }
    }
    #expect(error?.reason.contains("cannot be decoded further") == true, "\(String(describing: error))")
    // The decoder's own delay makes the last frames of the first part come with the second.
    #expect(abs(heard.count / alone.channels - alone.frames) <= 4_096)
  }

  @Test("is refused by name where FFmpeg is missing")
  func missing() throws {
    // A folder with the program, and without the library beside it.
    let program = directory.path("fermata-reader")
    try Tool.run(["cp", Program.beside("fermata-reader").path, program])
    let client = DecoderClient(program: FilePath(program))
    let song = try encode(.sines(rate: 44_100, channels: 1, frames: 900), ["-c:a", "alac"], "a.m4a")
    let path = try #require(FilePath(song))
    let error = #expect(throws: DecodeError.self) { _ = try Decoders.open(path, outside: client) }
    #expect(error?.code == .unsupported)
    #expect(
      error?.reason.hasPrefix("is AAC and ALAC in MP4, and that needs FFmpeg") == true,
      "\(String(describing: error))")
  }
}

/// Processes whose orders to drop frames are noted.
private final class CountedDecodings: SoundDecodings, @unchecked Sendable {
  // Only the test's thread uses it.
  var dropped: [Int] = []
  private let others: any SoundDecodings

  init(_ others: any SoundDecodings) { self.others = others }

  func take() throws(DecodeFailure) -> any SoundDecoding { Counted(try others.take(), self) }

  func giveBack(_ decoding: any SoundDecoding) {
    if let counted = decoding as? Counted { others.giveBack(counted.other) }
  }

  private final class Counted: SoundDecoding {
    let other: any SoundDecoding
    private let owner: CountedDecodings

    init(_ other: any SoundDecoding, _ owner: CountedDecodings) { (self.other, self.owner) = (other, owner) }

    var hasRetired: Bool { other.hasRetired }

    func carryOut(
      _ order: DecodeOrder, supply: (_ offset: Int, _ bytes: inout MutableRawSpan) -> Int?
    ) throws(DecodeFailure) -> DecodeReply {
      if case .drop(let frames) = order { owner.dropped.append(frames) }
      return try other.carryOut(order, supply: supply)
    }

    func copySamples(from start: Int, _ count: Int, into samples: inout MutableSpan<Float>) {
      other.copySamples(from: start, count, into: &samples)
    }
  }
}

/// Processes of which the next that is taken has ended for lack of work.
private final class LateDecodings: SoundDecodings, @unchecked Sendable {
  // Only the test's thread uses it.
  var retires = true
  private let others: any SoundDecodings

  init(_ others: any SoundDecodings) { self.others = others }

  func take() throws(DecodeFailure) -> any SoundDecoding {
    defer { retires = false }
    return retires ? Retired() : try others.take()
  }

  func giveBack(_ decoding: any SoundDecoding) {
    if !(decoding is Retired) { others.giveBack(decoding) }
  }

  private final class Retired: SoundDecoding {
    let hasRetired = true

    func carryOut(
      _ order: DecodeOrder, supply: (_ offset: Int, _ bytes: inout MutableRawSpan) -> Int?
    ) throws(DecodeFailure) -> DecodeReply { throw DecodeFailure(.died, "ended with status 0") }

    func copySamples(from start: Int, _ count: Int, into samples: inout MutableSpan<Float>) {
      preconditionFailure("there are no samples")
    }
  }
}
