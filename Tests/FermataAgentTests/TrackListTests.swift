// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import FaceModel
import FermataAgent
import FermataTestKit
import PlaybackLogic
import Testing

@Suite("MPRIS's track list on the bus", .serialized, .realTime, .endsAnyway)
struct TrackListTests {
  private func path(_ entry: UInt64) -> WireValue {
    .objectPath(TrackPath.path(of: EntryID(rawValue: entry)))
  }

  @Test("tracks are shown, added behind others, gone to and removed")
  func editing() async throws {
    let sources = try SoundFolder(3)
    let none = WireValue.objectPath(TrackPath.none)
    try await BusBench.run { bench in
      let uris = sources.sources.map { WireValue.string($0.text) }
      try await bench.trackList("AddTrack", uris[0], none, .boolean(false))
      try await bench.trackList("AddTrack", uris[1], path(1), .boolean(false))
      try await bench.trackList("AddTrack", uris[2], none, .boolean(true))
      #expect(try await tracks(bench) == [path(3), path(1), path(2)])
      #expect(bench.service.player.queue.current == EntryID(rawValue: 3))
      try await bench.trackList("GoTo", path(2))
      try await bench.trackList("GoTo", path(7))
      #expect(bench.service.player.queue.current == EntryID(rawValue: 2))
      try await bench.trackList("RemoveTrack", path(1))
      try await bench.trackList("RemoveTrack", path(1))
      #expect(try await tracks(bench) == [path(3), path(2)])
      let members = bench.signals.map(\.member)
      #expect(members.count { $0 == "TrackAdded" } == 3)
      #expect(members.count { $0 == "TrackRemoved" } == 1)
    }
  }

  @Test("of two jumps that come at once, the later one counts")
  func twoJumps() async throws {
    let sources = try SoundFolder(3)
    try await BusBench.run { bench in
      for source in sources.sources.reversed() {
        try await bench.trackList(
          "AddTrack", .string(source.text), .objectPath(TrackPath.none), .boolean(false))
      }
      var refused: [UInt64] = []
      let jumps = [UInt64](1...2).map { jump in
        AgentLoop.task {
          do { try await bench.trackList("GoTo", path(jump)) } catch { refused.append(jump) }
        }
      }
      for jump in jumps { await jump.value }
      // If the bus passes on the second one only when the first is done, there is nothing to refuse.
      #expect(refused == [1] || refused.isEmpty)
      #expect(bench.service.player.queue.current == EntryID(rawValue: 2))
    }
  }

  @Test("metadata is given for what is in the queue, and told when the tags are read")
  func metadata() async throws {
    let sources = try SoundFolder(1)
    try await BusBench.run { bench in
      try await bench.trackList(
        "AddTrack", .string(sources.sources[0].text), .objectPath(TrackPath.none), .boolean(false))
      await bench.wait(forSignal: "TrackMetadataChanged")
      let reply = try await bench.trackList("GetTracksMetadata", .array(.objectPath, [path(1), path(5)]))
      let known = try reply.decoded(as: [[String: WireValue]].self)
      #expect(known.map { $0["mpris:trackid"] } == [path(1)])
      #expect(known.first?["xesam:url"] == .string(sources.sources[0].text))
    }
  }

  private func tracks(_ bench: BusBench) async throws -> [WireValue] {
    let reply = try await bench.send(
      MPRISDescriptions.path, StandardInterfaces.properties.name, "Get",
      .arguments(MPRISDescriptions.trackList.name.text, "Tracks"))
    let value = try reply.decoded(as: WireValue.self)
    guard case .array(_, let tracks) = value else { return [] }
    return tracks
  }
}
