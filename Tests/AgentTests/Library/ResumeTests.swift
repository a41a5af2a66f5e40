// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

@Suite("Long items that go on where they were left", .serialized, .realTime, .endsAnyway)
struct ResumeTests {
  /// Two podcasts of a minute, in a library.
  private func podcasts(_ stage: AgentStage) throws {
    let format = AudioFormat(rate: 8_000, channels: 1)
    try stage.folder.makeFolder("Music")
    for (title, pitch) in [("one", 400.0), ("two", 500)] {
      _ = try ToneFile.flac(
        "Music/\(title).flac", Tone.sine(pitch, frames: 60 * 8_000, format), format,
        flags: ["--tag=TITLE=\(title)", "--tag=PODCAST=1", "--tag=GENRE=Podcast"], in: stage.folder)
    }
    #expect(try stage.fermata("library", "add", stage.folder.path("Music"), "--wait").status == .exited(0))
    #expect(try stage.fermata("library", "podcasts", "--ids").status == .exited(0))
  }

  /// Waits until the listener's place is in a range, in seconds.
  private func wait(for range: ClosedRange<Double>, _ stage: AgentStage) throws {
    let deadline = Deadline.patient
    while true {
      let place = stage.playerctl("position").flatMap { Double($0) } ?? -1
      if range.contains(place) { return }
      if deadline.hasPassed { throw KitError("the place is \(place), not in \(range)") }
    }
  }

  @Test(
    "a podcast goes on where it was left: after another one, after a crash and after a stop; songs do not")
  func goesOn() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    let recorder = try stage.server.record("speakers")
    try podcasts(stage)
    let one = stage.folder.path("Music/one.flac")
    #expect(try stage.fermata("play", one, stage.folder.path("Music/two.flac")).status == .exited(0))
    try stage.waitForStatus("Playing")
    try recorder.waitForSound(floor: 0.01)
    #expect(try stage.fermata("seek", "30").status == .exited(0))
    try wait(for: 30.2...40, stage)
    _ = try stage.fermata("next")
    try wait(for: 0...5, stage)
    #expect(stage.playerctl("metadata", "title") == "two")
    // Whoever follows the events takes a track that is announced to be at its beginning, so the place is told after that.
    let ear = try EventEar(stage.environment)
    _ = try stage.fermata("queue", "jump", "1")
    try ear.wait(for: #""event":"nowPlaying""#, #""title":"one""#)
    #expect(ear.hears(#""event":"seeked""#, within: .seconds(20)))
    try wait(for: 27...40, stage)
    _ = try stage.fermata("stop")
    _ = try stage.fermata("play")
    try wait(for: 24...45, stage)
    _ = try stage.fermata("pause")
    try stage.restartAfterCrash()
    _ = try stage.fermata("queue", "clear")

    // From the library now, in a new queue; also where it is the first that an agent is asked for.
    for _ in 0..<3 {
      #expect(try stage.fermata("play", one).status == .exited(0))
      try wait(for: 20...50, stage)
      try stage.restartAfterCrash()
      _ = try stage.fermata("queue", "clear")
      try stage.restartAfterCrash(into: "Stopped")
    }
    #expect(try stage.fermata("play", one).status == .exited(0))
    try wait(for: 20...50, stage)
    #expect(try stage.fermata("play", "--no-resume", one).status == .exited(0))
    try wait(for: 0...5, stage)
    try stage.stop()
  }

  @Test("a book in one file goes on in the chapter where it was left, also in another queue after a crash")
  func chapters() throws {
    let stage = try AgentStage(PrivatePulse(sinks: ["speakers"]))
    let recorder = try stage.server.record("speakers")
    let format = AudioFormat(rate: 8_000, channels: 1)
    try stage.folder.makeFolder("Music/book")
    _ = try ToneFile.flac(
      "Music/book/book.flac", Tone.sine(400, frames: 180 * 8_000, format), format,
      flags: ["--tag=TITLE=The Book", "--tag=GENRE=Audiobook"], in: stage.folder)
    let tracks = (0..<3).map {
      "  TRACK 0\($0 + 1) AUDIO\n    TITLE \"Chapter \($0 + 1)\"\n    INDEX 01 0\($0):00:00\n"
    }
    let sheet = "TITLE \"The Book\"\nFILE \"book.flac\" WAVE\n" + tracks.joined()
    try stage.folder.write("Music/book/book.cue", Array(sheet.utf8))
    let book = stage.folder.path("Music/book")
    #expect(try stage.fermata("library", "add", book, "--wait").status == .exited(0))
    #expect(try stage.fermata("play", book).status == .exited(0))
    try stage.waitForStatus("Playing")
    try recorder.waitForSound(floor: 0.01)
    _ = try stage.fermata("next")
    try stage.wait(for: "Chapter 2", from: "metadata", "title")
    #expect(try stage.fermata("seek", "30").status == .exited(0))
    try wait(for: 30.2...40, stage)
    _ = try stage.fermata("pause")
    try stage.restartAfterCrash()
    _ = try stage.fermata("queue", "clear")
    try stage.restartAfterCrash(into: "Stopped")
    #expect(try stage.fermata("play", book).status == .exited(0))
    try stage.wait(for: "Chapter 2", from: "metadata", "title")
    try wait(for: 27...50, stage)
    #expect(try stage.fermata("queue", "jump", "1").status == .exited(0))
    try stage.wait(for: "Chapter 1", from: "metadata", "title")
    try wait(for: 0...5, stage)
    try stage.stop()
  }
}
