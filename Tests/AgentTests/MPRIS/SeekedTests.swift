// SPDX-License-Identifier: MIT
import BusModel
import FaceModel
import FermataTestKit
import Glibc
import PlaybackLogic
import Testing

@Suite("MPRIS's player: Seeked", .serialized, .realTime, .endsAnyway, .sharedStage)
struct SeekedTests {
  private static let player = MPRISDescriptions.player.name

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let setting: MPRISStage.Setting
    /// Where the jump is said to lead; none where no jump is to be told.
    let places: [Int64]
    let act: @Sendable (MPRISClient, [EntryID]) throws -> Void
    var testDescription: String { "\(setting): \(name)" }

    init(
      _ name: String, _ setting: MPRISStage.Setting, _ places: [Int64],
      _ act: @escaping @Sendable (MPRISClient, [EntryID]) throws -> Void
    ) {
      (self.name, self.setting, self.places, self.act) = (name, setting, places, act)
    }
  }

  static let rows = [
    Row("SetPosition", .paused, [7_000_000]) {
      try $0.player("SetPosition", MPRISStage.path($1[1]), .int64(7_000_000))
    },
    Row("SetPosition", .playing, [7_000_000]) {
      try $0.player("SetPosition", MPRISStage.path($1[1]), .int64(7_000_000))
    },
    Row("SetPosition to the beginning", .paused, [0]) {
      try $0.player("SetPosition", MPRISStage.path($1[1]), .int64(0))
    },
    Row("SetPosition twice", .paused, [1_000_000, 2_000_000]) {
      try $0.player("SetPosition", MPRISStage.path($1[1]), .int64(1_000_000))
      try $0.player("SetPosition", MPRISStage.path($1[1]), .int64(2_000_000))
    },
    Row("Seek before the beginning", .paused, [0]) { client, _ in
      try client.player("Seek", .int64(-100_000_000))
    },
    Row("Seek on and back", .first, [9_000_000, 4_000_000]) {
      try $0.player("SetPosition", MPRISStage.path($1[0]), .int64(9_000_000))
      try $0.player("Pause")
      let place = try #require(Int64(wire: $0.get("Position")))
      try $0.player("Seek", .int64(4_000_000 - place))
    },
    Row("Previous that begins anew", .first, [0]) { client, _ in try client.player("Previous") },
    Row("Previous late in a track", .paused, [20_000_000, 0]) {
      try $0.player("SetPosition", MPRISStage.path($1[1]), .int64(20_000_000))
      try $0.player("Previous")
    },
    Row("GoTo the track that plays", .playing, [0]) { try $0.trackList("GoTo", MPRISStage.path($1[1])) },
    Row("Previous to another track", .playing, []) { client, _ in try client.player("Previous") },
    Row("Next", .playing, []) { client, _ in try client.player("Next") },
    Row("Seek past the end", .paused, []) { client, _ in try client.player("Seek", .int64(100_000_000)) },
    Row("GoTo another track", .paused, []) { try $0.trackList("GoTo", MPRISStage.path($1[3])) },
    Row("Pause", .playing, []) { client, _ in try client.player("Pause") },
    Row("Play", .paused, []) { client, _ in try client.player("Play") },
    Row("Play while it plays", .playing, []) { client, _ in try client.player("Play") },
    Row("Stop", .playing, []) { client, _ in try client.player("Stop") },
    Row("Volume", .playing, []) { client, _ in try client.set("Volume", .double(0.3)) },
    Row("Shuffle on", .playing, []) { client, _ in try client.set("Shuffle", .boolean(true)) },
    Row("RemoveTrack of another", .playing, []) { try $0.trackList("RemoveTrack", MPRISStage.path($1[0])) },
  ]

  @Test("every jump in a track is told, and nothing else as one", arguments: rows)
  func seeked(row: Row) throws {
    let (_, client, entries) = try mprisStage(row.setting)
    let news = try client.news { try row.act(client, entries) }
    let places = news.named("Seeked", of: Self.player).map { Int64(wire: $0.arguments.first ?? .int64(-1)) }
    #expect(places == row.places.map { $0 })
  }

  @Test("a track that repeats jumps to its beginning: nothing else would tell")
  func repeating() throws {
    let (stage, client, _) = try mprisStage(.empty)
    let short = try Tune.write("loop.flac", number: 8, seconds: 1, in: stage.stage.folder)
    try client.set("LoopStatus", .string("Track"))
    try client.player("OpenUri", .string(short))
    try client.wait(for: "second time round") {
      client.signals.named("Seeked", of: Self.player).count >= 2
    }
    #expect(client.signals.named("Seeked", of: Self.player).allSatisfy { $0.arguments == [.int64(0)] })
    #expect(try stage.status() == "Playing")
  }

  @Test("a track that comes again because the next one can't be played is told to be at its beginning")
  func backFromUnplayable() throws {
    let (stage, client, _) = try mprisStage(.empty)
    let folder = stage.stage.folder
    _ = try Tune.write("again.flac", number: 8, seconds: 1, in: folder)
    _ = try Tune.write("gone.flac", number: 9, seconds: 1, in: folder)
    let (again, gone) = (folder.path("again.flac"), folder.path("gone.flac"))
    _ = try Child.run(.beside("fermata"), ["add", again, gone], environment: stage.stage.environment)
    #expect(unlink(gone) == 0)
    try client.set("LoopStatus", .string("Playlist"))
    try client.player("Play")
    try client.wait(for: "second time round") {
      client.signals.named("Seeked", of: AgentDescriptions.player.name).count >= 2
    }
    let places = client.signals.named("Seeked", of: AgentDescriptions.player.name).compactMap {
      $0.arguments.first.flatMap { Int64(wire: $0) }
    }
    #expect(places.allSatisfy { (0...500_000).contains($0) }, "\(places)")
  }
}
