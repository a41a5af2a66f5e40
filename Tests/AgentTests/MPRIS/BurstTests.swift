// SPDX-License-Identifier: MIT
import AudioModel
import BusModel
import FaceModel
import FermataTestKit
import PlaybackLogic
import Testing

@Suite("Many calls at once", .serialized, .realTime, .endsAnyway, .sharedStage)
struct BurstTests {
  private static let properties = StandardInterfaces.properties.name
  private static let player = MPRISDescriptions.player.name.text

  @Test("a thousand calls in one go are answered in their order, each rightly")
  func thousand() throws {
    let (_, client, _) = try mprisStage(.paused)
    let calls = (0..<1_000).map { index in
      index % 2 == 0
        ? BurstCall(
          interface: Self.properties, member: "Set",
          arguments: [.string(Self.player), .string("Volume"), .variant(.double(Double(index % 100) / 100))])
        : BurstCall(interface: Self.properties, member: "Get", arguments: .arguments(Self.player, "Volume"))
    }
    let (results, order) = try client.burst(calls)
    #expect(order == Array(0..<1_000))
    let wrong = results.indices.filter { index in
      guard case .success(let values) = results[index] else { return true }
      return index % 2 == 1 && values != [.variant(.double(Double((index - 1) % 100) / 100))]
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(5))")
  }

  @Test("a thousand orders in one go are carried out in their order")
  func orders() throws {
    let (stage, client, entries) = try mprisStage(.paused)
    try client.set("LoopStatus", .string("Playlist"))
    let calls = (0..<1_001).map { _ in BurstCall(member: "Next") }
    let (results, order) = try client.burst(calls)
    #expect(order == Array(0..<1_001) && results.allSatisfy { (try? $0.get()) != nil })
    #expect(try stage.currentPath() == MPRISStage.path(entries[(1 + 1_001) % 4]))
    #expect(try stage.status() == "Paused")
  }

  @Test("who was never heard of is answered in order too, and a stop silences nothing that was ordered later")
  func unknown() throws {
    let (stage, known, entries) = try mprisStage(.playing)
    let status = BurstCall(
      interface: Self.properties, member: "Get", arguments: .arguments(Self.player, "PlaybackStatus"))
    let other = try MPRISClient(stage.stage.bus)
    defer { other.close() }
    let (results, order) = try other.burst([BurstCall(member: "Pause"), status])
    #expect(order == [0, 1] && (try? results[1].get()) == [.variant(.string("Paused"))])
    let third = try MPRISClient(stage.stage.bus)
    defer { third.close() }
    let (answers, _) = try third.burst([
      BurstCall(member: "Stop"),
      BurstCall(
        interface: MPRISDescriptions.trackList.name, member: "GoTo", arguments: [MPRISStage.path(entries[3])]),
    ])
    #expect(answers.allSatisfy { (try? $0.get()) != nil }, "\(answers)")
    try known.wait(for: "playing") {
      try stage.status() == "Playing" && stage.currentPath() == MPRISStage.path(entries[3])
    }
  }

  @Test("edits in one go are answered in their order, when they are on disk")
  func edits() throws {
    let (stage, client, entries) = try mprisStage(.paused)
    let list = MPRISDescriptions.trackList.name
    let adding = (0..<50).map { index in
      BurstCall(
        interface: list, member: "AddTrack",
        arguments: [.string(stage.tunes[index % 4]), MPRISStage.path(entries[3]), .boolean(false)])
    }
    let added = try client.burst(adding)
    #expect(added.order == Array(0..<50) && added.results.allSatisfy { (try? $0.get()) != nil })
    let tracks = try #require([ObjectPath](wire: client.get("Tracks", of: list)))
    #expect(tracks.count == 54)
    let removing = tracks.dropFirst(4).map {
      BurstCall(interface: list, member: "RemoveTrack", arguments: [.objectPath($0)])
    }
    let removed = try client.burst(removing)
    #expect(removed.order == Array(0..<50) && removed.results.allSatisfy { (try? $0.get()) != nil })
    #expect(try client.get("Tracks", of: list) == .array(.objectPath, entries.map { MPRISStage.path($0) }))
  }

