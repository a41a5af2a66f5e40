// SPDX-License-Identifier: MIT
import MediaModel
import Testing

@Suite("What a file holds")
struct FileContentTests {
  private func content(_ head: [UInt8], isWhole: Bool = true) -> FileContent? {
    FileContent(head: head, isWhole: isWhole)
  }

  /// The first page of a stream in Ogg.
  private static func page(_ packet: [UInt8]) -> [UInt8] {
    Array("OggS".utf8) + [0, 2] + [UInt8](repeating: 0, count: 20) + [1, UInt8(packet.count)] + packet
  }

  private static let vorbis = page([1] + Array("vorbis".utf8))
  private static let skeleton = page(Array("fishead\0".utf8))

  static let sounds: [([UInt8], SoundFormat, Int)] = marked + wave64 + searched

  private static let marked: [([UInt8], SoundFormat, Int)] = [
    ("fLaC", SoundFormat.flac), ("RIFFsizeWAVE", .wav), ("RIFXsizeWAVE", .wav), ("RF64sizeWAVE", .wav),
    ("FORMsizeAIFF", .aiff), ("FORMsizeAIFC", .aiff), ("caff", .caf), (".snd", .au), ("dns.", .au),
    ("sizeftypM4A ", .mp4), ("wvpk", .wavPack), ("MAC ", .monkeys), ("TTA1", .trueAudio), ("MPCK", .musepack),
    ("MP+", .musepack), ("DSD ", .dsf), ("FRM8", .dsdiff), ("sizeftypmp42 avc1 mp4a", .mp4),
  ].map { (Array($0.0.utf8), $0.1, 0) }

  private static let wave64: [([UInt8], SoundFormat, Int)] = [
    (Array("riff".utf8) + [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0, 0], .wave64, 0)
  ]

  private static let searched: [([UInt8], SoundFormat, Int)] = [
    (page(Array("\u{7F}FLAC".utf8)), .oggFLAC, 0),
    (page(Array("OpusHead".utf8)), .opus, 0),
    (vorbis, .vorbis, 0),
    (skeleton + vorbis, .vorbis, 0),
    // A recording that begins with the end of another song.
    (Array("the end".utf8) + vorbis, .vorbis, 7),
    // A frame of 417 bytes and another one, and where there is junk before it two more.
    (frame + frame, .mpeg, 0),
    ([1, 2, 3] + frame + frame + frame, .mpeg, 3),
    // The same of AAC, with frames of 16 bytes.
    (adts + adts, .adts, 0), ([1, 2, 3] + adts + adts + adts, .adts, 3),
  ]
  private static let adts: [UInt8] =
    [0xFF, 0xF1, 0x50, 0x80, 0x02, 0x1F, 0xFC] + [UInt8](repeating: 0, count: 9)
  private static let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 413)

  @Test("a sound is known by its beginning, and where it begins", arguments: sounds)
  func sound(head: [UInt8], format: SoundFormat, offset: Int) {
    #expect(content(head) == .sound(format, at: offset))
  }

  @Test("DTS that a WAV file calls samples is told from samples by its frames")
  func hiddenDTS() {
    let head = Array("RIFFsizeWAVEfmt ".utf8) + [UInt8](repeating: 0, count: 28)
    func frames(_ mark: [UInt8], _ sizes: Int...) -> [UInt8] {
      sizes.flatMap { mark + [UInt8](repeating: 7, count: $0 - mark.count) }
    }
    let marks: [[UInt8]] = [[0xFE, 0x7F, 0x01, 0x80], [0xFF, 0x1F, 0x00, 0xE8]]
    for mark in marks {
      let silence = [UInt8](repeating: 0, count: 400)
      #expect(content(head + silence + frames(mark, 2_048, 2_048, 2_048)) == .sound(.dts, at: 444))
      // The same bytes may be samples, once or by chance.
      #expect(content(head + silence + frames(mark, 2_048, 900, 2_048)) == .sound(.wav, at: 0))
      #expect(content(head + frames(mark, 2_048, 2_048)) == .sound(.wav, at: 0))
    }
  }

  @Test("what is cut off before its mark, and what is only near a mark, is unknown")
  func unknown() {
    #expect(content([1, 2, 3] + Self.adts + Self.adts) == nil)
    for head in ["", "fLa", "RIFFsizeWAV", "RIFFsizeCDDA", "FORMsizeILBM", "Dear diary"] {
      #expect(content(Array(head.utf8)) == nil, "\(head)")
    }
  }

  /// The beginning of a film, with the description of its tracks; the last `missing` bytes of that are left out.
  private static func film(tracks: String, missing: Int = 0) -> [UInt8] {
    let front = [0, 0, 0, 16] + Array("ftypmp42".utf8) + [0, 0, 0, 0]
    let description = [0, 0, 0, UInt8(8 + tracks.utf8.count)] + Array("moov\(tracks)".utf8)
    return front + description.dropLast(missing)
  }

  @Test("a film without sound is called a film, if its beginning shows that")
  func film() {
    #expect(content(Self.film(tracks: "avc1 vide")) == .foreign("MPEG-4 video"))
    // These may have sound, which only the decoder finds out: what describes their tracks is not among the first bytes, or goes on behind them.
    #expect(content(Self.film(tracks: "avc1 vide soun mp4a")) == .sound(.mp4, at: 0))
    #expect(content(Array("\0\0\0\u{14}ftypisomavc1mp41".utf8)) == .sound(.mp4, at: 0))
    #expect(content(Self.film(tracks: "avc1 vide", missing: 1)) == .sound(.mp4, at: 0))
  }

  @Test("a mark that stands for itself has no wildcards: XML is XML, and a tag like it is not")
  func questionMark() {
    #expect(content(Array("<?xml version".utf8)) == .foreign("XML"))
    #expect(content(Array("<axml version".utf8)) == nil)
  }

  @Test("the size of ID3v2 tags is counted in seven bits a byte, and tags that follow one another are passed")
  func leadingTags() {
    let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 2] + [UInt8](repeating: 0, count: 130)
    #expect(ID3v2.size(tag) == 140)
    #expect(ID3v2.size(Array("ID3".utf8) + [4, 0, 0x10, 0, 0, 0, 2]) == 22)
    let file = tag + tag + Array("fLaC".utf8)
    #expect(ID3v2.end { Array(file.dropFirst($0).prefix($1)) } == 280)
  }

  @Test("each extension and each MIME type belongs to one format, and no extension is foreign too")
  func table() throws {
    let extensions = SoundFormat.allCases.flatMap(\.extensions)
    #expect(Set(extensions).count == extensions.count)
    #expect(Set(SoundFormat.mimeTypes).count == SoundFormat.mimeTypes.count)
    for suffix in extensions {
      let path = try #require(FilePath("/m/song.\(suffix)"))
      #expect(path.looksPlayable && !path.looksForeign, "\(suffix)")
    }
    let foreign: FilePath = "/m/song.ofr"
    #expect(foreign.looksForeign && !foreign.looksPlayable)
  }
}
