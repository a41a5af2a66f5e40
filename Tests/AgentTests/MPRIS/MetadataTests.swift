// SPDX-License-Identifier: MIT
import AudioModel
import BusModel
import FaceModel
import FermataTestKit
import MediaModel
import Testing

@Suite("MPRIS's metadata", .serialized, .realTime, .endsAnyway, .sharedStage)
struct MetadataTests {
  /// What both files are tagged with, as MPRIS tells it.
  private static let shared: [String: WireValue] = [
    "mpris:length": .int64(2_000_000), "xesam:title": .string("Ein \u{1b}[31m Títul"),
    "xesam:album": .string("An Album"), "xesam:genre": .array(.string, [.string("Rock")]),
    "xesam:trackNumber": .int32(3), "xesam:contentCreated": .string("1997"),
    "xesam:comment": .array(.string, [.string("No comment")]),
  ]

  static let flac = shared.merging([
    "xesam:artist": ["One", "Two"].wireValue, "xesam:albumArtist": ["Various"].wireValue,
    "xesam:composer": ["Bach", "Gounod"].wireValue, "xesam:genre": ["Rock", "Folk"].wireValue,
    "xesam:discNumber": .int32(2), "xesam:contentCreated": .string("1997-05-02"),
    "xesam:audioBPM": .int32(128),
    "xesam:asText": .string("la la\nla"),
  ]) { $1 }

  static let mp3 = shared.merging([
    "xesam:title": .string("Ein \u{1b}[31m Titul"),
    "xesam:artist": ["One"].wireValue, "xesam:albumArtist": ["Various"].wireValue,
    "xesam:composer": ["Bach"].wireValue, "xesam:discNumber": .int32(2), "xesam:audioBPM": .int32(128),
  ]) { $1 }

  private static func writeFLAC(_ folder: TemporaryDirectory) throws -> String {
    let tags = [
      "TITLE=Ein \u{1b}[31m Títul", "ARTIST=One", "ARTIST=Two", "ALBUM=An Album", "ALBUMARTIST=Various",
      "COMPOSER=Bach", "COMPOSER=Gounod", "GENRE=Rock", "GENRE=Folk", "TRACKNUMBER=3", "TRACKTOTAL=9",
      "DISCNUMBER=2",
      "DATE=1997-05-02", "BPM=128", "COMMENT=No comment", "LYRICS=la la\nla",
    ]
    return try ToneFile.flac(
      "whole.flac", Tune.samples(seconds: 2), Tune.format,
      flags: ["--no-utf8-convert"] + tags.map { "-T\($0)" }, in: folder)
  }

  private static func writeMP3(_ folder: TemporaryDirectory) throws -> String {
    try ToneFile.mp3(
      "whole.mp3", [Float](repeating: 0.25, count: 88_200), AudioFormat(rate: 44_100, channels: 1),
      flags: [
        "--id3v2-latin1", "--tt", "Ein \u{1b}[31m Titul", "--ta", "One", "--tl", "An Album", "--tg", "Rock",
        "--tn", "3/9",
        "--ty", "1997", "--tc", "No comment", "--tv", "TPE2=Various", "--tv", "TCOM=Bach", "--tv", "TPOS=2/2",
        "--tv",
        "TBPM=128",
      ], in: folder)
  }

  /// Opens a file, and answers its metadata once they are whole.
  private func metadata(of uri: String, _ stage: MPRISStage) throws -> [String: WireValue] {
    try stage.client.player("OpenUri", .string(uri))
    try stage.client.player("Pause")
    return try stage.client.metadata()
  }

  @Test("a tagged FLAC is told whole, each value of its type", arguments: flac.keys.sorted())
  func taggedFLAC(key: String) throws {
    let (stage, _, _) = try mprisStage(.empty)
    let path = try Self.writeFLAC(stage.stage.folder)
    #expect(try metadata(of: try Tune.uri(path), stage)[key] == Self.flac[key])
  }

  @Test("a tagged MP3 is told whole, each value of its type", arguments: mp3.keys.sorted())
  func taggedMP3(key: String) throws {
    let (stage, _, _) = try mprisStage(.empty)
    let path = try Self.writeMP3(stage.stage.folder)
    let found = try metadata(of: try Tune.uri(path), stage)[key]
    #expect(found == Self.mp3[key], "\(String(describing: found))")
  }

  @Test("what is not known is left out")
  func untagged() throws {
    let (stage, _, _) = try mprisStage(.empty)
    let path = try ToneFile.wav("plain.wav", Tune.samples(seconds: 2), Tune.format, in: stage.stage.folder)
    let found = try metadata(of: try Tune.uri(path), stage)
    #expect(Set(found.keys) == ["mpris:trackid", "mpris:length", "xesam:title", "xesam:url"])
    #expect(found["xesam:title"] == .string("plain"))
  }

