// SPDX-License-Identifier: MIT
import AudioModel
import FaceModel
import FermataTestKit
import LibraryQuery
import MediaModel
import PlaybackLogic
import Testing

@Suite("Sorting the queue", .serialized, .realTime, .endsAnyway)
struct SortingTests {
  private func fermata(_ stage: StateStage, _ words: String...) throws -> String {
    try Child.run(.beside("fermata"), words, environment: stage.environment)
  }

  @Test(
    "the queue is sorted below the music: no sample changes, the row goes on, and what follows is another")
  func whilePlaying() async throws {
    let stage = try await StateStage()
    let (first, second, third) = (
      try Noise("b.wav", seed: 1, frames: 176_400, in: stage.folder),
      try Noise("a.wav", seed: 2, frames: 30_000, in: stage.folder),
      try Noise("c.wav", seed: 3, frames: 30_000, in: stage.folder)
    )
    let recorder = try stage.server.record("speakers")
    try await stage.caller.call(
      AgentCall.play([first.source, second.source, third.source], PlayOptions()))
    let start = try recorder.waitForSound()
    let before = try await stage.caller.entries()
    func trackID() throws -> String {
      try Child.run(
        .named("playerctl", package: "playerctl"), ["-p", "fermata", "metadata", "mpris:trackid"],
        environment: stage.environment)
    }
    let track = try trackID()
    #expect(
      try fermata(stage, "queue", "sort", "path")
        == "3 tracks sorted by path; 'fermata queue undo' takes it back\n")
    #expect(try await stage.caller.entries() == [before[1], before[0], before[2]])
    #expect(try fermata(stage, "queue", "undo") == "Undone: 3 tracks sorted by path\n")
    #expect(try await stage.caller.entries() == before)
    #expect(try fermata(stage, "queue", "redo") == "Done again: 3 tracks sorted by path\n")
    #expect(try trackID() == track)
    #expect(try fermata(stage, "queue", "sort", "title") == "Already in order by title\n")
    #expect(recorder.frames < start + 176_400, "it took too long for the first track")
    // After b comes c: a stands before it now.
    let recording = try recorder.wait(forFrames: start + 206_400, within: .patience)
    let difference = recording.firstDifference(from: first.samples + third.samples)
    #expect(difference == nil, "sample \(difference ?? 0)")
    try stage.stop()
  }

  @Test("a crash loses neither the order nor the way back")
  func stored() async throws {
    let stage = try await StateStage()
    let sources = try ["c", "a", "b"].map {
      try Noise("\($0).wav", seed: 1, frames: 3_000, in: stage.folder).source
    }
    try await stage.caller.call(AgentCall(.append(sources)))
    let before = try await stage.caller.entries()
    #expect(
      try fermata(stage, "queue", "sort", "-path", "--rows", "2-3").contains("2 tracks sorted by -path"))
    stage.kill()
    try await stage.restart()
    #expect(try await stage.caller.entries() == [before[0], before[2], before[1]])
    #expect(try fermata(stage, "queue", "undo") == "Undone: 2 tracks sorted by -path\n")
    #expect(try await stage.caller.entries() == before)
    try stage.stop()
  }

  @Test("tags come from the library, and from files that it does not have; what can't be read stands last")
  func tags() async throws {
    let library = try await LibraryStage()
    let stage = library.stage
    try library.write(
      "1.flac", pitch: 400, tags: ["TITLE": "Two", "ARTIST": "B", "ALBUM": "X", "TRACKNUMBER": "2"])
    try library.write(
      "2.flac", pitch: 500, tags: ["TITLE": "One", "ARTIST": "B", "ALBUM": "X", "TRACKNUMBER": "1"])
    try await library.add()
    let format = AudioFormat(rate: 8_000, channels: 1)
    let stranger = try ToneFile.flac(
      "stranger.flac", Tone.sine(600, frames: 4_000, format), format,
      flags: ["--tag=TITLE=Alone", "--tag=ARTIST=The A", "--tag=ALBUM=Y"], in: stage.folder)
    let lost = try stage.folder.write("lost.wav", WAVFile.bytes(Tone.sine(700, frames: 400, format), format))
    _ = try fermata(stage, "add", library.path("1.flac").text, lost, library.path("2.flac").text, stranger)
    _ = try Child.run(.named("rm", package: "coreutils"), [lost])
    // What was read before is forgotten.
    stage.kill()
    try await stage.restart()
    let sorted = try fermata(stage, "queue", "sort", "--json")
    #expect(sorted == #"{"by":["album"],"rows":4,"moved":4,"unread":1}"# + "\n")
    func titles() async throws -> [String] {
      let reply = try await stage.caller.call(.list(from: 1, count: 9))
      return try QueuePage(reply: reply).items.map(\.item.displayTitle)
    }
    #expect(try await titles() == ["Alone", "One", "Two", "lost"])
    let item = try await library.item(titled: "Two")
    _ = try fermata(stage, "library", "rate", "\(item.item.id?.rawValue ?? 0)", "4")
    #expect(
      try fermata(stage, "queue", "sort", "-rating", "title")
        == """
        4 tracks sorted by -rating, title; 'fermata queue undo' takes it back
        1 that could not be read stands last

        """)
    #expect(try await titles() == ["Two", "Alone", "One", "lost"])
    try stage.stop()
  }

  @Test("what is no order is refused, over the bus too, and the queue stays as it is")
  func refusals() async throws {
    let stage = try await StateStage()
    let source = try Noise("a.wav", seed: 1, frames: 3_000, in: stage.folder).source
    func refusal(_ words: String...) throws -> String {
      let child = try Child(.beside("fermata"), ["queue", "sort"] + words, environment: stage.environment)
      #expect(child.exit(until: .patient) != .exited(0))
      return child.standardError
    }
    #expect(try refusal().contains("the queue is empty"))
    try await stage.caller.call(AgentCall(.append([source])))
    #expect(try refusal().contains("one row is in every order already"))
    try await stage.caller.call(AgentCall(.append([source])))
    #expect(try refusal("--rows", "3-4").contains("the queue has 2 rows"))
    let entries = try await stage.caller.entries()
    for entries in [[entries[0], EntryID(rawValue: 99)], [entries[0], entries[0]]] {
      await #expect(throws: (any Error).self) {
        try await stage.caller.call(AgentCall(.sort(.byAlbum, entries)))
      }
    }
    #expect(try await stage.caller.entries() == entries)
    try stage.stop()
  }
}
