// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

@Suite("What is announced as playing", .serialized, .realTime, .timeLimit(.minutes(5)))
struct AnnouncementTests {
  private let format = AudioFormat(rate: 44_100, channels: 1)

  /// The lines of events up to one that has these words, this one included.
  private func lines(_ events: Child, until words: String) throws -> [String] {
    var lines: [String] = []
    while lines.last?.contains(words) != true { lines.append(try events.nextLine(until: .patient)) }
    return lines
  }

  @Test("a track is announced once, with its tags; a corrected length is news of the item")
  func once() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    // Without a length tag, and of no constant bit rate: the length is only known when the whole file has been read.
    let files = try ["One", "Two"].map { title in
      try ToneFile.mp3(
        "\(title.lowercased()).mp3", Tone.sine(frames: 20 * 44_100, format), format,
        flags: ["-V5", "-t", "--tt", title], in: stage.folder)
    }
    let events = try stage.events()
    #expect(try stage.fermata(["play"] + files).status == .exited(0))
    var told = try lines(events, until: #""event":"nowPlaying""#)
    let id = stage.playerctl("metadata", "mpris:trackid")
    try stage.wait(for: "status", "--json", until: { $0.contains(#""duration":20"#) })
    #expect(stage.playerctl("metadata", "mpris:trackid") == id)
    #expect(try stage.fermata("next").status == .exited(0))
    told += try lines(events, until: #""title":"Two""#)
    told += try lines(events, until: #""event":"nowPlaying""#)
    // Whatever else is told of it comes before this.
    #expect(try stage.fermata("volume", "33%").status == .exited(0))
    told += try lines(events, until: #""volume":0.33"#)
    let announced = told.filter { $0.contains(#""event":"nowPlaying""#) }
    #expect(announced.count == 2, "\(told)")
    #expect(announced.first?.contains(#""title":"One""#) == true, "\(announced)")
    #expect(announced.last?.contains(#""title":"Two""#) == true, "\(announced)")
    #expect(told.contains { $0.contains(#""event":"items","items":[{"#) }, "\(told)")
    _ = events.stop(within: .patience)
    try stage.stop()
  }

  @Test(
    "what can't be played is marked with the reason and not announced, and a jump to it is refused",
    arguments: ["words.flac", "words.mp3"])
  func unplayable(name: String) throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    let words = try stage.folder.write(name, "words")
    let files = [try stage.makeShortTone("first.wav"), words, try stage.makeShortTone("last.wav")]
    let events = try stage.events()
    #expect(try stage.fermata(["play"] + files).status == .exited(0))
    var told = try lines(events, until: #""title":"first""#)
    try stage.wait(for: "queue", until: { $0.contains("words (is no sound that can be recognised)") })
    try stage.wait(for: "queue", "--json", until: { $0.contains(#""unplayable":"is no sound"#) })
    let jump = try stage.fermata("queue", "jump", "2")
    #expect(jump.status == .exited(1) && jump.errors.contains("is no sound"), "\(jump)")
    #expect(stage.playerctl("metadata", "title") == "first" && stage.playerctl("status") == "Playing")
    #expect(try stage.fermata("next").status == .exited(0))
    told += try lines(events, until: #""event":"nowPlaying","item":{"title":"last""#)
    #expect(!told.contains { $0.contains("nowPlaying") && $0.contains("words") }, "\(told)")
    #expect(told.contains { $0.contains("skipped") && $0.contains("words") }, "\(told)")
    _ = events.stop(within: .patience)
    try stage.stop()
  }
}