  struct Name: Sendable, CustomTestStringConvertible {
    let name: String
    let encoded: String
    let title: String
    var testDescription: String { encoded }
  }

  static let names = [
    Name(name: "a b.wav", encoded: "a%20b.wav", title: "a b"),
    Name(name: "50%.wav", encoded: "50%25.wav", title: "50%"),
    Name(name: "#1?.wav", encoded: "%231%3F.wav", title: "#1?"),
    Name(name: "é漢.wav", encoded: "%C3%A9%E6%BC%A2.wav", title: "é漢"),
    Name(name: "a;b&c=d.wav", encoded: "", title: "a;b&c=d"),
    Name(name: "'\"<>`.wav", encoded: "", title: "'\"<>`"),
    Name(name: "new\nline.wav", encoded: "new%0Aline.wav", title: ""),
    Name(name: "\u{1b}[2J.wav", encoded: "%1B%5B2J.wav", title: ""),
    Name(name: ".hidden.wav", encoded: ".hidden.wav", title: ".hidden"),
  ]

  @Test("a file of any name is told by a URI of plain characters that leads back to it", arguments: names)
  func url(name: Name) throws {
    let (stage, _, _) = try mprisStage(.empty)
    let path = try ToneFile.wav(name.name, Tune.samples(seconds: 2), Tune.format, in: stage.stage.folder)
    let found = try metadata(of: try Tune.uri(path), stage)
    let url = try #require(found["xesam:url"].flatMap { String(wire: $0) })
    #expect(url.hasPrefix("file:///") && url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f })
    if !name.encoded.isEmpty { #expect(url.hasSuffix("/" + name.encoded)) }
    #expect(try FilePath(uri: url).exactText == path)
    if !name.title.isEmpty { #expect(found["xesam:title"] == .string(name.title)) }
    #expect(found["xesam:title"].flatMap { String(wire: $0) }?.isEmpty == false)
  }

  @Test("a name that is no text is played, and told by its bytes")
  func bytes() throws {
    let (stage, _, _) = try mprisStage(.empty)
    let plain = try ToneFile.wav("latin.wav", Tune.samples(seconds: 2), Tune.format, in: stage.stage.folder)
    let path = try stage.stage.folder.file(named: [0xE9] + Array(".wav".utf8), contents(of: plain))
    let error = stage.client.error { try stage.client.player("OpenUri", .string(path.uri)) }
    // Played or refused by name, never half.
    if error == nil {
      #expect(try stage.client.metadata()["xesam:url"] == .string(path.uri))
    } else {
      #expect(error == AgentError.nothingPlayable.name)
    }
  }

  @Test(
    "a picture beside the file is told by a URI; without one nothing is",
    arguments: ["cover.png", "folder.jpg", nil])
  func art(name: String?) throws {
    let (stage, _, _) = try mprisStage(.empty)
    let folder = "art \(name ?? "none")"
    try stage.stage.folder.makeFolder(folder)
    if let name { try stage.stage.folder.write("\(folder)/\(name)", Self.picture(name)) }
    let path = try ToneFile.wav(
      "\(folder)/a.wav", Tune.samples(seconds: 2), Tune.format, in: stage.stage.folder)
    let found = try metadata(of: try Tune.uri(path), stage)["mpris:artUrl"]
    guard let name else { return #expect(found == nil) }
    #expect(found == .string(try Tune.uri(stage.stage.folder.path("\(folder)/\(name)"))))
  }

  @Test("a picture in the file is told by a URI of a file that is there")
  func embedded() throws {
    let (stage, _, _) = try mprisStage(.empty)
    let picture = try stage.stage.folder.write("embedded.png", Self.picture("a.png"))
    let path = try ToneFile.flac(
      "embedded.flac", Tune.samples(seconds: 2), Tune.format,
      flags: ["--picture=3|image/png||1x1x24|\(picture)"],
      in: stage.stage.folder)
    let found = try metadata(of: try Tune.uri(path), stage)["mpris:artUrl"]
    let uri = try #require(found.flatMap { String(wire: $0) })
    let file = try #require(try FilePath(uri: uri).exactText)
    #expect(file.hasPrefix(stage.stage.folder.path("")))
    #expect(FileStatus(file)?.isOpenToOthers == false)
  }

  private static func picture(_ name: String) -> [UInt8] {
    if name.hasSuffix(".jpg") {
      return [
        0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0,
      ]
        + Array(repeating: 0, count: 60) + [0xFF, 0xD9]
    }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0, 0x90, 0x77, 0x53, 0xDE, 0, 0, 0, 12] + Array("IDAT".utf8)
      + [0x08, 0xD7, 0x63, 0xF8, 0xCF, 0xC0, 0, 0, 3, 1, 1, 0, 0x18, 0xDD, 0x8D, 0xB0, 0, 0, 0, 0]
      + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]
  }
}
