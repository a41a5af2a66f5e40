// SPDX-License-Identifier: MIT
import FermataTestKit
import MediaModel
import ReaderModel
import TagIO
import Testing

@Suite("A sound's fingerprint stays")
struct FingerprintTests {
  private let files: SoundFiles
  private let reader = TagReader()

  init() throws { files = try SoundFiles() }

  private func fingerprint(_ path: FilePath) throws -> AudioFingerprint {
    try #require(try reader.tags(of: path).fingerprint, "\(path)")
  }

  @Test("every format has one, and no two of these sounds have the same")
  func all() throws {
    var seen: Set<AudioFingerprint> = []
    for format in SoundFiles.formats { #expect(try seen.insert(fingerprint(files.tagged(format))).inserted) }
    let other = files.folder.at("other.wav")
    try Tool.run("sox", "-n", "-r", "44100", "-c", "2", "-b", "16", other.text, "synth", "0.2", "sine", "441")
    #expect(try seen.insert(fingerprint(other)).inserted)
  }

  @Test("an MP3 keeps it whatever tags stand before and behind the sound")
  func mpeg() throws {
    let tagged = try contents(of: files.tagged("mp3"))
    let own = try fingerprint(files.tagged("mp3"))
    let start = ID3v2.end { Array(tagged.dropFirst($0).prefix($1)) }
    let old = Array("TAG".utf8) + [UInt8](repeating: 0x41, count: 125)
    let hasOld = tagged.suffix(128).starts(with: "TAG".utf8)
    let sound = Array(tagged[start...].dropLast(hasOld ? 128 : 0))
    let ape = apeTag([2, 0, 0, 0, 0, 0, 0, 0] + Array("Album\0Hi".utf8), count: 1)
    let tag = ID3.tag([
      ID3.text("TIT2", "Other"), ID3.picture(SoundFiles.png + [UInt8](repeating: 0, count: 90_000)),
    ])
    for (name, bytes) in [
      ("bare", sound), ("ID3v2", tag + sound), ("ID3v1", sound + old), ("APE", sound + ape),
      ("all", tag + sound + ape + old),
    ] {
      #expect(try fingerprint(files.folder.file("a.mp3", bytes)) == own, "\(name)")
    }
  }

  @Test("FLAC, Vorbis and Opus keep it when comments grow by pages")
  func xiph() throws {
    let long = String(repeating: "x", count: 100_000)
    let flac = files.folder.at("copy.flac")
    try files.folder.file("copy.flac", contents(of: files.tagged("flac")))
    try Tool.run("metaflac", "--remove-all-tags", "--set-tag=TITLE=\(long)", flac.text)
    #expect(try fingerprint(flac) == fingerprint(files.tagged("flac")))
    let ogg = files.folder.at("copy.ogg")
    try Tool.run("vorbiscomment", "-w", "-t", "TITLE=\(long)", files.tagged("ogg").text, ogg.text)
    #expect(try reader.tags(of: ogg).tags.title == long)
    #expect(try fingerprint(ogg) == fingerprint(files.tagged("ogg")))
    let opus = files.folder.at("copy.opus")
    let plain = files.folder.at("plain.wav").text
    try Tool.run("opusenc", "--quiet", "--title", long, plain, opus.text)
    #expect(try fingerprint(opus) == fingerprint(files.tagged("opus")))
  }

  @Test("WAV and AIFF keep it when chunks are added", arguments: ["wav", "aiff"])
  func chunks(format: String) throws {
    let plain = files.folder.at("plain." + format)
    #expect(try fingerprint(plain) == fingerprint(files.tagged(format)))
  }

  @Test("an M4A keeps it when the tag goes that says what is cut off at its ends")
  func trimmed() throws {
    let song = files.folder.at("song.m4a")
    try Tool.run(
      "ffmpeg", "-v", "error", "-nostdin", "-y", "-i", files.folder.at("plain.wav").text, "-c:a", "aac",
      song.text)
    let plain = try #require(MP4Boxes.without("edts", in: contents(of: song.text)))
    let cut = try #require(MP4Boxes.withSMPB(priming: 1_024, length: 8_000, in: plain))
    let (short, long) = (
      try reader.tags(of: files.folder.file("cut.m4a", cut)),
      try reader.tags(of: files.folder.file("a.m4a", plain))
    )
    #expect(short.tags.duration != long.tags.duration && short.fingerprint == long.fingerprint)
  }

  @Test("of a long sound, a piece behind the silence at its beginning counts", arguments: ["1", "3"])
  func longSilence(seconds: String) throws {
    var prints: Set<AudioFingerprint> = []
    for frequency in ["440", "441"] {
      let path = files.folder.at("\(frequency).wav")
      try Tool.run(
        "sox", "-n", "-r", "44100", "-c", "2", "-b", "16", path.text, "synth", "4", "sine", frequency, "pad",
        seconds, "0")
      prints.insert(try fingerprint(path))
    }
    #expect(prints.count == 2)
  }

  @Test("a tag without a sound has none")
  func none() throws {
    let path = try files.folder.file("tag.mp3", ID3.tag([ID3.text("TIT2", "Title")]))
    #expect(try reader.tags(of: path).fingerprint == nil)
  }
}
