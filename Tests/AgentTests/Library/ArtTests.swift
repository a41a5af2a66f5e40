// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import MediaModel
import PictureModel
import Testing

@Suite("Pictures at an asked size", .serialized, .realTime, .endsAnyway)
struct ArtTests {
  @Test(
    "of a library item, a row and the current track; one is drawn where there is none; hostile ones cost nothing"
  )
  func sizes() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    let format = AudioFormat(rate: 8_000, channels: 1)
    let cover = try stage.folder.write("cover.png", Placeholder(of: "cover").png(edge: 300).bytes)
    for folder in ["Music/in", "Music/beside", "Music/none", "Music/bomb"] {
      try stage.folder.makeFolder(folder)
    }
    func write(_ name: String, _ pitch: Double, _ flags: [String]) throws {
      _ = try ToneFile.flac(
        "Music/\(name).flac", Tone.sine(pitch, frames: 40_000, format), format, flags: flags, in: stage.folder
      )
    }
    try write("in/in", 300, ["--tag=TITLE=in", "--picture=3|image/png||300x300x24|\(cover)"])
    try write("beside/beside", 400, ["--tag=TITLE=beside"])
    try write("none/none", 500, ["--tag=TITLE=none", "--tag=ALBUM=Drawn"])
    try write("bomb/bomb", 600, ["--tag=TITLE=bomb", "--tag=ALBUM=Bomb"])
    try stage.folder.write("Music/beside/cover.png", Placeholder(of: "beside").png(edge: 200).bytes)
    var bomb = Placeholder(of: "bomb").png(edge: 8).bytes
    bomb.replaceSubrange(16..<24, with: [0, 0, 0x40, 0, 0, 0, 0x40, 0])
    try stage.folder.write("Music/bomb/cover.png", bomb)
    #expect(try stage.fermata("library", "add", stage.folder.path("Music"), "--wait").status == .exited(0))

    for (title, edge, name) in [
      ("in", 64, "cover"), ("beside", 64, "beside"), ("none", 64, nil), ("bomb", 64, nil),
    ]
      as [(String, Int, String?)]
    {
      let id = try stage.fermata("library", "query", "title == \"\(title)\"", "--ids").output.dropLast()
      let run = try stage.fermata(
        "art", String(id), "--size", "\(edge)", "-o", stage.folder.path("\(title).png"))
      #expect(run.status == .exited(0), "\(run.errors)")
      let made = try PNGReader(stage.folder.bytes("\(title).png"))
      #expect(made.width == edge && made.height == edge)
      let drawn = Placeholder(of: name ?? (title == "none" ? "Drawn" : "Bomb")).png(edge: edge)
      for (one, other) in zip(made.mean, try PNGReader(drawn.bytes).mean) { #expect(abs(one - other) < 4) }
      // The second time nothing is decoded.
      let again = try stage.fermata("art", String(id), "--size", "\(edge)").output
      #expect(try stage.fermata("art", String(id), "--size", "\(edge)").output == again)
    }
    let id = try stage.fermata("library", "query", "title == \"in\"", "--ids").output.dropLast()
    let shown = try stage.fermata("library", "show", String(id), "--json").output
    #expect(shown.contains(#""cloud":false"#) && shown.contains(#""artUrl":"file://"#), "\(shown)")
    #expect(try stage.fermata("art", "999", "--size", "10").status == .exited(1))
    _ = try stage.fermata("add", stage.folder.path("Music/beside"), stage.folder.path("Music/none"))
    let row = try stage.fermata("art", "--row", "2", "--size", "32", "-o", stage.folder.path("row.png"))
    #expect(row.status == .exited(0), "\(row.errors)")
    #expect(try PNGReader(stage.folder.bytes("row.png")).width == 32)
    #expect(try stage.fermata("art", "--row", "9").status == .exited(1))
    try stage.stop()
  }
  @Test("where the picture in a file is none, the next one in it counts, and then one that lies beside it")
  func broken() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    let format = AudioFormat(rate: 8_000, channels: 1)
    let text = try stage.folder.write("text.png", "this is no picture")
    let inner = try stage.folder.write("inner.png", Placeholder(of: "inner").png(edge: 90).bytes)
    try stage.folder.makeFolder("one")
    try stage.folder.write("one/cover.png", Placeholder(of: "beside").png(edge: 200).bytes)
    func write(_ name: String, _ pictures: [String]) throws -> String {
      let flags = pictures.map { "--picture=3|image/png||300x300x24|\($0)" }
      let tone = Tone.sine(400, frames: 40_000, format)
      return try ToneFile.flac(name, tone, format, flags: ["--tag=TITLE=T"] + flags, in: stage.folder)
    }
    for (file, name) in [
      (try write("one/text.flac", [text]), "beside"), (try write("one/both.flac", [text, inner]), "inner"),
    ] {
      _ = try stage.fermata("play", file)
      let means = try [["--size", "64"], []].map { size in
        let target = stage.folder.path("art.png")
        let run = try stage.fermata(["art"] + size + ["-o", target])
        #expect(run.status == .exited(0), "\(name): \(run.errors)")
        return try PNGReader(stage.folder.bytes("art.png")).mean
      }
      let meant = try PNGReader(Placeholder(of: name).png(edge: 64).bytes).mean
      for mean in means { for (one, other) in zip(mean, meant) { #expect(abs(one - other) < 4, "\(name)") } }
    }
    try stage.stop()
  }
}
