// SPDX-License-Identifier: MIT
import BusModel
import FaceModel
import FermataTestKit
import PlaybackLogic
import Testing

@Suite(
  "MPRIS's player: methods in every state", .serialized, .realTime, .endsAnyway, .sharedStage)
struct MethodTests {
  /// What comes of a method: the status, and which of the four tunes is current, from 1; 0 for none.
  struct Row: Sendable, CustomTestStringConvertible {
    let setting: MPRISStage.Setting
    let method: MemberName
    let status: String
    let row: Int
    var error: BusError.Name?
    var testDescription: String { "\(setting): \(method)" }

    init(
      _ setting: MPRISStage.Setting, _ method: MemberName, _ status: String, _ row: Int,
      _ error: BusError.Name? = nil
    ) {
      (self.setting, self.method, self.status, self.row, self.error) = (setting, method, status, row, error)
    }
  }

  static let rows = [
    Row(.empty, "Next", "Stopped", 0), Row(.empty, "Previous", "Stopped", 0),
    Row(.empty, "Pause", "Stopped", 0),
    Row(.empty, "PlayPause", "Stopped", 0, .failed), Row(.empty, "Stop", "Stopped", 0),
    Row(.empty, "Play", "Stopped", 0),

    Row(.stopped, "Next", "Stopped", 0), Row(.stopped, "Previous", "Stopped", 0),
    Row(.stopped, "Pause", "Stopped", 0), Row(.stopped, "PlayPause", "Playing", 1),
    Row(.stopped, "Stop", "Stopped", 0), Row(.stopped, "Play", "Playing", 1),

    Row(.playing, "Next", "Playing", 3), Row(.playing, "Previous", "Playing", 1),
    Row(.playing, "Pause", "Paused", 2),
    Row(.playing, "PlayPause", "Paused", 2), Row(.playing, "Stop", "Stopped", 2),
    Row(.playing, "Play", "Playing", 2),

    Row(.paused, "Next", "Paused", 3), Row(.paused, "Previous", "Paused", 1),
    Row(.paused, "Pause", "Paused", 2),
    Row(.paused, "PlayPause", "Playing", 2), Row(.paused, "Stop", "Stopped", 2),
    Row(.paused, "Play", "Playing", 2),

    Row(.first, "Next", "Playing", 2), Row(.first, "Previous", "Playing", 1),
    Row(.first, "Pause", "Paused", 1),
    Row(.first, "PlayPause", "Paused", 1), Row(.first, "Stop", "Stopped", 1),
    Row(.first, "Play", "Playing", 1),

    Row(.last, "Next", "Playing", 4), Row(.last, "Previous", "Playing", 3), Row(.last, "Pause", "Paused", 4),
    Row(.last, "PlayPause", "Paused", 4), Row(.last, "Stop", "Stopped", 4), Row(.last, "Play", "Playing", 4),
  ]

  @Test("a method leads from each state to the one that the text says", arguments: rows)
  func method(row: Row) throws {
    let (stage, client, entries) = try mprisStage(row.setting)
    #expect(client.error { try client.player(row.method) } == row.error)
    #expect(try stage.status() == row.status)
    let expected = row.row == 0 ? nil : entries[row.row - 1]
    #expect(try stage.currentPath() == MPRISStage.path(expected))
  }

  @Test(
    "Play goes on where it plays or was paused; after Stop it begins anew",
    arguments: ["Playing", "Paused", "Stopped"])
  func play(before: String) throws {
    let (stage, client, entries) = try mprisStage(.playing)
    try client.player("SetPosition", MPRISStage.path(entries[1]), .int64(20_000_000))
    if before != "Playing" { try client.player(before == "Paused" ? "Pause" : "Stop") }
    try client.player("Play")
    try client.wait(for: "PlaybackStatus", .string("Playing"))
    #expect(try before == "Stopped" ? stage.position() < 15_000_000 : stage.position() >= 20_000_000)
  }

