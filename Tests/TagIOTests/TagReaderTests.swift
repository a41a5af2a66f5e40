// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import FileIO
import Glibc
import MediaModel
import ReaderModel
import TagIO
import Testing

@Suite("Reading tags")
struct TagReaderTests {
  private let files: SoundFiles
  private let reader = TagReader()

  init() throws { files = try SoundFiles() }

  @Test("every format tells the same about the same song")
  func everyFormat() throws {
    for format in SoundFiles.formats {
      let found = try reader.tags(of: files.tagged(format))
      #expect(found.tags.title == "Süße Töne", "\(format)")
      #expect(found.tags.artist == ["Artist"], "\(format)")
      #expect(found.tags.album == "Album", "\(format)")
      #expect(found.tags.date == MediaDate(year: 1997), "\(format)")
      #expect(found.tags.track == 3, "\(format)")
      #expect(found.tags.trackCount == 12, "\(format)")
      #expect(found.tags.genre == ["Folk"], "\(format)")
      #expect(found.format?.channels == 2, "\(format)")
      #expect(found.format?.rate == (format == "opus" ? 48_000 : 44_100), "\(format)")
      #expect(found.hasPicture == (format != "ogg"), "\(format)")
      let duration = try #require(found.tags.duration)
      #expect((.milliseconds(199)...Duration.milliseconds(260)).contains(duration), "\(format): \(duration)")
    }
  }

  @Test("every format gives its embedded picture, byte for byte")
  func pictures() throws {
    for format in SoundFiles.formats {
      let picture = try reader.picture(of: files.tagged(format))
      #expect(picture?.bytes == (format == "ogg" ? nil : SoundFiles.png), "\(format)")
      #expect(picture?.format == (format == "ogg" ? nil : .png), "\(format)")
    }
  }

  @Test("loudness comes in one measure from FLAC and Opus")
  func loudness() throws {
    for format in ["flac", "opus"] {
      let loudness = try reader.tags(of: files.tagged(format)).tags.loudness
      #expect(loudness == Loudness(trackGain: -6.5), "\(format)")
    }
  }

  @Test("an Ogg file has its length wherever its last page begins", arguments: ["ogg", "opus"])
  func lastPage(format: String) throws {
    let bytes = try contents(of: files.tagged(format))
    for padding in 0..<1_024 {
      let path = try files.folder.file("padded." + format, bytes + [UInt8](repeating: 0, count: padding))
      let duration = try reader.tags(of: path).tags.duration
      #expect(duration == .milliseconds(200), "with \(padding) bytes behind it")
    }
  }

  @Test("the format is told by the content, whatever the name")
  func misnamed() throws {
    for format in SoundFiles.formats {
      let path = try files.folder.file("misnamed.txt", contents(of: files.tagged(format)))
      #expect(try reader.tags(of: path).tags.title == "Süße Töne", "\(format)")
    }
  }

  @Test(
    "the length of a WAV is told whatever chunks it has, one of four bytes before its sound too",
    arguments: ["24", "32"])
  func wideSamples(bits: String) throws {
    let (plain, path) = (files.folder.at("plain.wav"), files.folder.at("wide-\(bits).wav"))
    try Tool.run("sox", plain.text, "-b", bits, path.text)
    #expect(try contents(of: path).prefix(80).contains(Array("fact\u{4}\0\0\0".utf8)))
    #expect(try reader.tags(of: path).tags.duration == reader.tags(of: plain).tags.duration)
  }

  @Test("CAF, AU and Wave64 have a length before they play, and no error for want of tags")
  func untagged() throws {
    let plain = files.folder.at("plain.wav")
    for arguments in [
      ["plain.caf"], ["plain.au"], ["-e", "mu-law", "ulaw.au"], ["little.au"], ["plain.w64"],
      ["-e", "ms-adpcm", "adpcm.w64"],
    ] {
      let path = files.folder.at(arguments.last ?? "")
      try Tool.run(["sox", plain.text] + arguments.dropLast() + [path.text])
      if path.name == "little.au" {
        var bytes = try contents(of: path)
        for place in stride(from: 0, to: 24, by: 4) { bytes[place..<place + 4].reverse() }
        try files.folder.file("little.au", bytes)
      }
      let found = try reader.tags(of: path)
      var tags = MediaTags()
      tags.duration = .milliseconds(200)
      #expect(found.tags == tags, "\(path)")
      #expect(found.format == AudioFormat(rate: 44_100, channels: 2), "\(path)")
      #expect(try reader.picture(of: path) == nil)
    }
  }

