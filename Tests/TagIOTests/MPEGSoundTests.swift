// SPDX-License-Identifier: MIT
import FileIO
import FermataTestKit
import MediaModel
import Testing

@testable import TagIO

@Suite("The length of MP3 files, beside TagLib")
struct MPEGSoundTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// What is told of the sound.
  private struct Facts: Equatable {
    var duration: Duration?
    var rate: Int
    var channels: Int
    var kilobits: Int?

    init(_ findings: TagFindings) {
      (duration, rate, channels) = (
        findings.uncutDuration ?? findings.duration, findings.rate, findings.channels
      )
      kilobits = findings.kilobits
    }
  }

  /// What our own reader says of a file whose sound begins at its front, nil if it leaves it to TagLib; and what TagLib says.
  private func facts(_ bytes: [UInt8]) throws -> (ours: Facts?, theirs: Facts) {
    let path = try folder.file("sound.mp3", bytes)
    let file = FileBytes(try OpenFile(path))
    let legacy = LegacyText(charset: nil)
    let empty = TagFindings(wantsPicture: false, legacy: legacy)
    var (ours, theirs) = (empty, empty)
    let hasTag = bytes.suffix(128).starts(with: "TAG".utf8)
    let sound = MPEGSound(file, at: 0, until: bytes.count - (hasTag ? 128 : 0))
    sound?.tell(&ours)
    _ = MPEGFile.readOdd(file, at: 0, into: &theirs)
    // TagLib takes the first frame's rate for that of all, and believes what the tag of a file says that was cut short.
    if ours.uncutDuration != nil { (ours.kilobits, theirs.kilobits) = (nil, nil) }
    return (sound.map { _ in Facts(ours) }, Facts(theirs))
  }

  private static let ways: [[String]] = [
    ["-b", "128"], ["-b", "128", "-t"], ["-V", "2"], ["-V", "2", "-t"], ["--abr", "150"],
    ["-b", "320", "-m", "m"],
    ["--resample", "22.05", "-b", "64", "-t"], ["--resample", "11.025", "-b", "16"],
    ["-b", "96", "-p", "-t"],
    ["-b", "40", "--resample", "16", "-t", "-m", "m"], ["--freeformat", "-b", "400"],
  ]

  private func song(_ flags: [String]) throws -> [UInt8] {
    let wave = folder.path("a.wav")
    try Tool.run("sox", "-n", "-r", "44100", "-c", "2", "-b", "16", wave, "synth", "1.4", "sine", "440")
    try Tool.run(["lame", "--quiet"] + flags + [wave, folder.path("a.mp3")])
    return try folder.bytes("a.mp3")
  }

  /// The length in seconds that is told of a file.
  private func length(_ bytes: [UInt8]) throws -> Double {
    let path = try folder.file("sound.mp3", bytes)
    var findings = TagFindings(wantsPicture: false, legacy: LegacyText(charset: nil))
    MPEGSound(FileBytes(try OpenFile(path)), at: 0, until: bytes.count)?.tell(&findings)
    return (findings.duration ?? .zero) / .seconds(1)
  }

  @Test("where the rate changes and no encoder says the length, it is told from frames of the whole file")
  func changingRate() throws {
    let wave = folder.path("b.wav")
    try Tool.run(
      "sox", "-n", "-r", "44100", "-c", "2", "-b", "16", wave, "synth", "12", "pinknoise", "fade", "8", "12",
      "0")
    for flags in [["-V", "2", "-t"], ["-V", "6", "-t"], ["-b", "128", "-t"]] {
      try Tool.run(["lame", "--quiet"] + flags + [wave, folder.path("b.mp3")])
      let told = try length(try folder.bytes("b.mp3"))
      #expect(abs(told - 12) < 0.8, "\(flags): \(told)")
    }
  }

  @Test("of a file that was cut short the length is that of what is there")
  func cutShort() throws {
    let bytes = try song(["-V", "2"])
    let (whole, half) = (try length(bytes), try length(Array(bytes.prefix(bytes.count / 2))))
    #expect(abs(whole - 1.4) < 0.1 && abs(half - 0.7) < 0.15, "\(whole), \(half)")
  }

  @Test("both say the same, and ours needs no help with what encoders have tagged", arguments: ways)
  func whole(flags: [String]) throws {
    let bytes = try song(flags)
    for tag in [[], Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)] {
      let (ours, theirs) = try facts(bytes + tag)
      // Without an encoder's tag the last bytes may look like a header, and then TagLib is asked.
      if !flags.contains("-t") { #expect((ours == nil) == flags.contains("--freeformat")) }
      if let ours { #expect(ours == theirs) }
    }
  }

  @Test("whatever the damage, both say the same, or ours says nothing", arguments: ways.dropLast())
  func damaged(flags: [String]) throws {
    let whole = try song(flags)
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    var told = 0
    for _ in 0..<60 {
      var bytes = whole
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes.removeLast(Int.random(in: 0..<bytes.count - 200, using: &random))
      case 1:
        bytes += (0..<Int.random(in: 1..<3_000, using: &random)).map { _ in
          .random(in: 0...255, using: &random)
        }
      case 2:
        for _ in 0..<20 { bytes[.random(in: 0..<300, using: &random)] = .random(in: 0...255, using: &random) }
      default:
        for _ in 0..<20 {
          bytes[.random(in: max(0, bytes.count - 2_000)..<bytes.count, using: &random)] =
            [0xff, 0xfb, 0, .random(in: 0...255, using: &random)].randomElement(using: &random) ?? 0
        }
      }
      let (ours, theirs) = try facts(bytes)
      guard let ours else { continue }
      told += 1
      #expect(ours == theirs, "seed \(seed)")
    }
    #expect(told > 0)
  }
}