  @Test("Previous within the first seconds goes back, later it begins the track anew", arguments: [1, 10])
  func previous(second: Int64) throws {
    let (stage, client, entries) = try mprisStage(.paused)
    try client.player("SetPosition", MPRISStage.path(entries[1]), .int64(second * 1_000_000))
    try client.player("Previous")
    #expect(try stage.currentPath() == MPRISStage.path(entries[second < 3 ? 0 : 1]))
    #expect(try stage.position() == 0)
    #expect(try stage.status() == "Paused")
  }

  @Test("however soon one track follows another, its place moves", arguments: [1, 2, 3, 5, 8, 13])
  func hurry(count: Int) throws {
    let (stage, client, entries) = try mprisStage(.playing)
    for jump in 1...count { try client.trackList("GoTo", MPRISStage.path(entries[jump % 4])) }
    #expect(try stage.isMoving())
    #expect(try stage.currentPath() == MPRISStage.path(entries[count % 4]))
  }

  /// Seeks from second 20 of the second of four tunes of 60 seconds.
  @Test(
    "Seek leads so far on or back, at the ends as the text says",
    arguments: [
      (5_000_000, 2, 25_000_000), (-5_000_000, 2, 15_000_000), (0, 2, 20_000_000), (-60_000_000, 2, 0),
      (39_000_000, 2, 59_000_000), (41_000_000, 3, 0), (Int64.max, 3, 0), (Int64.min, 2, 0),
    ] as [(Int64, Int, Int64)])
  func seek(offset: Int64, row: Int, place: Int64) throws {
    let (stage, client, entries) = try mprisStage(.paused)
    try client.player("SetPosition", MPRISStage.path(entries[1]), .int64(20_000_000))
    try client.player("Seek", .int64(offset))
    #expect(try stage.currentPath() == MPRISStage.path(entries[row - 1]))
    #expect(try stage.position() == place)
    #expect(try stage.status() == "Paused")
  }

  @Test("Seek past the end of the last one ends the music")
  func seekPastAll() throws {
    let (stage, client, _) = try mprisStage(.last)
    try client.player("Seek", .int64(61_000_000))
    try client.wait(for: "PlaybackStatus", .string("Stopped"))
    #expect(try stage.position() == 0)
  }

  enum Track: CaseIterable { case own, other, stale, none, foreign, lookalike }

  @Test("SetPosition counts for the current track only", arguments: Track.allCases)
  func setPosition(track: Track) throws {
    let (stage, client, entries) = try mprisStage(.paused)
    let before = try stage.position()
    let path: WireValue =
      switch track {
      case .own: MPRISStage.path(entries[1])
      case .other: MPRISStage.path(entries[2])
      case .stale: MPRISStage.path(EntryID(rawValue: entries[3].rawValue + 1_000))
      case .none: MPRISStage.path(nil)
      case .foreign: .objectPath("/org/mpris/MediaPlayer2/Track/1")
      case .lookalike: .objectPath(ObjectPath(unchecked: "/org/fermata/Entry/0\(entries[1].rawValue)"))
      }
    let news = try client.news { try client.player("SetPosition", path, .int64(30_000_000)) }
    #expect(try stage.position() == (track == .own ? 30_000_000 : before))
    #expect(news.named("Seeked", of: MPRISDescriptions.player.name).count == (track == .own ? 1 : 0))
  }

  @Test(
    "SetPosition outside of the track is ignored",
    arguments: [-1, -30_000_000, .min, 60_000_001, 4_294_967_295_000_000, .max] as [Int64])
  func outside(place: Int64) throws {
    let (stage, client, entries) = try mprisStage(.paused)
    let before = try stage.position()
    let news = try client.news {
      try client.player("SetPosition", MPRISStage.path(entries[1]), .int64(place))
    }
    #expect(try stage.position() == before)
    #expect(news.isEmpty)
  }

  @Test("without a track, Seek and SetPosition do nothing", arguments: [MPRISStage.Setting.empty, .stopped])
  func noTrack(setting: MPRISStage.Setting) throws {
    let (_, client, _) = try mprisStage(setting)
    let news = try client.news {
      try client.player("Seek", .int64(1_000_000))
      try client.player("SetPosition", MPRISStage.path(nil), .int64(1_000_000))
    }
    #expect(news.isEmpty)
  }
}
