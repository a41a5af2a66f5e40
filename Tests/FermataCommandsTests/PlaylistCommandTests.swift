// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import FaceModel
import FermataTestKit
import Glibc
import Testing

@testable import FermataCommands

/// Kept playlists and pictures on the command line. What needs no agent has none.
@Suite("Commands of playlists and pictures", .serialized)
struct PlaylistCommandTests {
  private let folder: TemporaryDirectory
  private let environment: [String: String]

  init() throws {
    folder = try TemporaryDirectory()
    environment = ["XDG_DATA_HOME": folder.path, "HOME": folder.path, "TZ": "UTC"]
  }

  private func run(_ words: [String], _ more: [String: String] = [:]) throws -> (
    status: FermataTestKit.ExitStatus?, output: String, errors: String
  ) {
    let child = try Child(
      .beside("fermata"), words, environment: more.merging(environment) { _, own in own })
    let status = child.exit(until: .patient)
    return (status, child.standardOutput, child.standardError)
  }

  private func makePlaylists() throws {
    try folder.makeFolder("fermata/playlists")
    try folder.write(
      "fermata/playlists/Mix 9.m3u8", "#EXTM3U\n#EXTART:Nina\n#EXTINF:61,Sea\u{1B}\n/m/a.mp3\n/m/b.mp3\n")
    try folder.write("fermata/playlists/AC%2FDC.m3u8", "#EXTM3U\n")
    try folder.write("fermata/playlists/Mix 10.m3u8", "#EXTM3U\n")
    for name in ["Mix 9", "AC%2FDC", "Mix 10"] {
      let times = [timespec(tv_sec: 1_000_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000_000, tv_nsec: 0)]
      utimensat(AT_FDCWD, folder.path("fermata/playlists/\(name).m3u8"), times, 0)
    }
  }

