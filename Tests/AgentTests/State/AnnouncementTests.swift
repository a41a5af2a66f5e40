// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import Testing

@Suite("What is announced as playing", .serialized, .realTime, .endsAnyway)
struct AnnouncementTests {
  private let format = AudioFormat(rate: 44_100, channels: 1)

  /// The lines of events up to one that has these words, this one included.
  private func lines(_ events: Child, until words: String) throws -> [String] {
    var lines: [String] = []
    while lines.last?.contains(words) != true { lines.append(try events.nextLine(until: .patient)) }
    return lines
  }

  /// Whether an event is news of this item, with the length that its whole file has.
  private func isCorrected(_ title: String, in line: String) -> Bool {
    line.contains(#""event":"items""#) && line.contains(#""title":"\#(title)","duration":20.0"#)
  }

  @Test("after the sound had stood still, whoever counts on by themselves is told where it is")
  func stoodStill() throws {
    let stage = try AgentStage(try PrivatePulse(sinks: ["speakers"]))
    let recorder = try stage.server.record("speakers")
    try stage.play(try stage.makeTone())
    let begin = try recorder.waitForSound()
    let ear = try EventEar(stage.environment)
    #expect(kill(stage.agent.processID, SIGSTOP) == 0)
    try recorder.waitForSilence(lasting: .seconds(4), from: begin)
    #expect(kill(stage.agent.processID, SIGCONT) == 0)
    // The place where it stood still is told at once, and the one from which it goes on only when it does.
    try ear.wait(for: #""event":"state""#, #""state":"playing""#)
    #expect(ear.hears(#""event":"seeked""#, within: .seconds(20)))
    try stage.stop()
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
    try stage.play(try stage.makeTone())
    let events = try stage.events()
    let desktop = try Child(
      Program.named("playerctl", package: "playerctl"),
      ["-p", "fermata", "--follow", "metadata", "--format", "{{title}} {{mpris:length}}"],
      environment: stage.environment, isInteractive: true)
    #expect(try desktop.nextLine(until: .patient) == "tone 60000000")
    #expect(try stage.fermata(["play"] + files).status == .exited(0))
    var told = try lines(events, until: #""title":"One","duration":20.0"#)
    #expect(try stage.fermata("next").status == .exited(0))
    told += try lines(events, until: #""event":"nowPlaying","item":{"title":"Two""#)
    // News of items is gathered for a moment, so it may come before the announcement or after it.
    if !told.contains(where: { isCorrected("Two", in: $0) }) {
      told += try lines(events, until: #""title":"Two","duration":20.0"#)
    }
    // Whatever else is told of it comes before this.
    #expect(try stage.fermata("volume", "33%").status == .exited(0))
    told += try lines(events, until: #""volume":0.33"#)
    // Of the same track only the length changes: a notifier that shows titles, or a scrobbler that counts tracks, has nothing to do.
    var seen: [String] = []
    while seen.last != "Two 20035918" { seen.append(try desktop.nextLine(until: .patient)) }
    let titles = seen.compactMap { $0.split(separator: " ").first }
    #expect(titles == titles.sorted() && Set(titles) == ["One", "Two"], "\(seen)")
    desktop.kill()
    let announced = told.filter { $0.contains(#""event":"nowPlaying""#) && !$0.contains(#""title":"tone""#) }
    #expect(announced.count == 2, "\(announced)")
    #expect(announced.first?.contains(#""title":"One""#) == true, "\(announced)")
    #expect(announced.last?.contains(#""title":"Two""#) == true, "\(announced)")
    for title in ["One", "Two"] {
      #expect(told.contains { isCorrected(title, in: $0) }, "\(told)")
    }
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
