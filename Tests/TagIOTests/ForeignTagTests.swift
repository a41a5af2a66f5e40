// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import MediaModel
import ReaderModel
import TagIO
import Testing

@Suite("Tags of formats that FFmpeg decodes")
struct ForeignTagTests {
  private let folder: TemporaryDirectory
  private let reader = TagReader()

  init() throws { folder = try TemporaryDirectory() }

  private static let tags = [
    "title=Süße Töne", "artist=Artist", "album=Album", "date=1997", "track=3/12", "genre=Folk",
  ]

  /// A file of a fifth of a second, with tags; with a cover where `picture` says how that is attached.
  private func make(_ name: String, _ options: [String], picture: [String] = []) throws -> FilePath {
    let output = folder.at(name)
    let cover = try folder.file("cover.png", SoundFiles.png).text
    let input = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100:duration=0.2"]
    let attached = picture.isEmpty ? [] : picture.map { $0 == "COVER" ? cover : $0 }
    try Tool.run(
      ["ffmpeg", "-v", "error", "-nostdin", "-y"] + input + attached + ["-ac", "2"]
        + Self.tags.flatMap { ["-metadata", $0] } + options + [output.text])
    return output
  }

  static let kinds: [(String, [String])] = [
    ("aac.m4a", ["-c:a", "aac"]), ("alac.m4a", ["-c:a", "alac"]), ("song.wv", ["-c:a", "wavpack"]),
    ("song.tta", ["-c:a", "tta"]), ("song.mka", ["-c:a", "flac"]), ("song.wma", ["-c:a", "wmav2"]),
  ]

  @Test("tell the same about the same song", arguments: kinds)
  func everyFormat(name: String, options: [String]) throws {
    let found = try reader.tags(of: make(name, options))
    #expect(found.tags.title == "Süße Töne")
    #expect(found.tags.artist == ["Artist"])
    #expect(found.tags.album == "Album")
    #expect(found.tags.date == MediaDate(year: 1997))
    #expect(found.tags.track == 3)
    #expect(found.tags.genre == ["Folk"])
    #expect(found.format?.channels == 2 && found.format?.rate == 44_100)
    #expect(!found.hasPicture)
    #expect(found.fingerprint != nil)
    let duration = try #require(found.tags.duration)
    #expect((.milliseconds(190)...Duration.milliseconds(300)).contains(duration), "\(duration)")
  }

  @Test("an M4A has its exact length, without the encoder's padding")
  func exactLength() throws {
    #expect(try reader.tags(of: make("a.m4a", ["-c:a", "aac"])).tags.duration == .milliseconds(200))
    #expect(try reader.tags(of: make("b.m4a", ["-c:a", "alac"])).tags.duration == .milliseconds(200))
    #expect(try reader.tags(of: make("c.wv", ["-c:a", "wavpack"])).tags.duration == .milliseconds(200))
    #expect(try reader.tags(of: make("d.tta", ["-c:a", "tta"])).tags.duration == .milliseconds(200))
  }

  @Test("an M4A may tell the track's number without how many there are")
  func shortNumber() throws {
    let path = try make("a.m4a", ["-c:a", "alac"])
    var bytes = try contents(of: path.text)
    let place = try #require(bytes.indices.last { bytes[$0...].starts(with: "trkn".utf8) })
    // The length of the value's box, which comes next: four bytes shorter.
    #expect(bytes[place + 7] == 24)
    bytes[place + 7] = 20
    #expect(try reader.tags(of: folder.file("short.m4a", bytes)).tags.track == 3)
  }

