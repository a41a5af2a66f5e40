// SPDX-License-Identifier: MIT
import BusModel
import FaceModel
import FermataTestKit
import PlaybackLogic
import Testing

@Suite("MPRIS's track list", .serialized, .realTime, .endsAnyway, .sharedStage)
struct TrackListBusTests {
  private static let list = MPRISDescriptions.trackList.name
  private static let none = MPRISStage.path(nil)

  private func tracks(_ client: MPRISClient) throws -> [EntryID?] {
    try #require([ObjectPath](wire: client.get("Tracks", of: Self.list))).map(TrackPath.entry)
  }

  /// The signals of the list, by name and first argument.
  private func told(_ news: [BusSignal]) -> [MemberName] {
    news.filter { $0.interface == Self.list }.map(\.member)
  }

  private func invalidations(_ news: [BusSignal]) -> Int {
    news.count { $0.changes?.interface == Self.list.text && $0.changes?.invalidated == ["Tracks"] }
  }

  @Test("its properties are of their types", arguments: [MPRISStage.Setting.empty, .playing])
  func properties(setting: MPRISStage.Setting) throws {
    let (_, client, entries) = try mprisStage(setting)
    let all = try client.all(of: Self.list)
    #expect(all["CanEditTracks"] == .boolean(true))
    #expect(all["Tracks"] == .array(.objectPath, entries.map { MPRISStage.path($0) }))
    #expect(all.count == 2)
  }

  enum Place: CaseIterable { case top, afterFirst, afterLast, stale }

  @Test("AddTrack puts a track where it is asked to", arguments: Place.allCases, [true, false])
  func add(place: Place, isCurrent: Bool) throws {
    let (stage, client, entries) = try mprisStage(.playing)
    let after =
      switch place {
      case .top: Self.none
      case .afterFirst: MPRISStage.path(entries[0])
      case .afterLast: MPRISStage.path(entries[3])
      case .stale: MPRISStage.path(EntryID(rawValue: entries[3].rawValue + 999))
      }
    let news = try client.news {
      try client.trackList("AddTrack", .string(stage.tunes[3]), after, .boolean(isCurrent))
    }
    let tracks = try tracks(client)
    let index = place == .top ? 0 : place == .afterFirst ? 1 : 4
    let new = try #require(tracks[index])
    var expected: [EntryID?] = entries
    expected.insert(new, at: index)
    #expect(tracks == expected && !entries.contains(new))
    #expect(try stage.currentPath() == MPRISStage.path(isCurrent ? new : entries[1]))
    #expect(try stage.status() == "Playing")
    let added = try #require(news.named("TrackAdded", of: Self.list).first)
    let (metadata, before) = try added.arguments.decoded(as: [String: WireValue].self, ObjectPath.self)
    #expect(metadata["mpris:trackid"] == MPRISStage.path(new))
    #expect(metadata["xesam:url"] == .string(stage.tunes[3]))
    #expect(.objectPath(before) == (index == 0 ? Self.none : MPRISStage.path(expected[index - 1])))
    #expect(told(news).count { $0 == "TrackAdded" } == 1 && invalidations(news) == 1)
    #expect(!told(news).contains("TrackListReplaced") && !told(news).contains("TrackRemoved"))
  }

  @Test("AddTrack to an empty list plays only if asked to", arguments: [true, false])
  func addToEmpty(isCurrent: Bool) throws {
    let (stage, client, _) = try mprisStage(.empty)
    try client.trackList("AddTrack", .string(stage.tunes[0]), Self.none, .boolean(isCurrent))
    #expect(try tracks(client).count == 1)
    if isCurrent { try client.wait(for: "PlaybackStatus", .string("Playing")) }
    #expect(try stage.status() == (isCurrent ? "Playing" : "Stopped"))
  }

