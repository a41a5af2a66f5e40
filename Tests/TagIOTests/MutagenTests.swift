// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import MediaModel
import ReaderModel
import TagIO
import Testing

@Suite(
  "Tags as mutagen reads them", .serialized, .endsAnyway,
  .enabled(if: Mutagen.isInstalled, "python3-mutagen is not installed"))
struct MutagenTests {
  private let reader = TagReader()

  @Test(
    "ID3 of all versions and encodings, FLAC, Vorbis, Opus, Ogg FLAC, AIFF and WAV say the same to both",
    arguments: [1, 2])
  func random(seed: Int) throws {
    let folder = try Self.plainFiles()
    let seen = try Mutagen.files(in: folder, seed: seed, rounds: 12)
    #expect(seen.count == 12 * 25)
    for (name, reading) in seen.sorted(by: { $0.key < $1.key }) {
      try compare(folder.at(name), reading)
    }
  }

  @Test("so do the files that the usual encoders tag")
  func encoders() throws {
    let files = try SoundFiles()
    for format in SoundFiles.formats {
      let path = files.tagged(format)
      let reading = try #require(try Mutagen.reading([path.text]).first)
      #expect(reading.value["title"] == ["Süße Töne"] && reading.value["artist"] == ["Artist"], "\(format)")
      try compare(path, reading.value)
    }
  }

  /// One untagged file of each kind, of a fifth of a second.
  private static func plainFiles() throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    let plain = folder.path("plain.wav")
    try Tool.run("sox", "-n", "-r", "44100", "-c", "2", "-b", "16", plain, "synth", "0.2", "sine", "440")
    try Tool.run("lame", "--quiet", "-b", "128", plain, folder.path("plain.mp3"))
    try Tool.run("flac", "-s", "-o", folder.path("plain.flac"), plain)
    try Tool.run("flac", "-s", "--ogg", "-o", folder.path("plain.oga"), plain)
    try Tool.run("oggenc", "-Q", "-o", folder.path("plain.ogg"), plain)
    try Tool.run("opusenc", "--quiet", plain, folder.path("plain.opus"))
    try Tool.run("sox", plain, folder.path("plain.aiff"))
    return folder
  }

  // MARK: The comparison

  private func compare(_ path: FilePath, _ reading: Mutagen.Reading) throws {
    let found = try reader.tags(of: path)
    var expected = Self.tags(reading)
    // A length is computed in several ways; those of MP3 differ by what the encoder adds.
    expected.duration = found.tags.duration
    #expect(found.tags == expected, "\(path.name)")
    let length = try #require(reading["length"]?.first.flatMap(Double.init))
    let duration = try #require(found.tags.duration) / .seconds(1)
    #expect(abs(duration - length) < 0.06, "\(path.name): \(duration) and \(length) s")
    #expect(found.format?.rate == reading["rate"]?.first.flatMap { Int($0) }, "\(path.name)")
    #expect(found.format?.channels == reading["channels"]?.first.flatMap { Int($0) }, "\(path.name)")
    let picture = try reader.picture(of: path)?.bytes
    #expect(found.hasPicture == (reading["picture"] != nil), "\(path.name)")
    #expect(picture.map(Self.hex) == reading["picture"]?.first, "\(path.name)")
  }

  private static func tags(_ reading: Mutagen.Reading) -> MediaTags {
    func text(_ name: String) -> String? { reading[name]?.first }
    func number(_ name: String) -> Int? { text(name).flatMap { Int($0) } }
    func decimal(_ name: String) -> Float? {
      text(name).flatMap { Float($0.hasSuffix(" dB") ? String($0.dropLast(3)) : $0) }
    }
    // Opus has gains of its own, towards a loudness that is 5 dB lower.
    func opusGain(_ name: String) -> Float? { number(name).map { Float($0) / 256 + 5 } }
    var tags = MediaTags()
    (tags.title, tags.album, tags.comment, tags.lyrics) =
      (text("title"), text("album"), text("comment"), text("lyrics"))
    (tags.artist, tags.albumArtist) = (reading["artist"] ?? [], reading["albumArtist"] ?? [])
    (tags.composer, tags.genre) = (reading["composer"] ?? [], reading["genre"] ?? [])
    (tags.track, tags.trackCount) = (number("track"), number("trackCount"))
    (tags.disc, tags.discCount) = (number("disc"), number("discCount"))
    tags.date = text("date").flatMap { MediaDate(text: $0) }
    tags.bpm = text("bpm").flatMap { Double($0) }
    tags.isCompilation = text("compilation") == "1"
    tags.loudness = Loudness(
      trackGain: decimal("trackGain") ?? opusGain("r128Track"), trackPeak: decimal("trackPeak"),
      albumGain: decimal("albumGain") ?? opusGain("r128Album"), albumPeak: decimal("albumPeak"))
    tags.sort = SortNames(
      title: text("sortTitle"), artist: text("sortArtist"), album: text("sortAlbum"),
      albumArtist: text("sortAlbumArtist"), composer: text("sortComposer"))
    return tags
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}
