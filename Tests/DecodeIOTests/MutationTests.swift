// SPDX-License-Identifier: MIT
import AudioModel
import DecodeIO
import FermataTestKit
import Glibc
import Testing

/// Ten thousand damaged files of every format: each plays, ends or throws, soon and in little memory.
@Suite("Damaged files")
struct MutationTests {
  /// A sound file to damage.
  struct Seed: Sendable, CustomTestStringConvertible {
    let name: String
    let encoder: [String]

    var testDescription: String { name }

    func make() throws -> [UInt8] {
      let directory = try TemporaryDirectory()
      let input = try directory.write(
        "in.wav", WAVFile.bytes(.sines(rate: 44_100, channels: 2, frames: 6_000)))
      if encoder.isEmpty { return try contents(of: input) }
      let output = directory.path("out")
      try Tool.run(encoder.map { $0 == "IN" ? input : $0 == "OUT" ? output : $0 })
      return try withExtendedLifetime(directory) { try contents(of: output) }
    }
  }

  static let seeds = [
    Seed(name: "mp3", encoder: ["lame", "--quiet", "-V6", "IN", "OUT"]),
    Seed(name: "mp3, untagged", encoder: ["lame", "--quiet", "-t", "-b", "64", "IN", "OUT"]),
    Seed(name: "mp3, free", encoder: ["lame", "--quiet", "--freeformat", "-b", "200", "IN", "OUT"]),
    Seed(name: "mp3, mpeg2", encoder: ["lame", "--quiet", "--resample", "16", "-b", "16", "IN", "OUT"]),
    Seed(name: "mp2", encoder: ["sox", "IN", "-t", "mp2", "OUT"]),
    Seed(name: "flac", encoder: ["flac", "-s", "-o", "OUT", "IN"]),
    Seed(name: "flac in ogg", encoder: ["flac", "-s", "--ogg", "-o", "OUT", "IN"]),
    Seed(name: "vorbis", encoder: ["oggenc", "-Q", "-q", "0", "-o", "OUT", "IN"]),
    Seed(name: "opus", encoder: ["opusenc", "--quiet", "--bitrate", "48", "IN", "OUT"]),
    Seed(name: "wav", encoder: []),
    Seed(name: "wav, adpcm", encoder: ["sox", "IN", "-t", "wav", "-e", "ms-adpcm", "OUT"]),
    Seed(name: "wave64", encoder: ["sox", "IN", "-t", "w64", "OUT"]),
    Seed(name: "aiff", encoder: ["sox", "IN", "-t", "aiff", "OUT"]),
    Seed(name: "caf", encoder: ["sox", "IN", "-t", "caf", "OUT"]),
    Seed(name: "au", encoder: ["sox", "IN", "-t", "au", "OUT"]),
  ]

  private static let files = 10_010
  private static let mostFrames = 400_000

  @Test("neither crash, hang nor grow", .endsAnyway, arguments: seeds)
  func survive(seed: Seed) throws {
    let bytes = try seed.make()
    let before = peakMemory()
    for number in 0..<Self.files / Self.seeds.count {
      var generator = SeededGenerator(seed: UInt64(number))
      var damaged = mutate(bytes, using: &generator)
      if number % 4 > 0 { damaged = OggPages.withTrueChecksums(damaged) }
      let start = ContinuousClock.now
      play(damaged, after: number % 5 == 0 ? bytes : nil, using: &generator)
      let took = ContinuousClock.now - start
      #expect(took < .patience, "\(seed.name) number \(number) took \(took)")
    }
    #expect(peakMemory() - before < 256 << 20)
  }

  /// Plays some, joined to and from the undamaged file or not, seeks somewhere and plays the rest. What is
  /// thrown must be readable; that it is typed the compiler says.
  private func play(_ bytes: [UInt8], after whole: [UInt8]?, using generator: inout SeededGenerator) {
    do throws(DecodeError) {
      let decoder = try Decoders.open(MemorySource(bytes))
      if let whole {
        _ = decoder.join(after: try Decoders.open(MemorySource(whole)), if: { true })
        let next = try Decoders.open(MemorySource(whole))
        _ = next.join(after: decoder, if: { true })
        try skip(2_000, of: next)
      }
      try skip(Int.random(in: 0...3_000, using: &generator), of: decoder)
      try decoder.seek(to: Int.random(in: 0...8_000, using: &generator))
      try skip(Self.mostFrames, of: decoder)
    } catch {
      #expect(error.file == "memory" && !error.reason.isEmpty)
    }
  }

  private func skip(_ frames: Int, of decoder: any Decoder) throws(DecodeError) {
    var room = [Float](repeating: 0, count: 4_096 * decoder.format.channels)
    var left = frames
    while left > 0 {
      var span = room.mutableSpan
      let got = try decoder.read(into: &span)
      if got == 0 { return }
      left -= got
    }
  }

  private func mutate(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      // Half of the damage goes into the headers, where it does more.
      let reach = Bool.random(using: &generator) ? min(bytes.count, 200) : bytes.count
      let place = Int.random(in: 0..<max(1, reach), using: &generator)
      let length = min(Int.random(in: 1...32, using: &generator), bytes.count - place)
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: bytes.removeSubrange(place..<place + length)
      case 1: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
      case 2: bytes.removeLast(min(bytes.count / 2, Int.random(in: 0...2_000, using: &generator)))
      case 3: for index in place..<place + length { bytes[index] = 0xFF }
      case 4:
        for index in place..<place + min(4, length) { bytes[index] = .random(in: 0...255, using: &generator) }
      default: if length > 0 { bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator) }
      }
    }
    return bytes
  }

  /// The most memory that this process has held, in bytes.
  private func peakMemory() -> Int {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return usage.ru_maxrss << 10
  }
}