  @Test("a track behind one that is no track is refused, and nothing is added")
  func foreign() throws {
    let (stage, client, entries) = try mprisStage(.playing)
    let path = WireValue.objectPath("/somewhere/else")
    #expect(
      client.error { try client.trackList("AddTrack", .string(stage.tunes[0]), path, .boolean(false)) }
        == .invalidArgs)
    #expect(try tracks(client) == entries)
  }

  @Test("RemoveTrack takes out what is there, and is told once", arguments: 0..<4)
  func remove(row: Int) throws {
    let (stage, client, entries) = try mprisStage(.playing)
    let news = try client.news { try client.trackList("RemoveTrack", MPRISStage.path(entries[row])) }
    #expect(try tracks(client) == entries.filter { $0 != entries[row] })
    #expect(told(news) == ["TrackRemoved"] && invalidations(news) == 1)
    #expect(news.named("TrackRemoved", of: Self.list).first?.arguments == [MPRISStage.path(entries[row])])
    // The current one gives way to the next.
    #expect(try stage.currentPath() == MPRISStage.path(entries[row == 1 ? 2 : 1]))
    #expect(try stage.status() == "Playing")
  }

  @Test("with the last track gone the music ends")
  func removeAll() throws {
    let (stage, client, entries) = try mprisStage(.playing)
    for entry in entries { try client.trackList("RemoveTrack", MPRISStage.path(entry)) }
    try client.wait(for: "PlaybackStatus", .string("Stopped"))
    #expect(try stage.currentPath() == Self.none)
    #expect(try client.get("CanPlay") == .boolean(false))
  }

  enum Stale: CaseIterable { case gone, never, none, foreign, highest }

  @Test(
    "names of no track are ignored, by RemoveTrack and by GoTo", arguments: Stale.allCases,
    ["RemoveTrack", "GoTo"])
  func stale(kind: Stale, method: String) throws {
    let (_, client, entries) = try mprisStage(.playing)
    try client.trackList("RemoveTrack", MPRISStage.path(entries[0]))
    let path: WireValue =
      switch kind {
      case .gone: MPRISStage.path(entries[0])
      case .never: MPRISStage.path(EntryID(rawValue: entries[3].rawValue + 1_000))
      case .none: Self.none
      case .foreign: .objectPath("/a/b")
      case .highest: MPRISStage.path(EntryID(rawValue: .max))
      }
    let news = try client.news { try client.trackList(MemberName(unchecked: method), path) }
    #expect(news.isEmpty)
    #expect(try tracks(client) == Array(entries.dropFirst()))
  }

  @Test(
    "GoTo plays a track, whatever was before",
    arguments: [MPRISStage.Setting.stopped, .playing, .paused, .last])
  func goTo(setting: MPRISStage.Setting) throws {
    let (stage, client, entries) = try mprisStage(setting)
    let news = try client.news { try client.trackList("GoTo", MPRISStage.path(entries[2])) }
    #expect(try stage.currentPath() == MPRISStage.path(entries[2]))
    #expect(try stage.status() == "Playing")
    #expect(told(news).isEmpty || told(news).allSatisfy { $0 == "TrackMetadataChanged" })
  }

  @Test("GetTracksMetadata gives what is there, in the order asked, and passes over the rest")
  func metadata() throws {
    let (_, client, entries) = try mprisStage(.playing)
    let paths =
      [entries[2], EntryID(rawValue: 1 << 40), entries[0]].map { MPRISStage.path($0) } + [Self.none]
    let reply = try client.trackList("GetTracksMetadata", .array(.objectPath, paths))
    let known = try reply.decoded(as: [[String: WireValue]].self)
    #expect(known.map { $0["mpris:trackid"] } == [paths[0], paths[2]])
    #expect(try client.trackList("GetTracksMetadata", .array(.objectPath, [])) == [.array("a{sv}", [])])
  }

  @Test("what is read later is told by TrackMetadataChanged")
  func metadataChanged() throws {
    let (stage, client, _) = try mprisStage(.empty)
    try client.trackList("AddTrack", .string(stage.tunes[1]), Self.none, .boolean(false))
    try client.wait(for: "tags") { !client.signals.named("TrackMetadataChanged", of: Self.list).isEmpty }
    let signal = try #require(client.signals.named("TrackMetadataChanged", of: Self.list).first)
    let (path, metadata) = try signal.arguments.decoded(as: ObjectPath.self, [String: WireValue].self)
    #expect(metadata["mpris:trackid"] == .objectPath(path) && metadata["xesam:title"] == .string("Tune 2"))
  }

  @Test("rows that move are told as another list")
  func moved() throws {
    let (_, client, entries) = try mprisStage(.playing)
    let news = try client.news { try client.agent(AgentCall(.move(entries[3], count: 1, to: 1))) }
    let signal = try #require(news.named("TrackListReplaced", of: Self.list).first)
    let (paths, current) = try signal.arguments.decoded(as: [ObjectPath].self, ObjectPath.self)
    #expect(paths.map(TrackPath.entry) == [entries[3], entries[0], entries[1], entries[2]])
    #expect(.objectPath(current) == MPRISStage.path(entries[1]))
    #expect(told(news) == ["TrackListReplaced"] && invalidations(news) == 1)
  }

  @Test("a list of thousands shows the rows around the current one")
  func long() throws {
    let (stage, client, _) = try mprisStage(.empty)
    let sources = Array(repeating: WireValue.string(stage.tunes[0]), count: 2_000)
    try client.call(
      AgentDescriptions.path, AgentDescriptions.queue.name, "Append", [.array(.string, sources)])
    #expect(try tracks(client).count == TrackListFace.longest)
  }
}
