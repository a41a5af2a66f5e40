// SPDX-License-Identifier: MIT
import BusModel
import FaceModel
import FermataTestKit
import PlaybackLogic
import Testing

@Suite("playerctl", .serialized, .realTime, .endsAnyway, .sharedStage)
struct PlayerctlTests {
  private static let program = Result { try Program.named("playerctl", package: "playerctl") }

  /// What it says; nil where it fails.
  @discardableResult
  private func ask(_ stage: MPRISStage, _ words: String...) -> String? {
    let answer = try? Child.run(
      Self.program.get(), ["-p", "fermata"] + words, environment: stage.stage.environment)
    return answer.map { $0.last == "\n" ? String($0.dropLast()) : $0 }
  }

  @Test(
    "an order brings about a status",
    arguments: [
      (.paused, "play", "Playing", 2), (.playing, "pause", "Paused", 2),
      (.playing, "play-pause", "Paused", 2),
      (.paused, "play-pause", "Playing", 2), (.playing, "stop", "Stopped", 2),
      (.stopped, "play", "Playing", 1),
      (.playing, "next", "Playing", 3), (.playing, "previous", "Playing", 1), (.paused, "next", "Paused", 3),
    ] as [(MPRISStage.Setting, String, String, Int)])
  func order(setting: MPRISStage.Setting, word: String, status: String, row: Int) throws {
    let (stage, client, entries) = try mprisStage(setting)
    #expect(ask(stage, word) != nil)
    try client.wait(for: "PlaybackStatus", .string(status))
    #expect(ask(stage, "status") == status)
    #expect(try stage.currentPath() == MPRISStage.path(entries[row - 1]))
  }

  @Test(
    "a position is set, moved on and moved back",
    arguments: [("30", 30_000_000), ("5+", 15_000_000), ("5-", 5_000_000), ("0", 0)] as [(String, Int64)])
  func position(word: String, place: Int64) throws {
    let (stage, client, entries) = try mprisStage(.paused)
    try client.player("SetPosition", MPRISStage.path(entries[1]), .int64(10_000_000))
    #expect(ask(stage, "position", word) != nil)
    try client.wait(for: "the place") { try stage.position() == place }
    #expect(ask(stage, "position")?.split(separator: ".").first.flatMap { Int64($0) } == place / 1_000_000)
  }

  @Test(
    "a volume is set, raised and lowered",
    arguments: [("0.25", 0.25), ("0.1+", 0.6), ("0.1-", 0.4)] as [(String, Double)])
  func volume(word: String, volume: Double) throws {
    let (stage, client, _) = try mprisStage(.playing)
    try client.set("Volume", .double(0.5))
    #expect(ask(stage, "volume", word) != nil)
    let found = try #require(Double(wire: client.get("Volume")))
    #expect(abs(found - volume) < 0.001)
    #expect(ask(stage, "volume").flatMap { Double($0) }.map { abs($0 - volume) < 0.001 } == true)
  }

  @Test("a loop is set and told", arguments: ["Track", "Playlist", "None"])
  func loop(status: String) throws {
    let (stage, _, _) = try mprisStage(.playing)
    #expect(ask(stage, "loop", status) != nil)
    #expect(ask(stage, "loop") == status)
  }

  @Test("shuffling is set, toggled and told", arguments: [("On", "On"), ("Toggle", "On"), ("Off", "Off")])
  func shuffle(word: String, status: String) throws {
    let (stage, _, _) = try mprisStage(.playing)
    #expect(ask(stage, "shuffle", word) != nil)
    #expect(ask(stage, "shuffle") == status)
  }

  @Test(
    "a piece of metadata is told",
    arguments: [
      ("title", "Tune 2"), ("artist", "Somebody"), ("album", "Tunes"), ("xesam:trackNumber", "2"),
      ("mpris:length", "60000000"),
    ])
  func metadata(key: String, value: String) throws {
    let (stage, _, _) = try mprisStage(.playing)
    #expect(ask(stage, "metadata", key) == value)
  }

  @Test("a format puts them together")
  func format() throws {
    let (stage, _, _) = try mprisStage(.paused)
    #expect(
      ask(stage, "metadata", "--format", "{{status}} {{artist}} - {{title}} {{duration(mpris:length)}}")
        == "Paused Somebody - Tune 2 1:00")
  }

  @Test("a file is opened and plays")
  func open() throws {
    let (stage, client, _) = try mprisStage(.empty)
    #expect(ask(stage, "open", stage.tunes[2]) != nil)
    try client.wait(for: "PlaybackStatus", .string("Playing"))
    #expect(ask(stage, "metadata", "title") == "Tune 3")
  }

  @Test("the player is in the list of all")
  func list() throws {
    let (stage, _, _) = try mprisStage(.empty)
    let all = try Child.run(Self.program.get(), ["--list-all"], environment: stage.stage.environment)
    #expect(all.split(separator: "\n") == ["fermata"])
  }

  @Test("who follows the status hears each of them, once")
  func followStatus() throws {
    let (stage, client, _) = try mprisStage(.playing)
    let follower = try Child(
      Self.program.get(), ["-p", "fermata", "--follow", "status"], environment: stage.stage.environment,
      isInteractive: true)
    var lines = [try follower.nextLine(until: .patient)]
    for method in ["Pause", "Play", "Next", "Pause", "Stop"] as [MemberName] {
      try client.player(method)
      if method != "Next" { lines.append(try follower.nextLine(until: .patient)) }
    }
    #expect(lines == ["Playing", "Paused", "Playing", "Paused", "Stopped"])
    follower.kill()
  }

  @Test("who follows the titles hears each of them, once")
  func followTitle() throws {
    let (stage, client, _) = try mprisStage(.first)
    let follower = try Child(
      Self.program.get(), ["-p", "fermata", "--follow", "metadata", "title"],
      environment: stage.stage.environment,
      isInteractive: true)
    var lines = [try follower.nextLine(until: .patient)]
    for method in ["Next", "Pause", "Next", "Next", "Previous"] as [MemberName] {
      try client.player(method)
      if method != "Pause" { lines.append(try follower.nextLine(until: .patient)) }
    }
    #expect(lines == ["Tune 1", "Tune 2", "Tune 3", "Tune 4", "Tune 3"])
    follower.kill()
  }
}
