// SPDX-License-Identifier: MIT
import BusModel
import FaceModel
import FermataTestKit
import PlaybackLogic
import Testing

@Suite("MPRIS's player: what is told", .serialized, .realTime, .endsAnyway, .sharedStage)
struct ChangeTests {
  private static let player = MPRISDescriptions.player.name

  enum Act: String, Sendable {
    case next, previous, pause, playPause, stop, play, seek, setPosition
    case volumeHalf, volumeFull, volumeBeyond, loopTrack, loopAll, loopNone, shuffleOff, rateZero, rateOne,
      rateHalf
    case goToOther, removeOther, removeLast

    func run(_ client: MPRISClient, _ entries: [EntryID]) throws {
      switch self {
      case .next, .previous, .pause, .playPause, .stop, .play:
        try client.player(MemberName(unchecked: rawValue.prefix(1).uppercased() + rawValue.dropFirst()))
      case .seek: try client.player("Seek", .int64(5_000_000))
      case .setPosition: try client.player("SetPosition", MPRISStage.path(entries[1]), .int64(5_000_000))
      case .volumeHalf: try client.set("Volume", .double(0.5))
      case .volumeFull: try client.set("Volume", .double(1))
      case .volumeBeyond: try client.set("Volume", .double(7))
      case .loopTrack: try client.set("LoopStatus", .string("Track"))
      case .loopAll: try client.set("LoopStatus", .string("Playlist"))
      case .loopNone: try client.set("LoopStatus", .string("None"))
      case .shuffleOff: try client.set("Shuffle", .boolean(false))
      case .rateZero: try client.set("Rate", .double(0))
      case .rateOne: try client.set("Rate", .double(1))
      case .rateHalf: try client.set("Rate", .double(0.5))
      case .goToOther: try client.trackList("GoTo", MPRISStage.path(entries[2]))
      case .removeOther: try client.trackList("RemoveTrack", MPRISStage.path(entries[0]))
      case .removeLast: try client.trackList("RemoveTrack", MPRISStage.path(entries[3]))
      }
    }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let setting: MPRISStage.Setting
    let act: Act
    /// What one signal tells; empty where there is to be none.
    let told: Set<String>
    var testDescription: String { "\(setting): \(act)" }

    init(_ setting: MPRISStage.Setting, _ act: Act, _ told: String...) {
      (self.setting, self.act, self.told) = (setting, act, Set(told))
    }
  }

  static let rows = [
    Row(.playing, .pause, "PlaybackStatus"), Row(.playing, .playPause, "PlaybackStatus"),
    Row(.playing, .stop, "PlaybackStatus"), Row(.playing, .play), Row(.playing, .rateOne),
    Row(.playing, .rateHalf),
    Row(.playing, .rateZero, "PlaybackStatus"), Row(.playing, .next, "Metadata"),
    Row(.playing, .previous, "Metadata"),
    Row(.playing, .goToOther, "Metadata"), Row(.playing, .seek), Row(.playing, .setPosition),
    Row(.playing, .volumeHalf, "Volume"), Row(.playing, .volumeFull), Row(.playing, .volumeBeyond),
    Row(.playing, .loopTrack, "LoopStatus"), Row(.playing, .loopAll, "LoopStatus"), Row(.playing, .loopNone),
    Row(.playing, .shuffleOff), Row(.playing, .removeOther), Row(.playing, .removeLast),
    Row(.paused, .play, "PlaybackStatus"), Row(.paused, .playPause, "PlaybackStatus"), Row(.paused, .pause),
    Row(.paused, .stop, "PlaybackStatus"), Row(.paused, .next, "Metadata"),
    Row(.paused, .previous, "Metadata"),
    Row(.paused, .seek), Row(.paused, .rateZero), Row(.paused, .goToOther, "Metadata", "PlaybackStatus"),
    Row(.last, .previous, "Metadata", "CanGoNext"), Row(.last, .next),
    Row(.last, .loopAll, "LoopStatus", "CanGoNext"),
    Row(.last, .loopTrack, "LoopStatus"), Row(.last, .removeOther), Row(.first, .removeOther, "Metadata"),
    Row(.stopped, .pause), Row(.stopped, .stop), Row(.stopped, .next), Row(.stopped, .previous),
    Row(.stopped, .removeOther), Row(.stopped, .loopAll, "LoopStatus"), Row(.empty, .stop),
    Row(.empty, .play),
    Row(.empty, .volumeHalf, "Volume"), Row(.empty, .loopTrack, "LoopStatus"),
  ]

  @Test("what changed is told once, in one signal, and nothing else is", arguments: rows)
  func told(row: Row) throws {
    let (_, client, entries) = try mprisStage(row.setting)
    let before = try client.all()
    let news = try client.news { try row.act.run(client, entries) }
    let signals = news.told(of: Self.player)
    #expect(signals.map { Set($0.keys) } == (row.told.isEmpty ? [] : [row.told]))
    for (name, value) in signals.first ?? [:] {
      #expect(value != before[name], "\(name) was told and is as before")
      #expect(try client.get(name) == value, "\(name) was told as \(value)")
    }
    // What nobody told is as it was.
    for (name, value) in try client.all() where name != "Position" && !row.told.contains(name) {
      #expect(value == before[name], "\(name) changed and nobody was told")
    }
    #expect(news.allSatisfy { $0.changes?.interface != Self.player.text || $0.changes?.invalidated == [] })
  }