  @Test("what is added from the library, which has to be asked first, is not overtaken by files")
  func libraryFirst() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    let format = AudioFormat(rate: 8_000, channels: 1)
    try stage.folder.makeFolder("Music")
    for name in ["Music/known.wav", "other.wav"] {
      _ = try ToneFile.wav(name, Tone.sine(440, frames: 4_000, format), format, in: stage.folder)
    }
    #expect(try stage.fermata("library", "add", stage.folder.path("Music"), "--wait").status == .exited(0))
    let ids = try stage.fermata("library", "songs", "--ids").output.split(separator: "\n")
    let client = try MPRISClient(stage.bus)
    defer { client.close() }
    let added = ["item:\(ids[0])", try Tune.uri(stage.folder.path("other.wav"))].map { source in
      BurstCall(
        path: AgentDescriptions.path, interface: AgentDescriptions.queue.name, member: "Append",
        arguments: [.array(.string, [.string(source)])])
    }
    let results = try client.burst(added).results
    #expect(results.allSatisfy { (try? $0.get()) != nil }, "\(results)")
    let queue = try stage.fermata("queue", "list").output
    let (known, other) = (queue.firstRange(of: "known"), queue.firstRange(of: "other"))
    #expect(try #require(known).lowerBound < #require(other).lowerBound, "\(queue)")
  }

  @Test(
    "an edit over MPRIS that was answered survives a crash in that instant",
    arguments: ["AddTrack", "RemoveTrack", "OpenUri"])
  func crash(method: String) throws {
    let stage = try MPRISStage()
    let entries = try stage.begin(.paused)
    let client = stage.client
    let list = MPRISDescriptions.trackList.name
    switch method {
    case "AddTrack":
      try client.trackList("AddTrack", .string(stage.tunes[0]), MPRISStage.path(entries[0]), .boolean(false))
    case "RemoveTrack": try client.trackList("RemoveTrack", MPRISStage.path(entries[3]))
    default: try client.player("OpenUri", .string(stage.tunes[0]))
    }
    let before = try client.get("Tracks", of: list)
    try stage.stage.restartAfterCrash()
    #expect(try client.get("Tracks", of: list) == before)
    #expect(before != .array(.objectPath, entries.map { MPRISStage.path($0) }))
    try stage.stop()
  }

  @Test("with 50,000 entries in the queue, GetAll costs what it does with four")
  func long() throws {
    let small = try #require(SharedStage.current)
    try small.begin(.paused)
    let large = try MPRISStage()
    try large.begin(.paused)
    let path = large.stage.folder.path("long.m3u8")
    try large.stage.folder.write("long.m3u8", String(repeating: "tune 1.flac\n", count: 50_000))
    _ = try large.client.burst([
      BurstCall(
        path: AgentDescriptions.path, interface: AgentDescriptions.queue.name, member: "Append",
        arguments: [.array(.string, [.string(try Tune.uri(path))])])
    ])
    let calls = (0..<200).map { _ in
      BurstCall(interface: Self.properties, member: "GetAll", arguments: .arguments(Self.player))
    }
    var times: (small: [Duration], large: [Duration]) = ([], [])
    for _ in 0..<25 {
      times.small.append(try time { _ = try small.client.burst(calls) })
      times.large.append(try time { _ = try large.client.burst(calls) })
    }
    let (few, many) = (times.small.sorted()[12], times.large.sorted()[12])
    #expect(many < few * 1.5, "\(few) for 200 calls with 4 entries, \(many) with 50,004")
    try large.stop()
  }

  private func time(_ body: () throws -> Void) rethrows -> Duration {
    let start = Monotonic.now
    try body()
    return Monotonic.now - start
  }
}