  @Test("WavPack of an unusual rate, and Musepack, have their exact lengths")
  func statedElsewhere() throws {
    let input = ["-f", "lavfi", "-i", "sine=sample_rate=12345:duration=2"]
    let unusual = folder.at("unusual.wv")
    try Tool.run(["ffmpeg", "-v", "error", "-nostdin", "-y"] + input + ["-c:a", "wavpack", unusual.text])
    let found = try reader.tags(of: unusual)
    #expect(found.tags.duration == .seconds(2))
    // By FFmpeg: newer versions of the encoder refuse the longer header that files of the test kit have.
    let wav = folder.at("song.wav")
    let sine = ["-f", "lavfi", "-i", "sine=sample_rate=48000:duration=1.25", "-ac", "2"]
    try Tool.run(["ffmpeg", "-v", "error", "-nostdin", "-y"] + sine + [wav.text])
    let song = folder.at("song.mpc")
    try Tool.run(["mpcenc", "--overwrite", "--silent", wav.text, song.text])
    #expect(try reader.tags(of: song).tags.duration == .milliseconds(1_250))
    #expect(try reader.tags(of: song).format == AudioFormat(rate: 48_000, channels: 2))
  }

  @Test(
    "Monkey's Audio of older versions counts in packets whose size its version tells",
    arguments: [
      (3_960, 2_000, 294_912), (3_950, 2_000, 294_912), (3_940, 2_000, 73_728), (3_800, 4_000, 73_728),
      (3_800, 2_000, 9_216),
    ])
  func oldMonkeys(version: Int, effort: Int, packet: Int) throws {
    func number(_ value: Int, _ bytes: Int) -> [UInt8] { (0..<bytes).map { UInt8(value >> (8 * $0) & 0xff) } }
    let header =
      Array("MAC ".utf8) + number(version, 2) + number(effort, 2) + number(0, 2) + number(2, 2)
      + number(44_100, 4) + number(44, 4) + number(0, 4) + number(5, 4) + number(777, 4)
    let file = try folder.file("song.ape", header + [UInt8](repeating: 7, count: 400))
    let format = AudioFormat(rate: 44_100, channels: 2)
    #expect(try reader.tags(of: file).tags.duration == format.duration(ofFrames: 4 * packet + 777))
  }

  @Test("a cover in MP4 and in Matroska comes byte for byte")
  func covers() throws {
    let inMP4 = [
      "-i", "COVER", "-map", "0:a", "-map", "1:v", "-c:v", "copy", "-disposition:v", "attached_pic",
    ]
    let attached = ["-attach", "COVER", "-metadata:s:t", "mimetype=image/png"]
    for file in [
      try make("a.m4a", ["-c:a", "aac"], picture: inMP4),
      try make("a.mka", ["-c:a", "flac"], picture: attached),
    ] {
      #expect(try reader.tags(of: file).hasPicture, "\(file)")
      #expect(try reader.picture(of: file)?.bytes == SoundFiles.png, "\(file)")
    }
  }

  @Test("of DSD in WavPack the rate is stated in two places")
  func wavPackDSD() throws {
    func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    // DSD64 has 352,800 bytes a second: 88,200 doubled twice. Before the part that says so stands another one.
    let parts: [UInt8] = [0x68, 2, 0x64, 0x66, 0x66, 0, 0x0e, 1, 2, 0]
    let header =
      Array("wvpk".utf8) + number(UInt32(24 + parts.count)) + [0x10, 4, 0, 0] + number(70_560) + number(0)
      + number(22_050) + number(0x961c_1800) + number(0)
    let found = try reader.tags(of: folder.file("dsd.wv", header + parts))
    #expect(found.tags.duration == .milliseconds(200))
    #expect(found.format == AudioFormat(rate: 352_800, channels: 2))
  }

  @Test("AAC alone is measured frame by frame")
  func adts() throws {
    let found = try reader.tags(of: make("song.aac", ["-c:a", "aac", "-f", "adts"]))
    #expect(found.format == AudioFormat(rate: 44_100, channels: 2))
    // 8,820 frames, and the encoder's padding, in frames of 1,024.
    #expect(found.tags.duration == AudioFormat(rate: 44_100, channels: 2).duration(ofFrames: 10 * 1_024))
  }

  @Test("no damage makes them trap", arguments: kinds)
  func damaged(name: String, options: [String]) throws {
    let bytes = try contents(of: make(name, options).text)
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<300 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let reach = Bool.random(using: &generator) ? min(800, damaged.count) : damaged.count
        damaged[Int.random(in: 0..<reach, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      let path = try folder.file("damaged", damaged)
      _ = try? reader.tags(of: path)
      _ = try? reader.picture(of: path)
    }
  }
}
