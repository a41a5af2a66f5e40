// SPDX-License-Identifier: MIT
import FermataTestKit
import MediaModel
import ReaderModel
import TagIO
import Testing

@Suite("ID3 as strangers write it")
struct ID3Tests {
  private let folder: TemporaryDirectory
  private let sound: [UInt8]

  init() throws {
    folder = try TemporaryDirectory()
    // A frame of silence at 128 kbit/s, a few times.
    sound = ID3.many([0xff, 0xfb, 0x90, 0x44] + [UInt8](repeating: 0, count: 413), 20)
  }

  private func tags(_ tag: [UInt8], charset: String? = nil) throws -> MediaTags {
    try TagReader(charset: charset).tags(of: folder.file("a.mp3", tag + sound)).tags
  }

  private func plain(_ id: String, _ text: String) -> [UInt8] { ID3.frame(id, [0] + Array(text.utf8)) }

  @Test(
    "a frame that should not be there takes nothing from the others",
    arguments: [
      ID3.frame("TST ", [0] + Array("Sorted".utf8)), ID3.frame("TSP\0", [0] + Array("Sorted".utf8)),
      ID3.frame("POPM", []), ID3.frame("TCOM", []), ID3.frame("a-b!", [1, 2, 3]),
      ID3.frame("\u{1}\u{2}\u{3}\u{4}", [1]),
      ID3.frame("TCOM", [0]), ID3.frame("TCOM", [1]), ID3.frame("COMM", [0]), ID3.frame("APIC", [0]),
      ID3.frame("TXXX", [1, 0xff]), ID3.frame("TPE2", [9, 9]),
    ])
  func strangeFrames(frame: [UInt8]) throws {
    let tags = try tags(
      ID3.tag([plain("TIT2", "Title"), frame, plain("TPE1", "Artist"), plain("TYER", "1999")]))
    #expect(tags.title == "Title")
    #expect(tags.artist == ["Artist"])
    #expect(tags.date == MediaDate(year: 1999))
  }