  @Test("they are listed in the order of their names, for people and for programs")
  func list() throws {
    #expect(try run(["playlist"]).output.hasPrefix("There is no playlist."))
    #expect(try run(["playlist", "--json"]).output == "{\"playlists\":[]}\n")
    try makePlaylists()
    #expect(
      try run(["playlist"]).output
        == "AC/DC   0 tracks                2001-09-09\nMix 9   2 tracks  1:01 or more  2001-09-09\nMix 10  0 tracks                2001-09-09\n"
    )
    let json = try run(["playlist", "list", "--json"]).output
    #expect(
      json.hasPrefix(
        #"{"playlists":[{"name":"AC/DC","count":0,"duration":0,"smart":false,"url":"file://\#(folder.path)/fermata/playlists/AC%252FDC.m3u8","modified":"2001-09-09T01:46:40.000Z"}"#
      ), "\(json)")
  }

  @Test("one is called otherwise, in the format that it has, and never in the place of another one")
  func renamed() throws {
    try makePlaylists()
    try folder.write("fermata/playlists/old.pls", "[playlist]\nFile1=/m/a.mp3\n")
    #expect(
      try run(["playlist", "rename", "--", "Mix 9", "-a/b"]).output
        == "Playlist 'Mix 9' is called '-a/b' now\n")
    #expect(try run(["playlist", "rename", "old", "New"]).status == .exited(0))
    #expect(
      folder.names(in: "fermata/playlists").sorted() == [
        "-a%2Fb.m3u8", "AC%2FDC.m3u8", "Mix 10.m3u8", "New.pls",
      ])
    #expect(try run(["playlist", "show", "--", "-a/b"]).output.contains("2 tracks"))
    for (words, status) in [
      (["New", "Mix 10"], 1), (["New", "New"], 1), (["Mix 9", "Other"], 66), (["New", ""], 64),
      (["New", String(repeating: "x", count: 251)], 64), (["New", String(repeating: "x", count: 252)], 64),
    ] {
      let run = try run(["playlist", "rename"] + words)
      #expect(run.status == .exited(Int32(status)) && !run.errors.isEmpty, "\(words): \(run.errors)")
    }
    #expect(folder.names(in: "fermata/playlists").count == 4)
  }

  @Test("rows are taken out of one, and come back")
  func removed() throws {
    try folder.makeFolder("fermata/playlists")
    let lines = (1...7).map { "#EXTINF:6\($0),Title \($0)\n/m/\($0).mp3\n" }.joined()
    let (head, note) = ("#EXTM3U\n#PLAYLIST:Mix\n", "# not on Sundays\n#EXTIMG:6.png\n")
    let rows = lines.replacing("/m/5.mp3\n", with: "/m/5.mp3\n" + note).replacing(
      "#EXTINF:61", with: "\r\n#EXTINF:61")
    let file = try folder.write("fermata/playlists/Mix.m3u8", head + rows)
    func titles() throws -> String {
      let text = try run(["playlist", "show", "Mix"]).output
      return (1...7).filter { text.contains("Title \($0)") }.map(String.init).joined()
    }
    #expect(
      try run(["playlist", "remove", "Mix", "2", "4-6", "5"]).output
        == "Removed 4 tracks; 'fermata playlist restore Mix' takes it back\n")
    #expect(try titles() == "137")
    #expect(TextFile.read(file)?.contains("# not on Sundays\n") == true)
    #expect(
      TextFile.read(file)?.contains("6.png") == false && TextFile.read(file)?.hasPrefix(head + "\r\n") == true
    )
    // What can be restored goes with it to another name.
    #expect(try run(["playlist", "rename", "Mix", "Max"]).status == .exited(0))
    #expect(try run(["playlist", "restore", "Mix"]).status == .exited(66))
    #expect(try run(["playlist", "rename", "Max", "Mix"]).status == .exited(0))
    #expect(try run(["playlist", "restore", "Mix"]).status == .exited(0))
    #expect(try titles() == "1234567")
    for (words, status, reason) in [
      (["Mix", "8"], 1, "has 7 rows"), (["Mix", "1-7"], 1, "playlist delete"), (["Mix", "0"], 64, "row"),
      (["Mix"], 64, "N"), (["Mox", "1"], 66, "did you mean 'Mix'?"),
    ] {
      let run = try run(["playlist", "remove"] + words)
      #expect(run.status == .exited(Int32(status)) && run.errors.contains(reason), "\(words): \(run.errors)")
    }
    // What cannot be read would not be written.
    try folder.write(
      "fermata/playlists/Bad.xspf", "<playlist><trackList><track><location>/m/a.mp3</location>")
    let bad = try run(["playlist", "remove", "Bad", "1"])
    #expect(bad.status != .exited(0) && folder.names(in: "fermata/playlists").contains("Bad.xspf"))
    #expect(try titles() == "1234567")
  }

  @Test("a player in this process says that smart playlists are the agent's, where there may be any")
  func here() throws {
    try makePlaylists()
    let words = ["play", "--here", "playlist:Best"]
    let plain = try run(words)
    #expect(plain.status == .exited(66) && plain.errors.contains("there is none of that name"), "\(plain)")
    try folder.write("fermata/listening.db", "")
    let smart = try run(words)
    #expect(smart.status == .exited(66))
    #expect(
      smart.errors
        == "fermata: playlist 'Best': there is no file of that name; a smart playlist plays only through the agent; leave out --here\n"
    )
  }

  @Test("one is shown as the queue is, safely")
  func show() throws {
    try makePlaylists()
    let shown = try run(["playlist", "show", "Mix 9"])
    #expect(
      shown.status == .exited(0) && shown.output.contains("Sea\\u{1B}") && shown.output.contains("1:01"))
    let json = try run(["playlist", "show", "Mix 9", "--json"]).output
    #expect(json.contains(#""artist":["Nina"]"#) && json.contains(#""length":2}"#), "\(json)")
    #expect(try run(["playlist", "show", "AC/DC"]).output == "The playlist is empty.\n")
  }

  @Test("one that came from another system names the files that it plays")
  func foreign() throws {
    try folder.makeFolder("fermata/playlists")
    try folder.makeFolder("m")
    for name in ["Bj\u{F6}rk.mp3", "a b.mp3"] { try folder.write("m/\(name)", "") }
    let place = Array(folder.path.utf8)
    try folder.write(
      "fermata/playlists/Old.m3u",
      place + Array("/m/Bj".utf8) + [0xF6] + Array("rk.mp3\n".utf8) + place + Array("\\m\\a%20b.mp3\n".utf8))
    let json = try run(["playlist", "show", "Old", "--json"]).output
    for file in ["Bj%C3%B6rk.mp3", "a%20b.mp3"] {
      #expect(json.contains(#""url":"file://\#(folder.path)/m/\#(file)""#), "\(json)")
    }
  }

  @Test("one is deleted, and one that is not there is not, with what may be meant")
  func delete() throws {
    try makePlaylists()
    for words in [
      ["playlist", "delete", "Mix 8"], ["playlist", "show", "Mix 8"], ["add", "playlist:Mix 8"],
    ] {
      let refused = try run(words)
      #expect(refused.status == .exited(66))
      #expect(
        refused.errors
          == "fermata: playlist 'Mix 8': there is none of that name; did you mean 'Mix 9'? 'fermata playlist' lists them\n"
      )
    }
    let before = try run(["playlist", "show", "AC/DC"])
    let deleted = try run(["playlist", "delete", "AC/DC"])
    #expect(deleted.status == .exited(0))
    #expect(deleted.output == "Deleted; 'fermata playlist restore AC/DC' brings it back\n")
    let restored = try run(["playlist", "restore", "AC/DC"])
    #expect(restored.status == .exited(0) && restored.output == "Playlist 'AC/DC' is back\n")
    #expect(try run(["playlist", "show", "AC/DC"]).output == before.output)
    #expect(try run(["playlist", "restore", "AC/DC"]).status == .exited(66))
    #expect(try run(["playlist", "delete", "AC/DC"]).status == .exited(0))
    #expect(
      try run(["playlist"]).output
        == "Mix 9   2 tracks  1:01 or more  2001-09-09\nMix 10  0 tracks                2001-09-09\n")
  }

  @Test("the queue is saved under any name, by the agent; play and add take it by that name")
  func save() async throws {
    let agent = try await onLoop { try await FakeAgent() }
    let saved = try run(["playlist", "save", "../AC/DC"], agent.bus.environment)
    #expect(saved.status == .exited(0) && saved.output == "Saved as playlist '../AC/DC'\n")
    let file = "fermata/playlists/%2E.%2FAC%2FDC.m3u8"
    #expect(folder.status("fermata/playlists")?.permissions == 0o700)
    try folder.write(file, "#EXTM3U\n")
    #expect(try run(["add", "playlist:../AC/DC"], agent.bus.environment).status == .exited(0))
    #expect(try run(["queue", "save", "/m/a b.xspf"], agent.bus.environment).status == .exited(0))
    let uri = "file://\(folder.path)/fermata/playlists/%252E.%252FAC%252FDC.m3u8"
    let calls = try await onLoop { agent.calls }
    #expect(calls.map(\.member) == ["Save", "Append", "Save"])
    #expect(
      calls.map(\.arguments) == [
        [.string(uri), .properties([])], [[uri].wireValue],
        [.string("file:///m/a%20b.xspf"), .properties([])],
      ])
    for words in [["playlist", "save", ""], ["queue", "save", "list.txt"], ["queue", "save", ""]] {
      #expect(try run(words, agent.bus.environment).status == .exited(64))
    }
  }

  @Test("sources are added to a playlist by the agent; without one it is what plays")
  func add() async throws {
    let agent = try await onLoop { try await FakeAgent() }
    try makePlaylists()
    let song = try folder.write("song.flac", "")
    #expect(try run(["playlist", "add", "Mix 9"], agent.bus.environment).status == .exited(0))
    #expect(try run(["playlist", "add", "New", song], agent.bus.environment).status == .exited(0))
    let calls = try await onLoop { agent.calls }
    #expect(calls.map(\.member) == ["AddCurrentToFile", "AddToFile"])
    let lists = "file://\(folder.path)/fermata/playlists"
    #expect(
      calls.map(\.arguments) == [
        [.string("\(lists)/Mix%209.m3u8")],
        [.string("\(lists)/New.m3u8"), ["file://\(song)"].wireValue],
      ])
    let missing = try run(["playlist", "add", "New", "/nowhere.flac"], agent.bus.environment)
    #expect(missing.status == .exited(66))
    #expect(try run(["playlist", "add"], agent.bus.environment).status == .exited(64))
    #expect(
      try run(["playlist", "add", "New", song, "--album", "A"], agent.bus.environment).status == .exited(64))
  }

  @Test("what is there is not saved over unless that was said")
  func replacing() async throws {
    let agent = try await onLoop { try await FakeAgent() }
    try makePlaylists()
    let list = try folder.write("list.m3u", "mine")
    for (words, name) in [
      (["playlist", "save", "Mix 9"], "playlist 'Mix 9'"), (["queue", "save", list], "'\(list)'"),
    ] {
      let refused = try run(words, agent.bus.environment)
      #expect(refused.status == .exited(1))
      #expect(
        refused.errors
          == "fermata: \(name): is there already; write over it with '--replace', or choose another name\n")
      #expect(try run(words + ["--replace"], agent.bus.environment).status == .exited(0))
    }
    let calls = try await onLoop { agent.calls }
    #expect(
      calls.map { $0.arguments.last }
        == [WireValue](repeating: .properties([("replace", .boolean(true))]), count: 2))
  }

  @Test("a picture is copied onto no name of its own, and what it replaces is replaced whole")
  func artOntoItself() async throws {
    let agent = try await onLoop { @AgentLoop in
      let agent = try await FakeAgent()
      agent.artURL = "file://\(folder.path)/cover.jpg"
      return agent
    }
    try folder.write("cover.jpg", "picture")
    try folder.link("soft.jpg", to: "cover.jpg")
    #expect(link(folder.path("cover.jpg"), folder.path("hard.jpg")) == 0)
    for name in ["cover.jpg", "soft.jpg", "hard.jpg", "./x/../cover.jpg"] {
      try folder.makeFolder("x")
      #expect(try run(["art", "-o", folder.path(name)], agent.bus.environment).status == .exited(0))
      #expect(try folder.text("cover.jpg") == "picture", "\(name)")
    }
    #expect(FileStatus(folder.path("soft.jpg")).map { $0.mode & S_IFMT } == S_IFLNK)
    try folder.write("old.jpg", "something longer than the picture")
    chmod(folder.path("old.jpg"), 0o640)
    try folder.link("dangling.jpg", to: "far/new.jpg")
    try folder.makeFolder("far")
    for name in ["old.jpg", "dangling.jpg"] {
      #expect(try run(["art", "-o", folder.path(name)], agent.bus.environment).status == .exited(0))
      #expect(try folder.text(name) == "picture")
    }
    #expect(folder.status("old.jpg")?.permissions == 0o640)
    #expect(try folder.text("far/new.jpg") == "picture")
    #expect(try run(["art", "-o", "/dev/null"], agent.bus.environment).status == .exited(0))
    #expect(FileStatus("/dev/null")?.isCharacterDevice == true)
    #expect(try run(["art", "-o", folder.path("far")], agent.bus.environment).status == .exited(73))
    #expect(folder.names(in: "far") == ["new.jpg"])
  }

  @Test("a picture is named, or copied; that there is none is a refusal")
  func art() async throws {
    let picture = try folder.write("a b.png", "picture")
    let agent = try await onLoop { @AgentLoop in
      let agent = try await FakeAgent()
      agent.artURL = "file://\(folder.path)/a%20b.png"
      return agent
    }
    #expect(try run(["art"], agent.bus.environment).output == "\(picture)\n")
    let json = try run(["art", "--json"], agent.bus.environment).output
    #expect(json == #"{"artUrl":"file://\#(folder.path)/a%20b.png","path":"\#(picture)"}"# + "\n")
    let copied = try run(["art", "-o", folder.path("c.png")], agent.bus.environment)
    #expect(copied.status == .exited(0) && copied.output.isEmpty)
    #expect(TextFile.read(folder.path("c.png")) == "picture")
    #expect(try run(["art", "-o", "/nowhere/c"], agent.bus.environment).status == .exited(73))
    _ = try run(["art", "7", "--size", "64"], agent.bus.environment)
    let calls = try await onLoop { agent.calls }
    #expect(calls.last?.arguments == [.int64(7), .uint32(64)])
    try await onLoop { agent.refusal = AgentError.refused("there is no picture") }
    let refused = try run(["art"], agent.bus.environment)
    #expect(refused.status == .exited(1) && refused.errors == "fermata: art: there is no picture\n")
  }
}
