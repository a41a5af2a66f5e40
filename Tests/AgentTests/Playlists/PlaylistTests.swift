// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import FermataTestKit
import Glibc
import Testing

@Suite("Kept playlists", .serialized, .realTime, .endsAnyway)
struct PlaylistTests {
  @Test("what is saved is on the bus, plays from there, and is active until the queue is edited")
  func activate() async throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    let recorder = try stage.server.record("speakers")
    let client = try await onLoop { @AgentLoop [bus = stage.bus] in try await PlaylistClient(bus) }
    #expect(try await onLoop { try await client.get("PlaylistCount") } == .uint32(0))
    let tones = [try stage.makeShortTone("one.wav"), try stage.makeShortTone("two.wav")]
    #expect(try stage.fermata("playlist", "save", "Road/trip").status == .exited(1), "an empty queue")
    #expect(try stage.fermata("add", tones[0], tones[1]).status == .exited(0))
    #expect(try stage.fermata("playlist", "save", "Road/trip").output == "Saved as playlist 'Road/trip'\n")
    let path = try await onLoop { @AgentLoop in
      try await client.wait(for: "PlaylistCount", .uint32(1))
      let page = try await client.page(0, 10, "Alphabetical")
      #expect(page.map(\.name) == ["Road/trip"])
      return try #require(page.first?.path)
    }
    _ = try stage.fermata("queue", "clear")
    try await onLoop { @AgentLoop in
      #expect(try await client.active() == nil)
      try await client.activate(path)
      #expect(try await client.active() == path)
    }
    try stage.waitForStatus("Playing")
    try await onLoop { @AgentLoop in
      // It is active already, so nothing is told; that none is in between would be wrong.
      client.forget()
      try await client.activate(path)
      #expect(try await client.active() == path && client.changes(of: "ActivePlaylist") == 0)
    }
    try recorder.waitForSound(floor: 0.01)
    #expect(stage.playerctl("metadata", "title") == "one")
    // Going from track to track is no edit.
    stage.playerctl("next")
    #expect(try await onLoop { try await client.active() } == path)
    #expect(try stage.fermata("add", tones[0]).status == .exited(0))
    #expect(try await onLoop { try await client.active() } == nil)
    for _ in 0..<3 { _ = try stage.fermata("queue", "undo") }
    #expect(try stage.fermata("queue", "--json").output.hasPrefix(#"{"entries":[],"length":0"#))
    try await onLoop { client.close() }
    try stage.stop()
  }

  @Test("what plays, files and folders are added to a playlist, which can be taken back")
  func added() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    try stage.folder.makeFolder("album")
    let tones = try ["one.wav", "two.wav", "album/three.wav"].map { try stage.makeShortTone($0) }
    let nothing = try stage.fermata("playlist", "add", "Mix")
    #expect(nothing.status == .exited(1) && nothing.errors.contains("nothing is playing"))
    #expect(try stage.fermata("playlist", "show", "Mix").status == .exited(66), "nothing was written")
    #expect(try stage.fermata("play", tones[0]).status == .exited(0))
    let first = try stage.fermata("playlist", "add", "Mix")
    #expect(first.output == "Added 1 track to playlist 'Mix'\n")
    #expect(
      try stage.fermata("playlist", "add", "Mix", tones[1], stage.folder.path("album")).output
        == "Added 2 tracks to playlist 'Mix'\n")
    let shown = try stage.fermata("playlist", "show", "Mix").output
    #expect(["one", "two", "three", "3 tracks"].allSatisfy { shown.contains($0) })
    let refused = try stage.fermata("playlist", "add", "Mix", stage.folder.path("nothing.wav"))
    #expect(refused.status == .exited(66))
    #expect(try stage.fermata("playlist", "show", "Mix").output == shown)
    #expect(try stage.fermata("playlist", "restore", "Mix").status == .exited(0))
    #expect(try !stage.fermata("playlist", "show", "Mix").output.contains("three"))
    // The queue has nothing of it.
    #expect(try stage.fermata("queue", "--json").output.contains(#""length":1"#))
    try stage.stop()
  }

  @Test("the bus shows what others write into the folder, and takes away what they remove")
  func followed() async throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    let client = try await onLoop { @AgentLoop [bus = stage.bus] in try await PlaylistClient(bus) }
    let lists = ".local/share/fermata/playlists"
    try stage.folder.makeFolder(lists)
    for (name, count) in [("Mix 10", 1), ("Mix 9", 2), ("Abend", 3)] as [(String, UInt32)] {
      try stage.folder.write("\(lists)/\(name).m3u8", "#EXTM3U\n")
      try await onLoop { try await client.wait(for: "PlaylistCount", .uint32(count)) }
    }
    try await onLoop { @AgentLoop () async throws -> Void in
      #expect(try await client.get("Orderings") == ["Alphabetical", "Modified"].wireValue)
      #expect(try await client.page(0, 9, "Alphabetical").map(\.name) == ["Abend", "Mix 9", "Mix 10"])
      #expect(try await client.page(1, 1, "Alphabetical", reversed: true).map(\.name) == ["Mix 9"])
      // Written within one second they are equally new, and then go by their names.
      #expect(try await client.page(0, 9, "Modified").count == 3)
      await #expect(throws: BusError.self) { try await client.page(0, 9, "Played") }
      await #expect(throws: BusError.self) {
        try await client.activate("/org/fermata/Playlist/_2Fetc_2Fpasswd")
      }
    }
    try stage.folder.write("\(lists)/Mix 9.m3u8", "#EXTM3U\n#\n")
    try await onLoop { try await client.waitForChange(of: "Mix 9") }
    rename("\(stage.playlistFolder)/Mix 9.m3u8", "\(stage.playlistFolder)/Neu.m3u8")
    try await onLoop { try await client.waitForChange(of: "Neu") }
    #expect(try stage.fermata("playlist", "delete", "Neu").status == .exited(0))
    try await onLoop { try await client.wait(for: "PlaylistCount", .uint32(2)) }
    rename(stage.playlistFolder, stage.folder.path("elsewhere"))
    try await onLoop { try await client.wait(for: "PlaylistCount", .uint32(0)) }
    try await onLoop { client.close() }
    try stage.stop()
  }

  @Test("there are playlists from the start, and one is played by its name")
  func fromTheStart() async throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    try stage.play(try stage.makeShortTone("one.wav"))
    _ = try stage.fermata("playlist", "save", "..")
    try stage.restartAfterCrash()
    let client = try await onLoop { @AgentLoop [bus = stage.bus] in try await PlaylistClient(bus) }
    #expect(try await onLoop { try await client.page(0, 9, "Alphabetical").map(\.name) } == [".."])
    try await onLoop { client.close() }
    #expect(try stage.fermata("add", "playlist:..").output == "Added 1 track\n")
    #expect(try stage.fermata("play", "playlist:..").status == .exited(0))
    try stage.waitForStatus("Playing")
    _ = try stage.fermata("playlist", "save", "Late Hour")
    let bare = try stage.fermata("play", "Late Hour")
    #expect(bare.status == .exited(66))
    #expect(bare.errors.contains(#"did you mean the playlist "playlist:Late Hour"?"#), "\(bare.errors)")
    #expect(try stage.fermata("playlist", "show", "..").output.contains("one"))
    try stage.stop()
  }

  @Test("a saved queue has the lengths that are known, in each format", arguments: ["m3u8", "pls", "xspf"])
  func lengths(format: String) throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    let tones = [try stage.makeShortTone("one.wav"), try stage.makeShortTone("two.wav")]
    _ = try stage.fermata("add", tones[0], tones[1])
    try stage.wait(for: "queue", "--json") { AgentStage.count(#""duration":30,"#, in: $0) == 2 }
    let path = stage.folder.path("list.\(format)")
    #expect(try stage.fermata("queue", "save", path).status == .exited(0))
    let lines = ["m3u8": "#EXTINF:30,", "pls": "=30\n", "xspf": "<duration>30000</duration>"]
    let text = try stage.contents(of: "list.\(format)")
    #expect(AgentStage.count(lines[format] ?? "?", in: text) == 2, "\(text)")
    #expect(try stage.fermata("queue", "save", "/nowhere/a.\(format)").status == .exited(73))
    try stage.stop()
  }

  @Test("the picture of what plays is named and copied; without one that is refused")
  func art() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    #expect(try stage.fermata("art").status == .exited(1))
    try stage.folder.makeFolder("album")
    try stage.play(try stage.makeShortTone("album/one.wav"))
    let refused = try stage.fermata("art")
    #expect(
      refused.status == .exited(1)
        && refused.errors == "fermata: art: there is no picture; ask for a size to have one drawn\n")
    try stage.folder.makeFolder("other")
    let gif =
      Array("GIF89a".utf8) + [1, 0, 1, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
    try stage.folder.write("other/cover.jpg", "no picture")
    let cover = try stage.folder.write("other/cover.png", gif)
    let tone = try stage.makeShortTone("other/one.wav")
    #expect(try stage.fermata("play", tone).status == .exited(0))
    #expect(try stage.fermata("art").output == "\(cover)\n")
    #expect(try stage.fermata("art", "-o", stage.folder.path("copy.png")).status == .exited(0))
    #expect(try stage.folder.bytes("copy.png") == gif)
    #expect(try stage.fermata("art", "7").errors.contains("the library has no item 7"))
    // A picture is made smaller, never larger.
    #expect(
      try stage.fermata("art", "--size", "64", "-o", stage.folder.path("small.png")).status == .exited(0))
    #expect(try PNGReader(stage.folder.bytes("small.png")).width == 1)
    try stage.stop()
  }
}
