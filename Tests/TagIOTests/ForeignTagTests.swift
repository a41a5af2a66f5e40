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

  @Test(
    "an APE tag that is just as long that its header's mark looks like an old ID3 tag is read",
    arguments: ["wv", "tta"])
  func apeOfOldSize(ending: String) throws {
    let output = folder.at("bare.\(ending)")
    try Tool.run(
      ["ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "sine=duration=0.2"] + [
        "-c:a", ending == "wv" ? "wavpack" : ending, "-bitexact", output.text,
      ])
    func item(_ key: String, _ value: String) -> [UInt8] {
      ID3.littleEndian(value.utf8.count) + ID3.littleEndian(0) + Array((key + "\0" + value).utf8)
    }
    let footer = apeTag(
      item("Title", "Song One") + item("Artist", "Neil Young") + item("Album", "Decade"), count: 3)
    // The header repeats the footer, and two bits of its flags say that it is one, and that there is one.
    var ends = Array(footer.suffix(32))
    ends[23] = 0x80
    var header = ends
    header[23] = 0xa0
    let tag = header + footer.dropLast(32) + ends
    #expect(tag.count == 131)
    let tags = try reader.tags(of: folder.file("song.\(ending)", contents(of: output.text) + tag)).tags
    #expect(tags.title == "Song One" && tags.artist == ["Neil Young"] && tags.album == "Decade")
    #expect(tags.genre.isEmpty)
  }

  @Test("the length of a radio recording goes on behind what is no frame")
  func joinedRecording() throws {
    let song = try contents(of: make("song.aac", ["-c:a", "aac", "-f", "adts"]).text)
    let one = try #require(try reader.tags(of: folder.file("one.aac", song)).tags.duration)
    let joined = song + song + [UInt8](repeating: 7, count: 80) + song + song + song
    let length = try #require(try reader.tags(of: folder.file("joined.aac", joined)).tags.duration)
    #expect(length > one * 4.8 && length < one * 5.2, "\(length) of pieces of \(one)")
  }

  @Test(
    "of an ID3 and an APE tag, the format's own counts first, and the other fills what it lacks",
    arguments: [("song.tta", "tta", "ID3"), ("song.wv", "wavpack", "APE"), ("song.aac", "aac", "ID3")])
  func twoTags(name: String, codec: String, own: String) throws {
    let output = folder.at("bare-" + name)
    let input = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100:duration=0.2"]
    try Tool.run(
      ["ffmpeg", "-v", "error", "-nostdin", "-y"] + input + [
        "-ac", "2", "-c:a", codec, "-bitexact", output.text,
      ])
    func item(_ key: String, _ value: String) -> [UInt8] {
      ID3.littleEndian(value.utf8.count) + ID3.littleEndian(0) + Array((key + "\0" + value).utf8)
    }
    let ape = apeTag(item("Artist", "APE") + item("Genre", "Beat") + item("Album", "Only APE"), count: 3)
    let tag = ID3.tag([ID3.text("TPE1", "ID3"), ID3.text("TCON", "Rock"), ID3.text("TIT2", "Only ID3")])
    let sound = try contents(of: output.text)
    let tags = try reader.tags(of: folder.file(name, tag + sound + ape)).tags
    #expect(tags.artist == [own] && tags.genre == [own == "ID3" ? "Rock" : "Beat"])
    #expect(tags.title == "Only ID3" && tags.album == "Only APE")
  }

  @Test("an M4A behind an ID3 tag, as taggers write it that take every file for MP3, is read")
  func behindID3() throws {
    let path = try make("a.m4a", ["-c:a", "aac", "-brand", "M4B "])
    let head: [UInt8] = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, 20] + [UInt8](repeating: 0, count: 20)
    let behind = try folder.file("b.m4a", head + contents(of: path.text))
    let (plain, found) = (try reader.tags(of: path), try reader.tags(of: behind))
    #expect(
      found.tags == plain.tags && found.tags.title == "Süße Töne" && found.tags.duration == .milliseconds(200)
    )
    #expect(found.fingerprint == plain.fingerprint && found.format == plain.format)
  }

  @Test("MP4 of the brand for audiobooks is one, and says it once")
  func audiobook() throws {
    let path = try make("a.m4a", ["-c:a", "aac", "-brand", "M4B "])
    let found = try reader.tags(of: path).tags
    #expect(found.mediaType == .audiobook && found.genre == ["Folk", "Audiobook"])
  }

  @Test("a WavPack of six channels, which stand in several blocks, has six")
  func manyChannels() throws {
    #expect(try reader.tags(of: make("six.wv", ["-c:a", "wavpack", "-ac", "6"])).format?.channels == 6)
  }

  @Test("an M4A has its exact length, without the encoder's padding")
  func exactLength() throws {
    #expect(try reader.tags(of: make("a.m4a", ["-c:a", "aac"])).tags.duration == .milliseconds(200))
    #expect(try reader.tags(of: make("b.m4a", ["-c:a", "alac"])).tags.duration == .milliseconds(200))
    #expect(try reader.tags(of: make("c.wv", ["-c:a", "wavpack"])).tags.duration == .milliseconds(200))
    #expect(try reader.tags(of: make("d.tta", ["-c:a", "tta"])).tags.duration == .milliseconds(200))
  }

  @Test(
    "an M4A in fragments, as it comes from a stream, has its length",
    arguments: ["+frag_keyframe+empty_moov", "+dash", "+dash+global_sidx"])
  func fragments(flags: String) throws {
    let path = try make("a.m4a", ["-c:a", "aac", "-frag_duration", "50000", "-movflags", flags])
    let duration = try #require(reader.tags(of: path).tags.duration)
    #expect(abs(duration / .milliseconds(1) - 200) < 60, "\(duration)")
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

  @Test("AAC of many hours has its length too, and what the library knows it by")
  func longADTS() throws {
    let frame: [UInt8] = [0xff, 0xf1, 0x50, 0x80, 0x01, 0x00, 0xfc, 0]
    let found = try reader.tags(of: folder.file("long.aac", ID3.many(frame, 600_000)))
    let length = AudioFormat(rate: 44_100, channels: 2).duration(ofFrames: 600_000 * 1_024)
    #expect(found.tags.duration.map { abs(($0 - length) / .milliseconds(1)) < 1 } == true)
    #expect(found.fingerprint != nil)
  }

  @Test("of a Windows Media file also the values that are too large, or too many, for its first object")
  func moreOfWindowsMedia() throws {
    func number(_ value: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    func text(_ text: String) -> [UInt8] { text.utf16.flatMap { number(Int($0), 2) } + [0, 0] }
    func record(_ name: String, _ kind: Int, _ value: [UInt8]) -> [UInt8] {
      number(0, 4) + number(text(name).count, 2) + number(kind, 2) + number(value.count, 4) + text(name)
        + value
    }
    func object(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] { id + number(24 + content.count, 8) + content }
    let picture = [3] + number(SoundFiles.png.count, 4) + text("image/png") + text("") + SoundFiles.png
    let records = [
      record("Author", 0, text("Second")), record("Author", 0, text("Artist")),
      record("WM/ArtistSortOrder", 0, text("Sorted")), record("WM/Picture", 1, picture),
    ]
    let library = object(
      [
        0x94, 0x1c, 0x23, 0x44, 0x98, 0x94, 0xd1, 0x49, 0xa1, 0x41, 0x1d, 0x13, 0x4e, 0x45, 0x70, 0x54,
      ], number(records.count, 2) + records.joined())
    let inner = [UInt8](repeating: 0, count: 18) + number(library.count, 4) + library
    let added = object(
      [
        0xb5, 0x03, 0xbf, 0x5f, 0x2e, 0xa9, 0xcf, 0x11, 0x8e, 0xe3, 0x00, 0xc0, 0x0c, 0x20, 0x53, 0x65,
      ], inner)
    var bytes = try contents(of: make("a.wma", ["-c:a", "wmav2"]).text)
    let size = (0..<8).reduce(0) { $0 | Int(bytes[16 + $1]) << (8 * $1) }
    bytes.replaceSubrange(16..<24, with: number(size + added.count, 8))
    bytes.insert(contentsOf: added, at: 30)
    let path = try folder.file("more.wma", bytes)
    let found = try reader.tags(of: path)
    // This object comes first, but the first value is in another.
    #expect(found.tags.artist == ["Artist", "Second"])
    #expect(found.tags.sort.artist == "Sorted" && found.tags.title == "Süße Töne")
    #expect(try found.hasPicture && reader.picture(of: path)?.bytes == SoundFiles.png)
  }

  @Test("what Matroska says of a chapter is not said of the file")
  func chapters() throws {
    let words = try folder.file(
      "words.txt",
      Array(
        """
        ;FFMETADATA1
        title=Whole
        artist=Reader
        [CHAPTER]
        TIMEBASE=1/1000
        START=0
        END=100
        title=One
        artist=Guest
        track=7
        album=Other

        """.utf8))
    let path = folder.at("chapters.mka")
    try Tool.run(
      [
        "ffmpeg", "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "sine=duration=0.2", "-i", words.text,
        "-map", "0:a", "-map_metadata", "1", "-map_chapters", "1", "-c:a", "flac", path.text,
      ])
    let tags = try reader.tags(of: path).tags
    #expect(tags.title == "Whole" && tags.artist == ["Reader"] && tags.album == nil && tags.track == nil)
  }

  @Test("each level of Matroska's tags numbers its own place in the level above")
  func levels() throws {
    func element(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] {
      id + [0x10, UInt8(content.count >> 16), UInt8(content.count >> 8 & 0xff), UInt8(content.count & 0xff)]
        + content
    }
    func tag(_ level: UInt8, _ values: KeyValuePairs<String, String>) -> [UInt8] {
      element(
        [0x73, 0x73],
        element([0x63, 0xc0], element([0x68, 0xca], [level]))
          + values.flatMap { name, value in
            element(
              [0x67, 0xc8],
              element([0x45, 0xa3], Array(name.utf8)) + element([0x44, 0x87], Array(value.utf8)))
          })
    }
    let audio = element([0xe1], element([0xb5], [0x47, 0x2c, 0x44, 0]) + element([0x9f], [2]))
    let tracks = element([0x16, 0x54, 0xae, 0x6b], element([0xae], element([0x83], [2]) + audio))
    let tags = element(
      [0x12, 0x54, 0xc3, 0x67],
      tag(60, ["TITLE": "Box Set", "ARTIST": "Label", "TOTAL_PARTS": "4"])
        + tag(
          50,
          [
            "TITLE": "Album", "ARTIST": "Band", "PART_NUMBER": "2", "TOTAL_PARTS": "12",
            "REPLAYGAIN_GAIN": "-6.00 dB",
          ])
        + tag(30, ["TITLE": "Song", "ARTIST": "Singer", "PART_NUMBER": "5", "REPLAYGAIN_GAIN": "-7.50 dB"]))
    let file =
      element([0x1a, 0x45, 0xdf, 0xa3], element([0x42, 0x82], Array("matroska".utf8)))
      + element([0x18, 0x53, 0x80, 0x67], tracks + tags)
    let found = try reader.tags(of: folder.file("levels.mka", file)).tags
    #expect(found.title == "Song" && found.artist == ["Singer"] && found.album == "Album")
    #expect(found.albumArtist == ["Band"] && found.track == 5 && found.trackCount == 12)
    #expect(found.disc == 2 && found.discCount == 4)
    #expect(found.loudness.trackGain == -7.5 && found.loudness.albumGain == -6)
  }

  @Test("the medium of an APE tag is no comment")
  func medium() throws {
    #expect(
      try reader.tags(of: make("medium.wv", ["-c:a", "wavpack", "-metadata", "media=CD"])).tags.comment == nil
    )
  }

  @Test("a file of DSD that ends in its header is broken, and breaks nobody", arguments: [4, 11, 15, 16, 20])
  func shortDSD(length: Int) throws {
    let header = Array("FRM8".utf8) + [UInt8](repeating: 0, count: 8) + Array("DSD PROP".utf8)
    let path = try folder.file("short.dff", Array(header.prefix(length)))
    #expect(throws: (any Error).self) { try reader.tags(of: path) }
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
