// SPDX-License-Identifier: MIT
import FermataTestKit
import Testing

@Suite("What tags are called", .serialized, .realTime, .endsAnyway)
struct TagsCharsetTests {
  /// A WAV file without sound, with these bytes for its title in ID3.
  private func wave(title: [UInt8]) -> [UInt8] {
    func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
      Array(name.utf8) + [UInt8(data.count), 0, 0, 0] + data + (data.count % 2 == 0 ? [] : [0])
    }
    let frame = Array("TIT2".utf8) + [0, 0, 0, UInt8(title.count + 1), 0, 0, 0] + title
    let tag = Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
    let layout: [UInt8] = [1, 0, 1, 0, 0x44, 0xac, 0, 0, 0x88, 0x58, 1, 0, 2, 0, 16, 0]
    let body = Array("WAVE".utf8) + chunk("fmt ", layout) + chunk("data", [0, 0]) + chunk("id3 ", tag)
    return Array("RIFF".utf8) + [UInt8(body.count), 0, 0, 0] + body
  }

  @Test("titles in an old character set are read once it is chosen, those that are shown too")
  func charset() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    let path = stage.folder.path("a.wav")
    try stage.folder.write("a.wav", wave(title: [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]))
    _ = try stage.fermata("add", path)
    try stage.wait(for: "queue", "--json") { $0.contains("Ïðèâåò") }
    #expect(try stage.fermata("settings", "set", "tags-charset", "windows-1251").status == .exited(0))
    try stage.wait(for: "queue", "--json") { $0.contains("Привет") }
    #expect(try stage.fermata("settings", "set", "tags-charset", "klingon").status != .exited(0))
    try stage.stop()
  }

  @Test(
    "the library reads its files again once another character set is chosen, and they stay the same items")
  func library() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    try stage.folder.makeFolder("Music")
    try stage.folder.write("Music/a.wav", wave(title: [0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]))
    #expect(
      try stage.fermata("library", "add", stage.folder.path("Music"), "--wait").status == .exited(0))
    #expect(try stage.fermata("library", "list", "--json").output.contains("Ïðèâåò"))
    let id = String(try stage.fermata("library", "list", "--ids").output.dropLast())
    _ = try stage.fermata("library", "rate", id, "4")
    #expect(try stage.fermata("settings", "set", "tags-charset", "windows-1251").status == .exited(0))
    try stage.wait(for: "library", "list", "--json") { $0.contains("Привет") }
    #expect(try stage.fermata("library", "query", "rating == 4", "--ids").output == "\(id)\n")
    try stage.stop()
  }

  @Test("a track that is a whole file has the sheet's words where it has none of its own")
  func sheet() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    for name in ["1. One.wav", "2. Two.wav"] { try stage.folder.write(name, wave(title: [])) }
    let tracks = ["1. One", "2. Two"].enumerated().map { number, name in
      "FILE \"\(name)\" WAVE\nTRACK 0\(number + 1) AUDIO\nTITLE \"T\(number + 1)\"\nINDEX 01 00:00:00\n"
    }
    let sheet = stage.folder.path("l.cue")
    try stage.folder.write("l.cue", Array(("PERFORMER \"Band\"\nTITLE \"Disc\"\n" + tracks.joined()).utf8))
    _ = try stage.fermata("add", sheet)
    try stage.wait(for: "queue", "--json") { rows in
      [#""title":"T1""#, #""title":"T2""#, #""track":2"#].allSatisfy(rows.contains)
        && AgentStage.count(#""artist":["Band"],"album":"Disc""#, in: rows) == 2
    }
    try stage.stop()
  }
}