  @Test(
    "a new track is told with its title and its length, whichever way it came",
    arguments: [Act.next, .previous])
  func together(act: Act) throws {
    let (_, client, entries) = try mprisStage(.playing)
    let news = try client.news { try act.run(client, entries) }
    let told = try #require(news.told(of: Self.player).first?["Metadata"])
    let metadata = try #require([String: WireValue](wire: told))
    let row = act == .next ? 3 : 1
    #expect(metadata["mpris:trackid"] == MPRISStage.path(entries[row - 1]))
    #expect(metadata["xesam:title"] == .string("Tune \(row)"))
    #expect(metadata["mpris:length"] == .int64(60_000_000))
  }

  @Test("what OpenUri plays is told whole, at once, and once", arguments: MPRISStage.Setting.allCases)
  func opened(setting: MPRISStage.Setting) throws {
    let (stage, client, _) = try mprisStage(setting)
    let news = try client.news {
      try client.player("OpenUri", .string(stage.tunes[2]))
      try client.wait(for: "PlaybackStatus", .string("Playing"))
      let path = try #require(try stage.currentPath()?.entry)
      try stage.waitUntilSettled(path)
    }
    let metadata = news.told(of: Self.player).compactMap { $0["Metadata"] }
    #expect(metadata.count == 1)
    let only = try #require(metadata.first.flatMap { [String: WireValue](wire: $0) })
    #expect(only["xesam:title"] == .string("Tune 3") && only["mpris:length"] == .int64(60_000_000))
    #expect(
      news.told(of: Self.player).filter { $0["PlaybackStatus"] != nil }.count == (setting.isPlaying ? 0 : 1))
  }

  @Test(
    "a track that begins after a pause is told together with the status, and the former one does not play again"
  )
  func otherAfterPause() throws {
    let (stage, client, _) = try mprisStage(.paused)
    let news = try client.news {
      let sources = [WireValue.string(stage.tunes[2])]
      _ = try client.call(
        AgentDescriptions.path, AgentDescriptions.queue.name, "Play",
        [.array(.string, sources), .dictionary(.string, .variant, [])])
      try client.wait(for: "PlaybackStatus", .string("Playing"))
      try stage.waitUntilSettled(try #require(try stage.currentPath()?.entry))
    }
    let told = news.told(of: Self.player)
    #expect(told.compactMap { $0["PlaybackStatus"] } == [.string("Playing")])
    let change = try #require(told.first { $0["PlaybackStatus"] != nil })
    let metadata = try #require(change["Metadata"].flatMap { [String: WireValue](wire: $0) })
    #expect(metadata["xesam:title"] == .string("Tune 3"))
  }

  @Test("from one track to the next by itself: the track is told, no status, no jump")
  func natural() throws {
    let (stage, client, _) = try mprisStage(.empty)
    let short = try Tune.write("short.flac", number: 9, seconds: 2, in: stage.stage.folder)
    let sources = [short, stage.tunes[0]].map { WireValue.string($0) }
    let reply = try client.call(
      AgentDescriptions.path, AgentDescriptions.queue.name, "Append", [.array(.string, sources)])
    let entries = try Array(reply.prefix(1)).decoded(as: [UInt64].self).map(EntryID.init(rawValue:))
    try client.player("Play")
    try stage.waitUntilSettled(entries[0])
    try client.sync()
    client.forgetSignals()
    try stage.waitUntilSettled(entries[1])
    let told = client.signals.told(of: Self.player)
    let after = try #require(told.lastIndex { $0["Metadata"] != nil })
    #expect(Set(told[after].keys) == ["Metadata", "CanGoNext"])
    #expect(!told.contains { $0["PlaybackStatus"] != nil || $0["Position"] != nil })
    #expect(client.signals.named("Seeked", of: Self.player).isEmpty)
  }

  @Test("the position is never told as a property")
  func position() throws {
    let (_, client, entries) = try mprisStage(.playing)
    let acts: [Act] = [
      .seek, .setPosition, .next, .pause, .play, .previous, .previous, .stop, .play, .volumeHalf,
    ]
    let news = try client.news { for act in acts { try act.run(client, entries) } }
    #expect(news.told(of: Self.player).allSatisfy { $0["Position"] == nil })
    #expect(news.told(of: Self.player).count >= 7)
  }
}

extension MPRISStage.Setting {
  var isPlaying: Bool { self == .playing || self == .first || self == .last }
}

extension WireValue {
  /// The entry that a track's path names.
  var entry: EntryID? {
    guard case .objectPath(let path) = self else { return nil }
    return TrackPath.entry(at: path)
  }
}
