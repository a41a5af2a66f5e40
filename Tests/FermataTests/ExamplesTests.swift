// SPDX-License-Identifier: MIT
import AudioModel
import Fermata
import FermataTestKit
import Testing

@Suite("The programs that show how the library is used", .serialized, .endsAnyway)
struct ExamplesTests {
  /// A program of which lines are read, and which is typed to.
  private struct Conversation {
    let child: Child

    init(_ stage: Stage, _ program: String, _ words: [String] = []) throws {
      child = try stage.startTalking(program, words)
    }

    func type(_ line: String) throws { try child.send(line + "\n") }

    /// Reads up to a line that has these words, and returns it.
    @discardableResult
    func line(with words: String) throws -> String { try lines(with: [words])[0] }

    /// Reads until there was a line with each of these words, in any order, and returns those lines.
    @discardableResult
    func lines(with words: [String]) throws -> [String] {
      let deadline = Deadline.patient
      var (found, others) = ([String?](repeating: nil, count: words.count), [String]())
      while found.contains(nil) {
        guard let line = try? child.nextLine(until: deadline) else {
          throw KitError("not all of \(words) came; there was \(others)")
        }
        others.append(line)
        for (index, words) in words.enumerated() where found[index] == nil && line.contains(words) {
          found[index] = line
        }
      }
      return found.compactMap { $0 }
    }
  }

  @Test("SimplePlayer finds, queues, plays, seeks and removes")
  func simplePlayer() async throws {
    try await Stage.run { stage in
      for (name, title) in [("a", "Blue Train"), ("b", "Blue Monk")] {
        try stage.write("\(name).flac", pitch: 300, ["TITLE": title, "ARTIST": "Somebody"])
      }
      try stage.fermata("library", "add", "--wait", stage.folder.path("Music"))
      let player = try Conversation(stage, "SimplePlayer")
      try player.line(with: "the queue is empty")
      try player.type("/blue train")
      #expect(try player.line(with: "+1") == "  +1  Blue Train – Somebody")
      try player.type("+1")
      #expect(try player.line(with: "Blue Train") == "  1 Blue Train")
      try player.type("/nothing like it")
      try player.line(with: "nothing found")
      try player.type("+1")
      try player.line(with: "no result has this number")
      try await stage.player.append([stage.tone("long")])
      #expect(try player.line(with: "long") == "  2 long")
      try player.type("2")
      // The rows are shown once more when the tags of the new one were read.
      try player.line(with: "▶ 2 long")
      try player.type(">")
      try await stage.wait(for: "the held seek") { try await stage.player.state == .seekingForward }
      try player.type("")
      try await stage.wait(for: "its end") { try await stage.player.state != .seekingForward }
      try player.type("-1")
      try player.line(with: "1 long")
      try player.type("-7")
      try player.line(with: "there is no such row")
      try player.type("q")
      #expect(player.child.exit(until: .patient) == .exited(0))
    }
  }

  @Test("MusicPanel shows what plays, its cover and how far it is, and presses buttons")
  func musicPanel() async throws {
    try await Stage.run { stage in
      try await stage.player.setQueue(with: [stage.tone("long")])
      let panel = try Conversation(stage, "MusicPanel")
      try panel.lines(with: ["nothing to play", "stopped"])
      try panel.type("p")
      try panel.lines(with: ["playing", "Unknown Artist – Unknown Album", "cover: file:///", "1:00"])
      try panel.type("+")
      try panel.line(with: "0:30 ━━━━━━━━━━━━━━━━━━━━")
      try panel.type("p")
      try panel.line(with: "paused")
      try panel.type("?")
      try panel.line(with: "p, s, n, b, + or -")
      try panel.type("s")
      try panel.line(with: "stopped")
    }
  }

  @Test("DrumDub plays music and drums; a call interrupts both, and only the music comes back by itself")
  func drumDub() async throws {
    try await Stage.run(.application) { stage in
      let tone = AudioFormat(rate: 8_000, channels: 1)
      let file = try stage.folder.write("music.wav", WAVFile.bytes(Tone.sine(frames: 60 * 8_000, tone), tone))
      let drums = try Conversation(stage, "DrumDub", [file])
      #expect(try drums.line(with: "1 ").contains("4 "))
      let recorder = try stage.server.record("speakers")
      try recorder.waitForSound()
      try drums.type("1234")
      do {
        let phone = try stage.server.play([0, 0], tone, on: "speakers", properties: ["media.role": "phone"])
        try drums.line(with: "the music is interrupted: call")
        try drums.type("1")
        try drums.line(with: "the pads are silent")
        withExtendedLifetime(phone) {}
      }
      try drums.line(with: "call is over: the music goes on")
      try drums.type("p")
      try drums.type("v 2")
      try drums.line(with: "from 0 to 1")
      let after = try stage.server.record("speakers")
      let silence = try after.waitForSilence(lasting: .milliseconds(300))
      try drums.type("2")
      try after.waitForSound(from: silence)
    }
  }
}
