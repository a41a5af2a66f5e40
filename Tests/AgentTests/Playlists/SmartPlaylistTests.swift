// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import BusModel
import FaceModel
import FermataTestKit
import Glibc
import MediaModel
import Testing

@Suite("Smart playlists", .serialized, .realTime, .endsAnyway)
struct SmartPlaylistTests {
  /// Writes a tagged tone of half a minute into the folder of music.
  private func write(_ title: String, _ year: Int, pitch: Double, _ stage: AgentStage) throws {
    let format = AudioFormat(rate: 8_000, channels: 1)
    try stage.folder.makeFolder("Music")
    _ = try ToneFile.flac(
      "Music/\(title).flac", Tone.sine(pitch, frames: 30 * 8_000, format), format,
      flags: ["--tag=TITLE=\(title)", "--tag=DATE=\(year)", "--tag=ARTIST=Ann"], in: stage.folder)
  }

  private func music(_ stage: AgentStage) throws {
    for (index, title) in ["Old", "Middle", "New"].enumerated() {
      try write(title, 1_980 + 10 * index, pitch: 300 + Double(index) * 100, stage)
    }
    #expect(try stage.fermata("library", "add", stage.folder.path("Music"), "--wait").status == .exited(0))
  }

  @Test("one is kept, listed, shown, played by its name and from the desktop, and deleted")
  func life() async throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    let recorder = try stage.server.record("speakers")
    let client = try await onLoop { @AgentLoop [bus = stage.bus] in try await PlaylistClient(bus) }
    try music(stage)
    let saved = try stage.fermata(
      "playlist", "smart", "Late/80s", "year >= 1990", "--sort", "-year,title", "--limit", "5")
    #expect(saved.status == .exited(0) && saved.output == "Saved as playlist 'Late/80s'\n", "\(saved.errors)")
    let list = try stage.fermata("playlist", "--json").output
    #expect(
      list
        == #"{"playlists":[{"name":"Late/80s","count":2,"duration":60,"smart":true,"query":"year >= 1990","sort":["-year","title"],"limit":5}]}"#
        + "\n")
    let shown = try stage.fermata("playlist", "show", "Late/80s").output
    #expect(
      shown.firstRange(of: "New").map { $0.lowerBound } ?? shown.endIndex
        < shown.firstRange(of: "Middle").map { $0.lowerBound } ?? shown.startIndex, "\(shown)")
    #expect(
      try stage.fermata("library", "playlists", "--json").output.contains(#""title":"Late/80s""#))

    #expect(try stage.fermata("play", "playlist:Late/80s").status == .exited(0))
    try stage.waitForStatus("Playing")
    try recorder.waitForSound(floor: 0.01)
    #expect(stage.playerctl("metadata", "title") == "New")
    let path = try await onLoop { @AgentLoop in
      let page = try await client.page(0, 10, "Alphabetical")
      #expect(page.map(\.name) == ["Late/80s"])
      return try #require(page.first?.path)
    }
    _ = try stage.fermata("queue", "clear")
    try await onLoop { @AgentLoop in
      try await client.activate(path)
      #expect(try await client.active() == path)
    }
    try stage.waitForStatus("Playing")
    try await onLoop { try await client.wait(for: "PlaylistCount", .uint32(1)) }
    let deleted = try stage.fermata("playlist", "delete", "Late/80s")
    try await onLoop { try await client.wait(for: "PlaylistCount", .uint32(0)) }
    // What it tells is the command that makes the same list again.
    let told = try #require(deleted.output.split(separator: ": fermata ").dropFirst().first)
    let fermata = try Program.beside("fermata").path
    _ = try Child.run(
      Program(path: "/bin/sh"), ["-c", "'\(fermata)' \(told)"], environment: stage.environment)
    #expect(try stage.fermata("playlist", "--json").output == list)
    #expect(try stage.fermata("playlist", "delete", "Late/80s").status == .exited(0))
    try await onLoop { try await client.wait(for: "PlaylistCount", .uint32(0)) }
    #expect(try stage.fermata("play", "playlist:Late/80s").status == .exited(66))
    try await onLoop { client.close() }
    try stage.stop()
  }

  @Test("its answer follows the library, and the desktop is told; a crash and a lost library leave it")
  func followed() async throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    try music(stage)
    _ = try stage.fermata("playlist", "smart", "Nineties", "year in 1990..1999")
    let client = try await onLoop { @AgentLoop [bus = stage.bus] in try await PlaylistClient(bus) }
    try write("Newer", 1_995, pitch: 777, stage)
    try stage.wait(for: "playlist", "--json") { $0.contains(#""count":2"#) }
    try await onLoop { try await client.waitForChange(of: "Nineties") }
    try await onLoop { client.close() }

    try stage.restartAfterCrash(into: "Stopped")
    #expect(try stage.fermata("playlist", "--json").output.contains(#""name":"Nineties","count":2"#))
    stage.agent.kill()
    for name in ["library.db", "library.db-wal", "library.db-shm"] {
      unlink(stage.folder.path(".local/share/fermata/\(name)"))
    }
    try stage.restartAfterCrash(into: "Stopped")
    try stage.wait(for: "playlist", "--json") { $0.contains(#""name":"Nineties","count":2"#) }
    try stage.stop()
  }

  @Test("its later pages are those of one answer, until the library or the query changes")
  func pages() async throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    try music(stage)
    let caller = try await AgentCaller.connected(to: stage.bus)
    func rest(of playlist: String) async throws -> (titles: [String?], total: Int) {
      let reply = try await onLoop { try await caller.call(.items(ofPlaylist: playlist, from: 2)) }
      let page = try AgentLibrary.items(reply: reply)
      return (page.items.map(\.item.tags.title), page.total)
    }
    func keep(_ words: String...) throws {
      #expect(try stage.fermata(["playlist", "smart", "Mix"] + words).status == .exited(0))
    }
    try keep("year >= 1980", "--sort", "-year")
    for _ in 1...2 {
      let page = try await rest(of: "Mix")
      #expect(page.titles == ["Middle", "Old"] && page.total == 3)
    }
    try keep("year >= 1980", "--sort", "year", "--limit", "2", "--replace")
    var page = try await rest(of: "Mix")
    #expect(page.titles == ["Middle"] && page.total == 2)
    try keep("year >= 1980", "--sort", "year", "--replace")
    page = try await rest(of: "Mix")
    #expect(page.titles == ["Middle", "New"])
    try write("Newer", 1_995, pitch: 777, stage)
    try stage.wait(for: "playlist", "--json") { $0.contains(#""count":4"#) }
    page = try await rest(of: "Mix")
    #expect(page.titles == ["Middle", "Newer", "New"] || page.titles == ["Middle", "New", "Newer"])
    try await onLoop { caller.leave() }
    try stage.stop()
  }

  @Test("a name means one playlist, and a wrong question is refused at its place")
  func refused() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    try music(stage)
    let wrong = try stage.fermata("playlist", "smart", "X", "year >> 1990")
    #expect(wrong.status == .exited(64) && wrong.errors.contains("at character 7"), "\(wrong.errors)")
    #expect(
      try stage.fermata("playlist", "smart", "X", "year > 1990", "--sort", "colour").status == .exited(64))
    #expect(try stage.fermata("playlist", "smart", "", "year > 1990").status == .exited(64))
    _ = try stage.fermata("playlist", "smart", "Mix", "year > 1900")
    let again = try stage.fermata("playlist", "smart", "Mix", "year > 1990")
    #expect(again.status == .exited(1) && again.errors.contains("--replace"), "\(again.errors)")
    #expect(try stage.fermata("playlist", "smart", "Mix", "year > 1990", "--replace").status == .exited(0))
    // It keeps its question under another name, and has no rows of its own.
    #expect(try stage.fermata("playlist", "rename", "Mix", "Blend").status == .exited(0))
    #expect(try stage.fermata("playlist", "show", "Blend").output.contains("smart Blend \"year > 1990\""))
    #expect(try stage.fermata("playlist", "show", "Mix").status == .exited(66))
    #expect(try stage.fermata("playlist", "remove", "Blend", "1").errors.contains("smart --replace"))
    #expect(try stage.fermata("playlist", "rename", "Blend", "Mix").status == .exited(0))
    _ = try stage.fermata("add", "playlist:Mix")
    let plain = try stage.fermata("playlist", "save", "Mix")
    #expect(plain.status == .exited(1) && plain.errors.contains("a smart playlist has that name"))
    _ = try stage.fermata("playlist", "save", "Plain")
    let taken = try stage.fermata("playlist", "smart", "Plain", "year > 1990")
    #expect(taken.status == .exited(1) && taken.errors.contains("Plain.m3u8"), "\(taken.errors)")

    // Somebody gives a file the name of a smart one behind our back.
    try stage.folder.write(".local/share/fermata/playlists/Mix.m3u8", "#EXTM3U\n/nowhere.flac\n")
    for words in [["play", "playlist:Mix"], ["playlist", "show", "Mix"], ["playlist", "delete", "Mix"]] {
      let child = try Child(.beside("fermata"), words, environment: stage.environment)
      #expect(child.exit(until: .patient) == .exited(1))
      #expect(child.standardError.contains("both have that name"), "\(child.standardError)")
    }
    #expect(try stage.fermata("play", "playlist:Nobody", "playlist:Plain").errors.contains("Nobody"))
    #expect(try stage.fermata("play", "playlist:Nobody").status == .exited(66))
    _ = try stage.fermata("playlist", "smart", "Empty", "year > 3000")
    #expect(try stage.fermata("play", "playlist:Empty").status == .exited(65))
    let grouped = try stage.fermata("library", "playlists", "--json").output
    #expect(grouped.contains(#""title":"Plain""#) && grouped.contains(#""title":"Empty""#), "\(grouped)")
    try stage.stop()
  }

  @Test(
    "a plain one is counted with the files that are meant, however another player has written their names")
  func writtenElsewhere() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    try music(stage)
    let names = ["Music/Ol%64.flac", "Music\\Middle.flac", "Music/../Music/New.flac"]
    let lines = names.map { stage.folder.path($0) + "\n" }.joined()
    try stage.folder.makeFolder(".local/share/fermata/playlists")
    try stage.folder.write(".local/share/fermata/playlists/Far.m3u8", "#EXTM3U\n" + lines)
    let grouped = try stage.fermata("library", "playlists", "--json").output
    #expect(grouped.contains(#""title":"Far","section":"F","count":3"#), "\(grouped)")
    try stage.stop()
  }
}
