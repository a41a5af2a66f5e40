// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import Testing

@Suite("The list of the queue", .serialized, .realTime, .endsAnyway)
struct ListingTests {
  private let format = AudioFormat(rate: 8_000, channels: 1)

  private func fermata(_ stage: AgentStage, _ words: String...) throws -> String {
    try Child.run(.beside("fermata"), words, environment: stage.environment)
  }

  /// Copies of one tagged file, each with a title of its own of four digits.
  private func makeAlbum(of count: Int, _ folder: TemporaryDirectory) throws -> String {
    let flac = try ToneFile.flac(
      "base.flac", Tone.sine(frames: 8_000, format), format, flags: ["-TTITLE=0000"], in: folder)
    var bytes = try contents(of: flac)
    let at = try #require(bytes.firstRange(of: Array("TITLE=".utf8))).upperBound
    try folder.makeFolder("album")
    for number in 1...count {
      bytes.replaceSubrange(at..<at + 4, with: String(10_000 + number).utf8.dropFirst())
      try folder.write("album/track-\(10_000 + number).flac", bytes)
    }
    return "\(folder.path)/album"
  }

  private func contents(of path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
  }

  @Test("all are listed that come next, also where their tags are too long for one answer")
  func longTags() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    try stage.folder.makeFolder("long")
    for number in 1...300 {
      let title = "\(number) " + String(repeating: "x", count: 3_000)
      try stage.folder.write("long/\(1_000 + number).mp3", TaggedSong.mp3(title))
    }
    _ = try fermata(stage, "add", stage.folder.path("long"))
    try stage.wait(for: "queue", "--json") {
      $0.split(separator: "xxxx\"", omittingEmptySubsequences: false).count > 300
    }
    let next = try fermata(stage, "queue", "upcoming", "250", "--json")
    #expect(next.split(separator: "xxxx\"", omittingEmptySubsequences: false).count == 251)
  }

  @Test(
    "each row has its title and length, however long the queue is, and what plays keeps its own",
    arguments: [40, 1_500])
  func titles(count: Int) throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    let album = try makeAlbum(of: count, stage.folder)
    let events = try listen(stage)
    _ = try fermata(stage, "play", album)
    _ = try fermata(stage, "pause")
    try stage.wait(for: "0001", from: "metadata", "title")
    var lines = try fermata(stage, "queue").split(separator: "\n")
    #expect(lines.count == count + 1)
    // A disk that others use may take longer than a list waits.
    let deadline = Deadline.patient
    while lines.contains(where: { $0.contains("track-") }), !deadline.hasPassed {
      lines = try fermata(stage, "queue").split(separator: "\n")
    }
    #expect(!lines.contains { $0.contains("track-") })
    #expect(lines.first?.contains("0001") == true && lines.first?.contains("0:01") == true)
    _ = try fermata(stage, "queue", "--json")
    _ = try fermata(stage, "queue")
    // Told in order: what the lists made known stands before this.
    _ = try fermata(stage, "volume", "33%")
    wait(for: #""volume":0.33"#, in: events, stage)
    let told = events.standardOutput.split(separator: "\n")
    #expect(told.contains { $0.contains(#""volume":0.33"#) })
    #expect(told.count { $0.contains("nowPlaying") } == 1, "\(told)")
    _ = events.stop(within: .patience)
    try stage.stop()
  }

  @Test("with --tags it waits until all tags have been read, however long the disk takes")
  func patient() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    let album = try makeAlbum(of: 30, stage.folder)
    // The thread begins with the first row that is listed.
    _ = try fermata(stage, "add", try stage.makeTone())
    _ = try fermata(stage, "queue")
    let held = try HeldThread(named: "reading", of: stage.agent.processID)
    _ = try fermata(stage, "add", album)
    let lists = try [["list", "--json"], ["list", "--json", "--tags"]].map { words in
      try Child(.beside("fermata"), ["queue"] + words, environment: stage.environment)
    }
    // A list as a rule takes half a second at most, and says what it does not know.
    #expect(lists[0].exit(until: .patient) == .exited(0))
    #expect(lists[0].standardOutput.contains(#""unread":true"#))
    #expect(lists[1].exit(until: .after(.seconds(2))) == nil)
    held.release()
    #expect(lists[1].exit(until: .patient) == .exited(0))
    let list = lists[1].standardOutput
    #expect(
      list.contains(#""title":"0001""#) && list.contains(#""title":"0030""#) && !list.contains("unread"))
    try stage.stop()
  }

  /// The agent's events, from now on.
  private func listen(_ stage: AgentStage) throws -> Child {
    let events = try Child(.beside("fermata"), ["events", "--json"], environment: stage.environment)
    let deadline = Deadline.patient
    for level in 40...80 {
      _ = try fermata(stage, "volume", "\(level)%")
      if events.standardOutput.contains("volume") || deadline.hasPassed { break }
    }
    return events
  }

  private func wait(for words: String, in events: Child, _ stage: AgentStage) {
    let deadline = Deadline.patient
    while !events.standardOutput.contains(words), !deadline.hasPassed { stage.playerctl("status") }
  }

  @Test("the tracks of a CUE sheet have its titles and their own lengths")
  func sheet() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    try stage.folder.write("mix.wav", WAVFile.bytes(Tone.sine(frames: 80_000, format), format))
    let cue = """
      TITLE "The Mix"
      PERFORMER "Many"
      FILE "mix.wav" WAVE
        TRACK 01 AUDIO
          TITLE "One"
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE "Two"
          PERFORMER "Somebody"
          INDEX 01 00:04:00
      """
    let path = try stage.folder.write("mix.cue", Array(cue.utf8))
    _ = try fermata(stage, "add", path)
    #expect(
      try fermata(stage, "queue") == """
           1  One  Many      The Mix  0:04
           2  Two  Somebody  The Mix  0:06

        2 tracks, 0:10

        """)
    try stage.stop()
  }
}