  @Test("WAV is read in either order, and with sizes of eight bytes")
  func waves() throws {
    let plain = files.folder.at("plain.wav")
    try Tool.run("sox", plain.text, "-B", files.folder.at("big.wav").text)
    let bytes = try contents(of: plain)
    let sound = bytes[44...]
    let zero = ID3.littleEndian(0)
    let sizes = ID3.joined(
      Array("ds64".utf8), ID3.littleEndian(28), zero, zero, ID3.littleEndian(sound.count), zero, zero, zero,
      zero)
    let head = ID3.joined(Array("RF64".utf8), [0xff, 0xff, 0xff, 0xff], Array("WAVE".utf8), sizes)
    let data = ID3.joined(Array("data".utf8), [0xff, 0xff, 0xff, 0xff], Array(sound))
    let large = ID3.joined(head, Array(bytes[12..<36]), data)
    let info = Array("INFOINAM\u{6}\0\0\0other\0IART\u{4}\0\0\0Me\0\0".utf8)
    let listed = ID3.adding("LIST", info, to: Array("RIFF".utf8) + large.dropFirst(4))
    let tagged = ID3.adding("id3 ", ID3.tag([ID3.text("TIT2", "large")]), to: listed)
    let path = try files.folder.file("large.wav", Array("RF64".utf8) + tagged.dropFirst(4))
    #expect(try reader.tags(of: path).tags.title == "large")
    #expect(try reader.tags(of: path).tags.artist == ["Me"])
    for path in [path, files.folder.at("big.wav")] {
      #expect(try reader.tags(of: path).tags.duration == .milliseconds(200), "\(path)")
    }
  }

  @Test("an APE tag adds to ID3 what that does not say")
  func apeBesideID3() throws {
    let sound = try contents(of: files.tagged("mp3"))
    let fields = [("Title", "other"), ("REPLAYGAIN_TRACK_GAIN", "-3.00 dB")]
    let items = fields.map { name, value in
      ID3.littleEndian(value.utf8.count) + [0, 0, 0, 0] + Array("\(name)\0\(value)".utf8)
    }
    let path = try files.folder.file("ape.mp3", sound + apeTag(Array(items.joined()), count: 2))
    let tags = try reader.tags(of: path).tags
    #expect(tags.title == "Süße Töne")
    #expect(tags.loudness.trackGain == -3)
  }

  @Test("a picture in ID3 goes before one in APE, whatever it is of")
  func picturesOfTwoTags() throws {
    let name = Array("Cover Art (Front)\0cover.png\0".utf8)
    let value = Array("cover.png\0".utf8) + SoundFiles.png
    let item = ID3.littleEndian(value.count) + [2, 0, 0, 0] + name.prefix(18) + value
    let other = SoundFiles.png + [0]
    // Of two ID3 tags only the first is read.
    let sound = try contents(of: files.tagged("mp3"))
    let none = try files.folder.file(
      "ape.mp3", ID3.tag([ID3.text("TIT2", "a")]) + sound + apeTag(item, count: 1))
    #expect(try reader.picture(of: none)?.bytes == SoundFiles.png)
    let tag = ID3.tag([ID3.picture(other, kind: 0)])
    let path = try files.folder.file("both.mp3", tag + sound + apeTag(item, count: 1))
    #expect(try reader.picture(of: path)?.bytes == other)
  }

  @Test("a disk that fails is told, and is not taken for a damaged file")
  func failingDisk() throws {
    let path = files.tagged("mp3").text
    for isPicture in [false, true] {
      // Such a descriptor can't be read.
      #expect(throws: ReadFailure.unreadable(EBADF)) {
        let file = OpenFile(owning: open(path, O_WRONLY | O_CLOEXEC), size: 10_000)
        if isPicture {
          _ = try reader.picture(of: file, isNamedMPEG: true)
        } else {
          _ = try reader.tags(of: file, isNamedMPEG: true)
        }
      }
    }
  }

  @Test("a name that is not UTF-8 opens its file")
  func nameInBytes() throws {
    let name = try #require(FilePath(files.folder.location.bytes + Array("/B".utf8) + [0xf6, 0x2e, 0x6d]))
    let from = files.tagged("mp3").bytes + [0]
    let result = from.withUnsafeBytes { from in
      (name.bytes + [0]).withUnsafeBytes { to in
        rename(
          from.baseAddress?.assumingMemoryBound(to: CChar.self),
          to.baseAddress?.assumingMemoryBound(to: CChar.self))
      }
    }
    #expect(result == 0)
    #expect(try reader.tags(of: name).tags.artist == ["Artist"])
  }

  @Test("what is no sound file is refused with the reason")
  func refusals() throws {
    let text = try files.folder.file("text.flac", Array("hello, world".utf8))
    let empty = try files.folder.file("empty.ogg", [])
    let broken = try files.folder.file("broken.flac", Array(contents(of: files.tagged("flac")).prefix(20)))
    // Named like MPEG audio, which may begin with anything.
    let page = try files.folder.file("page.mp3", Array("<!DOCTYPE html><html><body>404</body></html>".utf8))
    let picture = try files.folder.file("picture.mp3", SoundFiles.png)
    let nothing = try files.folder.file("nothing.mp3", [])
    let cases: [(FilePath, ReadFailure)] = [
      (text, .unknownFormat), (empty, .unknownFormat), (broken, .broken), (page, .unknownFormat),
      (picture, .unknownFormat), (nothing, .unknownFormat),
    ]
    for (path, reason) in cases {
      #expect(throws: reason, "\(path)") { try reader.tags(of: path) }
    }
  }
}

/// An APE tag of items, with only a footer.
func apeTag(_ items: [UInt8], count: Int) -> [UInt8] {
  let footer = ID3.littleEndian(2_000) + ID3.littleEndian(items.count + 32) + ID3.littleEndian(count)
  return items + Array("APETAGEX".utf8) + footer + [UInt8](repeating: 0, count: 12)
}
