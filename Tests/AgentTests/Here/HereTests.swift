// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import Testing

@Suite("The player inside a process", .serialized, .realTime, .endsAnyway)
struct HereTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func tune(_ name: String, seconds: Double) throws -> String {
    let format = AudioFormat(rate: 44_100, channels: 2)
    return try folder.write(name, WAVFile.bytes(Tone.sine(frames: Int(seconds * 44_100), format), format))
  }

  private func play(_ words: String..., on server: String, systemBus: PrivateBus? = nil) throws -> Child {
    try Child(
      .beside("fermata"), ["play", "--here"] + words,
      environment: [
        "HOME": folder.path, "PULSE_SERVER": server,
        "DBUS_SYSTEM_BUS_ADDRESS": systemBus?.address ?? "unix:path=\(folder.path)/no-bus",
      ], isStoppable: true)
  }

  @Test(
    "plays what it was given to its end, and writes a line for each track that is heard where no terminal is")
  func plays() throws {
    let server = try PrivatePulse(sinks: ["speakers"])
    let recorder = try server.record("speakers")
    let child = try play(
      try tune("a.wav", seconds: 0.5), try tune("b.wav", seconds: 0.5), on: server.serverAddress)
    try recorder.waitForSound(floor: 0.01)
    #expect(child.exit(until: .patient) == .exited(0))
    #expect(child.standardOutput == "a\nb\n")
    #expect(child.standardError.isEmpty)
    try server.stop()
  }

  @Test("on PipeWire it ends only when the last frame was heard, which may be in the middle of a long cycle")
  func lastFrame() throws {
    for seconds in [1.134, 1.157] {
      let server = try PrivatePipeWire(sinks: ["speakers"])
      let recorder = try server.record("speakers", latency: .milliseconds(100))
      let child = try play(try tune("a.wav", seconds: seconds), on: server.serverAddress)
      let start = try recorder.waitForSound(floor: 0.01)
      #expect(child.exit(until: .patient) == .exited(0))
      try recorder.waitForSilence(lasting: .milliseconds(500), from: start, floor: 0.01)
      let end = try #require(recorder.recording.lastSound(floor: 0.01))
      #expect(abs(Double(end - start) - seconds * 44_100) < 100, "\(end - start)")
      try server.stop()
    }
  }

  @Test("the machine waits until it is silent, and it stays silent when the machine woke up")
  func sleeps() throws {
    let bus = try PrivateBus()
    let logind = try PrivateLogind(on: bus)
    let server = try PrivatePulse(sinks: ["speakers"])
    let recorder = try server.record("speakers")
    let child = try play(try tune("a.wav", seconds: 60), on: server.serverAddress, systemBus: bus)
    let start = try recorder.waitForSound(floor: 0.01)
    try logind.waitForRequests(1)
    logind.prepareForSleep(true)
    try logind.waitForRelease()
    try recorder.waitForSilence(lasting: .milliseconds(500), from: start, floor: 0.01)
    logind.prepareForSleep(false)
    try logind.waitForRequests(2)
    let woken = recorder.frames
    try recorder.wait(forFrames: woken + 44_100)
    #expect(try #require(recorder.recording.lastSound(floor: 0.01)) < woken)
    child.send(signal: SIGINT)
    #expect(child.exit(until: .patient) == .killed(SIGINT))
    try server.stop()
    try bus.stop()
  }

  @Test(
    "more than PipeWire's buffers hold at once is heard without a break",
    arguments: [(96_000, 6), (192_000, 3)])
  func wide(rate: Int, channels: Int) throws {
    let format = AudioFormat(rate: rate, channels: channels)
    let file = try folder.write("wide.wav", WAVFile.bytes(Tone.sine(frames: 5 * rate, format), format))
    let server = try PrivatePipeWire(sinks: ["speakers"])
    let recorder = try server.record("speakers")
    let child = try play(file, on: server.serverAddress)
    let start = try recorder.waitForSound(floor: 0.01)
    #expect(child.exit(until: .patient) == .exited(0))
    try recorder.waitForSilence(lasting: .milliseconds(500), from: start, floor: 0.01)
    let heard = try #require(recorder.recording.lastSound(floor: 0.01)) - start
    #expect(heard > recorder.format.frames(in: .milliseconds(4_900)), "\(heard)")
    #expect(
      recorder.recording.gaps(ofAtLeast: recorder.format.frames(in: .milliseconds(50)), floor: 0.01) == [])
    try server.stop()
  }

  @Test("where nothing is named a tune of its own is heard, and it says how something else would be")
  func ownTune() throws {
    let server = try PrivatePulse(sinks: ["speakers"])
    let recorder = try server.record("speakers")
    let child = try play("--no-resume", on: server.serverAddress)
    try recorder.waitForSound(floor: 0.01)
    // It is written a moment after it is heard.
    let deadline = Deadline.patient
    while child.standardOutput.isEmpty, !deadline.hasPassed {
      try recorder.wait(forFrames: recorder.frames + 441)
    }
    child.send(signal: SIGINT)
    #expect(child.exit(until: .patient) == .killed(SIGINT))
    #expect(child.standardOutput == "A tune\n" && child.standardError.contains("play --here SOURCE…"))
    try server.stop()
  }

  @Test("a signal ends it in order, and a shell sees which", arguments: [SIGINT, SIGTERM, SIGHUP])
  func signals(signal: Int32) throws {
    let server = try PrivatePulse(sinks: ["speakers"])
    let recorder = try server.record("speakers")
    let child = try play(try tune("a.wav", seconds: 30), on: server.serverAddress)
    try recorder.waitForSound(floor: 0.01)
    child.send(signal: signal)
    #expect(child.exit(until: .patient) == .killed(signal))
    #expect(child.standardError.isEmpty)
    try server.stop()
  }

  @Test("a process that is stopped is silent at once, and plays on when it goes on")
  func stopped() throws {
    let server = try PrivatePulse(sinks: ["speakers"])
    let recorder = try server.record("speakers")
    let child = try play(try tune("a.wav", seconds: 60), on: server.serverAddress)
    try recorder.waitForSound(floor: 0.01)
    child.send(signal: SIGTSTP)
    var information = siginfo_t()
    #expect(waitid(P_PID, id_t(child.processID), &information, WSTOPPED) == 0)
    // What the server has of it would sound on for seconds.
    #expect(try server.control.world().sinkInputs.map(\.isCorked) == [true])
    child.send(signal: SIGCONT)
    try server.control.wait(for: "sound again") { $0.sinkInputs.map(\.isCorked) == [false] }
    child.send(signal: SIGINT)
    #expect(child.exit(until: .patient) == .killed(SIGINT))
    try server.stop()
  }

  @Test("a seek past the end of a track that is not open goes by its tags: after the last one is the end")
  func seekPastEnd() throws {
    let server = try PrivatePulse(sinks: ["speakers"])
    let recorder = try server.record("speakers")
    let tunes = try ["a.wav", "b.wav"].map { try tune($0, seconds: 20) }
    let words = try [Program.beside("fermata").path, "play", "--here"] + tunes
    // Keys are read from a terminal only.
    let terminal = try Program.named("script", package: "bsdutils")
    let child = try Child(
      terminal, ["-qec", "exec \(words.joined(separator: " "))", "/dev/null"],
      environment: [
        "HOME": folder.path, "PULSE_SERVER": server.serverAddress, "SHELL": "/bin/sh", "TERM": "xterm",
      ],
      isInteractive: true)
    try recorder.waitForSound(floor: 0.01)
    // Pause, the second one, and a minute on from there once its length is known.
    try child.send(" n")
    let begun = try child.text(through: "(paused)") + child.text(through: " 0:20")
    try child.send("\u{1B}[5~")
    let shown = try begun + child.text(through: nil)
    #expect(!shown.contains("1:00"))
    // The cursor waits before the line, so that a narrower terminal's several lines are all behind it.
    // Nothing of it stays.
    let lines = shown.split(separator: "\r\u{1B}[J", omittingEmptySubsequences: false).dropFirst()
    #expect(lines.count > 1 && lines.last == "", "\(shown.debugDescription)")
    #expect(lines.dropLast().allSatisfy { $0.hasSuffix("\r") }, "\(shown.debugDescription)")
    #expect(child.exit(until: .patient) == .exited(0))
    try server.stop()
  }

  @Test(
    "a question mark shows the keys, next on the last row says that it is, and q leaves nothing of the line")
  func keys() throws {
    let server = try PrivatePulse(sinks: ["speakers"])
    let recorder = try server.record("speakers")
    let words = [try Program.beside("fermata").path, "play", "--here", try tune("a.wav", seconds: 60)]
    let terminal = try Program.named("script", package: "bsdutils")
    let child = try Child(
      terminal, ["-qec", "exec \(words.joined(separator: " "))", "/dev/null"],
      environment: [
        "HOME": folder.path, "PULSE_SERVER": server.serverAddress, "SHELL": "/bin/sh", "TERM": "xterm",
      ],
      isInteractive: true)
    try recorder.waitForSound(floor: 0.01)
    try child.send("?n")
    let keys = try child.text(through: "nothing comes after this")
    #expect(keys.contains("pause, play") && keys.contains("previous track"))
    // Four lines stand below the one that lives, and the cursor goes back to that.
    #expect(keys.contains("\r\u{1B}[4A\r\u{1B}[J"), "\(keys.debugDescription)")
    try child.send("?q")
    let shown = try child.text(through: nil)
    #expect(
      shown.contains("\u{1B}[4A\r\u{1B}[J") && shown.hasSuffix("\r\u{1B}[J"), "\(shown.debugDescription)")
    #expect(child.exit(until: .patient) == .exited(0))
    try server.stop()
  }

  @Test("in the background of a terminal it plays on, and neither reads there nor writes")
  func background() throws {
    let server = try PrivatePulse(sinks: ["speakers"])
    let tune = try tune("a.wav", seconds: 0.5)
    let program = try Program.beside("fermata").path
    let terminal = try Program.named("script", package: "bsdutils")
    let child = try Child(
      terminal, ["-qec", "sh -mc '\(program) play --here \(tune) & wait $!; echo status $?'", "/dev/null"],
      environment: [
        "HOME": folder.path, "PULSE_SERVER": server.serverAddress, "SHELL": "/bin/sh", "TERM": "xterm",
      ],
      isInteractive: true)
    // A key that is nobody's: whoever reads it in the background is stopped.
    var shown = try child.ask("n")
    while !shown.contains("status") { shown += try child.nextLine(until: .patient) }
    #expect(shown.contains("status 0") && !shown.contains("▶"), "\(shown)")
    #expect(child.exit(until: .patient) == .exited(0))
    try server.stop()
  }

  @Test(
    "files that turn out to be without a frame of sound end it, whatever is to be repeated; something was heard before",
    arguments: ["all", "one"])
  func soundless(mode: String) throws {
    let server = try PrivatePulse(sinks: ["speakers"])
    let recorder = try server.record("speakers")
    try folder.makeFolder(".config/fermata")
    try folder.write(".config/fermata/fermata.conf", "repeat = \(mode)\n")
    let names = ["a.wav", "b.wav", "c.wav"]
    let child = try play(
      try tune("a.wav", seconds: 2), try tune("b.wav", seconds: 2), try tune("c.wav", seconds: 2),
      on: server.serverAddress)
    try recorder.waitForSound(floor: 0.01)
    // As an aborted recording leaves them.
    for name in names { _ = try tune(name, seconds: 0) }
    #expect(child.exit(until: .patient) == .exited(0))
    #expect(child.standardError.contains("has no sound"), "\(child.standardError)")
    try server.stop()
  }

  @Test("between them and files that sound, Ctrl-C is answered")
  func soundlessAndInterrupted() throws {
    let server = try PrivatePulse(sinks: ["speakers"])
    let recorder = try server.record("speakers")
    try folder.makeFolder(".config/fermata")
    try folder.write(".config/fermata/fermata.conf", "repeat = all\n")
    let child = try play(
      try tune("a.wav", seconds: 0.05), try tune("b.wav", seconds: 0), try tune("c.wav", seconds: 0),
      on: server.serverAddress)
    try recorder.waitForSound(floor: 0.01)
    try recorder.wait(forFrames: recorder.frames + 44_100)
    child.send(signal: SIGINT)
    #expect(child.exit(until: .patient) == .killed(SIGINT))
    try server.stop()
  }

  @Test("without a sound server it waits some seconds, says so, and ends with 69")
  func noServer() throws {
    let child = try play(try tune("a.wav", seconds: 0.5), on: "unix:\(folder.path)/none")
    #expect(child.exit(until: .patient) == .exited(69))
    #expect(child.standardError.contains("sound server: "))
  }

  @Test("without an output, and without keys to go on later, it says so and ends with 69")
  func noOutput() throws {
    let server = try PrivatePulse(sinks: [])
    let child = try play(try tune("a.wav", seconds: 0.5), on: server.serverAddress)
    #expect(child.exit(until: .patient) == .exited(69))
    #expect(child.standardError.contains("there is no output that anyone could hear"))
    try server.stop()
  }

  @Test("where it begins anywhere and nothing plays, that is told as well")
  func nothingAnywhere() throws {
    let server = try PrivatePulse(sinks: ["speakers"])
    let files = try (0..<4).map { try folder.write("\($0).mp3", "words") }
    // Each begins at another one.
    for _ in 0..<4 {
      let child = try play("--random", files[0], files[1], files[2], files[3], on: server.serverAddress)
      #expect(child.exit(until: .patient) == .exited(65))
    }
    try server.stop()
  }

  @Test("what is not there ends with 66, what does not play with 65, and a typo in the settings is only told")
  func refusals() throws {
    let server = try PrivatePulse(sinks: ["speakers"])
    let missing = try play("\(folder.path)/none.mp3", on: server.serverAddress)
    #expect(missing.exit(until: .patient) == .exited(66))
    #expect(missing.standardError.contains("no such file"))
    let text = try play(try folder.write("text.mp3", "words"), on: server.serverAddress)
    #expect(text.exit(until: .patient) == .exited(65))
    #expect(text.standardError.contains("text.mp3"))
    try folder.makeFolder(".config/fermata")
    try folder.write(".config/fermata/fermata.conf", "loudness = louder\n")
    let settings = try play(try tune("b.wav", seconds: 0.1), on: server.serverAddress)
    #expect(settings.exit(until: .patient) == .exited(0))
    #expect(settings.standardError.contains("line 1"))
    try server.stop()
  }
}