  @Test("the sort names of iTunes are sort names")
  func sortNames() throws {
    let tags = try tags(
      ID3.tag(["TST ", "TSP ", "TSA ", "TS2\0", "TSC "].map { plain($0, $0.prefix(3) + "!") }))
    #expect(
      tags.sort
        == SortNames(title: "TST!", artist: "TSP!", album: "TSA!", albumArtist: "TS2!", composer: "TSC!"))
  }

  @Test("frames in a group, and with their length once more, are read without those numbers")
  func groups() throws {
    let third = try tags(ID3.tag([ID3.frame("TIT2", [0x81, 0] + Array("Title".utf8), flags: 0x20)]))
    #expect(third.title == "Title")
    let fourth = ID3.frame("TIT2", [0x81, 0, 0, 0, 6, 0] + Array("Title".utf8), flags: 0x41)
    #expect(try tags(ID3.tag([fourth], version: 4)).title == "Title")
  }

  @Test("UTF-16 without a mark of its order is read in the order that it has")
  func unmarked() throws {
    for isBig in [false, true] {
      let letters: [UInt8] = isBig ? [0, 0x53, 0, 0xfc, 0, 0xdf] : [0x53, 0, 0xfc, 0, 0xdf, 0]
      let comment = [1] + Array("eng".utf8) + [0, 0] + letters
      let tags = try tags(ID3.tag([ID3.frame("TIT2", [1] + letters), ID3.frame("COMM", comment)]))
      #expect(tags.title == "Süß")
      #expect(tags.comment == "Süß")
    }
  }

  @Test("zeros that were put in for old players are taken out, of all or of one frame")
  func unsynchronised() throws {
    let text: [UInt8] = [1, 0xff, 0xfe, 0xff, 0, 0x41, 0]  // "ÿA"
    let third = ID3.frame("TIT2", text).flatMap { $0 == 0xff ? [$0, 0] : [$0] }
    #expect(try tags(ID3.tag([third, plain("TPE1", "A")], flags: 0x80)).title == "ÿA")
    let raw =
      plain("TPE1", "A") + ID3.frame("TIT2", text.flatMap { $0 == 0xff ? [$0, 0] : [$0] })
      + plain("TALB", "B")
    #expect(try tags(ID3.tag([raw], flags: 0x80)).album == "B")
    #expect(try tags(ID3.tag([raw], flags: 0x80)).title == "ÿA")
    let stuffed = text.flatMap { $0 == 0xff ? [$0, 0] : [$0] }
    let fourth = [ID3.frame("TIT2", stuffed, flags: 2), plain("TPE1", "A")]
    #expect(try tags(ID3.tag(fourth, version: 4)).title == "ÿA")
  }

  @Test("where it is claimed that zeros were put in, and none were, none are taken out")
  func falselyUnsynchronised() throws {
    let text: [UInt8] = [1, 0xff, 0xfe, 0xff, 0, 0x41, 0]  // "ÿA"
    for (version, flags) in [(3, 0x80), (4, 0x80), (4, 0)] as [(UInt8, UInt8)] {
      let frame = ID3.frame("TIT2", text, flags: flags == 0 ? 2 : 0)
      let tags = try tags(ID3.tag([frame, plain("TPE1", "A")], version: version, flags: flags))
      #expect(tags.title == "ÿA" && tags.artist == ["A"], "version \(version), flags \(flags)")
    }
  }

  @Test("a tag behind the sound is read too, before an old one, and a tag in front goes first")
  func behind() throws {
    let frames = [plain("TIT2", "A song with a long name that is cut"), plain("TPE1", "Band")]
    let tag = ID3.tag(frames, version: 4, flags: 0x10)
    let appended = tag + Array("3DI".utf8) + tag[3..<10]
    let old =
      Array("TAG".utf8) + Array("A song with a long name that i".utf8) + [UInt8](repeating: 0, count: 95)
    for last in [[], old] {
      let tags = try TagReader().tags(of: folder.file("a.mp3", sound + appended + last)).tags
      #expect(tags.title == "A song with a long name that is cut" && tags.artist == ["Band"])
      let front = ID3.tag([plain("TIT2", "First")])
      let both = try TagReader().tags(of: folder.file("a.mp3", front + sound + appended + last)).tags
      #expect(both.title == "First" && both.artist == ["Band"])
    }
  }

  @Test("a blank frame hides nothing that is said elsewhere")
  func blank() throws {
    let frames = [
      plain("TIT2", " "), ID3.frame("TPE2", [0, 0]), plain("TDRC", ""), plain("TYER", "1999"),
      ID3.frame("TXXX", [0] + Array("ALBUM ARTIST\0Band".utf8)),
    ]
    let old = Array("TAG".utf8) + Array("Song".utf8) + [UInt8](repeating: 0, count: 121)
    let tags = try TagReader().tags(of: folder.file("a.mp3", ID3.tag(frames) + sound + old)).tags
    #expect(tags.title == "Song" && tags.albumArtist == ["Band"] && tags.date == MediaDate(year: 1999))
  }

  @Test("sizes that are counted as another version counts them are understood")
  func sizes() throws {
    let long = String(repeating: "x", count: 300)
    let frames = [plain("TIT2", long), plain("TPE1", "A")]
    #expect(try tags(ID3.tag(frames, version: 4)).title == long)
    #expect(try tags(ID3.tag(frames, version: 4)).artist == ["A"])
    var safe = frames[0]
    safe.replaceSubrange(4..<8, with: [0, 0, 2, 45])  // 301, seven bits a byte
    for version in [3, 4] as [UInt8] {
      let tags = try tags(ID3.tag([safe, frames[1]], version: version))
      #expect(tags.title == long)
      #expect(tags.artist == ["A"])
    }
  }

  @Test("the extension of a header is no frame, however its size is counted")
  func extensions() throws {
    let frame = plain("TIT2", "Title")
    for (version, head) in [
      (3, [0, 0, 0, 6]), (3, [0, 0, 0, 10]), (4, [0, 0, 0, 6]), (3, []), (4, []),
    ] as [(UInt8, [UInt8])] {
      let counted = head.last.map { Int($0) + (version == 3 ? 0 : -4) } ?? 0
      let tag = ID3.tag([head + [UInt8](repeating: 0, count: counted), frame], version: version, flags: 0x40)
      #expect(try tags(tag).title == "Title", "\(version), \(head)")
    }
  }

  @Test("year and day are one date, and what is named by its tagger comes last")
  func details() throws {
    let tags = try tags(
      ID3.tag([
        ID3.frame("TXXX", [0] + Array("title\0mine".utf8)), plain("TYER", "1997"), plain("TDAT", "2005"),
        ID3.frame("TXXX", [0] + Array("replaygain_track_gain\0-3 dB".utf8)), plain("TIT2", "Title"),
        plain("TCON", "(17)(RX)"), ID3.frame("TPE1", [3] + Array("A\0B".utf8)), plain("TBPM", "128 BPM"),
      ]))
    #expect(tags.date == MediaDate(year: 1997, month: 5, day: 20))
    #expect(tags.title == "Title")
    #expect(tags.genre == ["Rock", "Remix"])
    #expect(tags.artist == ["A", "B"])
    #expect(tags.loudness.trackGain == -3)
    #expect(tags.bpm == 128)
  }

  @Test("a gain that is written as a number counts, where no text says another; other channels do not")
  func adjustments() throws {
    func frame(_ name: String, _ channels: [[UInt8]]) -> [UInt8] {
      ID3.frame("RVA2", Array(name.utf8) + [0] + channels.flatMap(\.self))
    }
    // -6.5 dB is -3328 of 512ths; a peak of 0x6000 of 16 bits is three quarters.
    let track = frame("track", [[2, 0, 9, 0], [1, 0xf3, 0, 16, 0x60, 0], [1, 0, 0, 0]])
    let album = frame("album", [[1, 2, 0, 0]])
    let gain = try tags(ID3.tag([track, album, frame("Normalize", [[1, 9, 9, 0]])])).loudness
    #expect(gain == Loudness(trackGain: -6.5, trackPeak: 0.75, albumGain: 1))
    let text = ID3.frame("TXXX", [0] + Array("replaygain_track_gain\0-3 dB".utf8))
    #expect(try tags(ID3.tag([track, text])).loudness.trackGain == -3)
    for torn in [frame("track", [[1, 0xf3]]), frame("track", []), ID3.frame("RVA2", Array("track".utf8))] {
      #expect(try tags(ID3.tag([torn])).loudness == Loudness())
    }
  }

  @Test("a tag with three letters a frame says the same")
  func secondVersion() throws {
    func frame(_ id: String, _ data: [UInt8]) -> [UInt8] {
      Array(id.utf8) + [0, 0, UInt8(data.count)] + data
    }
    let picture = frame("PIC", [0] + Array("PNG".utf8) + [3, 0] + SoundFiles.png)
    let tag = ID3.tag(
      [frame("TT2", [0] + Array("Title".utf8)), frame("COM", [0] + Array("eng\0fine".utf8)), picture],
      version: 2)
    let path = try folder.file("a.mp3", tag + sound)
    #expect(try TagReader().tags(of: path).tags.title == "Title")
    #expect(try TagReader().tags(of: path).tags.comment == "fine")
    #expect(try TagReader().picture(of: path)?.bytes == SoundFiles.png)
  }

  @Test("what says Latin-1 of itself is read in the character set that its owner names")
  func charset() throws {
    let russian: [UInt8] = [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]  // in Windows-1251
    let tag = ID3.tag([ID3.frame("TIT2", [0] + russian), ID3.text("TPE1", "Süß"), plain("TALB", "plain")])
    let old =
      Array("TAG".utf8) + [UInt8](repeating: 0, count: 94) + russian + [UInt8](repeating: 0, count: 25)
    let path = try folder.file("a.mp3", tag + sound + old)
    let found = try TagReader(charset: "CP1251").tags(of: path).tags
    #expect([found.title, found.comment] == ["Привет", "Привет"])
    #expect(found.artist == ["Süß"])
    #expect(found.album == "plain")
    #expect(try TagReader().tags(of: path).tags.title == "Ïðèâåò")
    #expect(try TagReader(charset: "no-such-set").tags(of: path).tags.title == "Ïðèâåò")
    let windows = ID3.tag([
      ID3.frame("TIT2", [0] + Array("Don".utf8) + [0x92] + Array("t ".utf8) + [0x96, 0x20, 0xe9])
    ])
    #expect(try tags(windows).title == "Don’t – é")
    let broken = ID3.tag([ID3.frame("TIT2", [0, 0xd6, 0xd0, 0xff, 0x41, 0xce])])
    #expect(try tags(broken, charset: "GBK").title == "中?A?")
  }
}
