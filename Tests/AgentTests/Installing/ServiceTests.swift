// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Glibc
import Testing

@Suite("As a service of systemd", .serialized, .realTime, .endsAnyway)
struct ServiceTests {
  @Test(
    "it is ready when its name answers, says what it does, and says when it ends", arguments: [false, true])
  func notices(isAbstract: Bool) throws {
    let folder = try TemporaryDirectory()
    let name = isAbstract ? "@fermata-service-\(getpid())" : folder.path("notify")
    let socket = try DatagramSocket(name)
    let bus = try PrivateBus()
    let server = try PrivatePulse(sinks: ["speakers"])
    let environment = bus.environment.merging(["PULSE_SERVER": server.serverAddress, "NOTIFY_SOCKET": name]) {
      $1
    }
    let agent = try Child(.beside("fermata"), ["agent"], environment: environment)
    #expect(try socket.texts(upTo: "STATUS=stopped") == ["READY=1", "STATUS=stopped"])
    let format = AudioFormat(rate: 44_100, channels: 2)
    let tone = try folder.write("tone.wav", WAVFile.bytes(Tone.sine(frames: 60 * 44_100, format), format))
    // Ready is ready: the very first command is not too early.
    _ = try Child.run(.beside("fermata"), ["play", tone], environment: environment)
    #expect(try socket.texts(upTo: "STATUS=playing").last == "STATUS=playing")
    _ = try Child.run(.beside("fermata"), ["pause"], environment: environment)
    #expect(try socket.next() == "STATUS=paused")
    #expect(agent.stop(within: .patience) == .exited(0))
    #expect(try socket.next() == "STOPPING=1")
    try server.stop()
    try bus.stop()
  }

  @Test("what was playing comes back paused, and is ready no sooner than it is known")
  func restored() throws {
    let folder = try TemporaryDirectory()
    let bus = try PrivateBus()
    let format = AudioFormat(rate: 44_100, channels: 2)
    let tone = try folder.write("tone.wav", WAVFile.bytes(Tone.sine(frames: 44_100, format), format))
    let environment = bus.environment.merging(["NOTIFY_SOCKET": folder.path("notify")]) { $1 }
    let socket = try DatagramSocket(folder.path("notify"))
    let first = try Child(.beside("fermata"), ["agent"], environment: environment)
    _ = try socket.texts(upTo: "READY=1")
    _ = try Child.run(.beside("fermata"), ["play", tone], environment: environment)
    #expect(try socket.texts(upTo: "STATUS=waiting for a sound server").count > 0)
    #expect(first.stop(within: .patience) == .exited(0))
    _ = try socket.texts(upTo: "STOPPING=1")
    let second = try Child(.beside("fermata"), ["agent"], environment: environment)
    // What it does may be told before: it waits, paused.
    #expect(
      try socket.texts(upTo: "READY=1").allSatisfy {
        ["STATUS=paused since the agent started", "READY=1"].contains($0)
      })
    let title = try Child.run(
      .beside("fermata"), ["status", "--format", "{title} {state}"], environment: environment)
    #expect(title == "tone paused\n")
    #expect(second.stop(within: .patience) == .exited(0))
    try bus.stop()
  }

  @Test(
    "the journal's lines have a priority in front, everybody else's have the name", arguments: [false, true])
  func prefixes(isJournal: Bool) throws {
    let bus = try PrivateBus()
    let program = try Program.beside("fermata").path
    // Only the shell knows what its standard error is, as systemd does when it names it.
    let stream = isJournal ? "$(stat -L -c %d:%i /proc/self/fd/2)" : "1:1"
    let agent = try Child(
      Program(path: "/bin/sh"), ["-c", "export JOURNAL_STREAM=\(stream); exec \"$0\" agent", program],
      environment: bus.environment)
    try agent.waitForError("on the bus as ")
    let lines = agent.standardError.split(separator: "\n")
    let starts = isJournal ? ["<4>", "<6>"] : ["fermata: "]
    #expect(lines.allSatisfy { line in starts.contains(where: line.hasPrefix) }, "\(lines)")
    #expect(agent.stop(within: .patience) == .exited(0))
    try bus.stop()
  }

  @Test(
    "in the background of a terminal it says in one line that it ends with that, and what lasts",
    arguments: [true, false])
  func terminal(isBackground: Bool) throws {
    let bus = try PrivateBus()
    let agent = "\(try Program.beside("fermata").path) agent"
    let terminal = try Child(
      .named("script", package: "bsdutils"),
      ["-qec", isBackground ? "set -m; \(agent) & wait" : agent, "/dev/null"],
      environment: bus.environment.merging(["SHELL": "/bin/sh"]) { $1 })
    try terminal.wait(for: "on the bus as ", in: \.standardOutput)
    let lines = terminal.standardOutput.split(separator: "\r\n").filter {
      $0.contains("setsid -f fermata agent")
    }
    #expect(lines.count == (isBackground ? 1 : 0), "\(terminal.standardOutput)")
    // A group of its own ends with the session, and not with the terminal's child.
    try bus.stop()
    #expect(terminal.exit(until: .patient) != nil)
  }

  @Test("asked to, the log says what decisions are made from; else nothing of it")
  func evidence() throws {
    for isVerbose in [true, false] {
      let bus = try PrivateBus()
      let folder = try TemporaryDirectory()
      let server = try PrivatePulse(sinks: ["headphones", "speakers"])
      let environment = bus.environment.merging(["PULSE_SERVER": server.serverAddress]) { $1 }
      let agent = try Child(
        .beside("fermata"), ["agent"] + (isVerbose ? ["--verbose"] : []), environment: environment)
      try agent.waitForError("on the bus as ")
      let format = AudioFormat(rate: 44_100, channels: 2)
      let samples = Tone.sine(frames: 30 * 44_100, format)
      _ = try Child.run(
        .beside("fermata"), ["play", try folder.write("tone.wav", WAVFile.bytes(samples, format))],
        environment: environment)
      let phone = try server.play(samples, format, properties: ["media.role": "phone"])
      try agent.waitForError("interrupted by ")
      withExtendedLifetime(phone) {}
      _ = try Child.run(
        .named("playerctl", package: "playerctl"), ["-p", "fermata", "pause"],
        environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address])
      try server.unload(sink: "headphones")
      try agent.waitForError("(oldDeviceUnavailable)")
      let evidence = [
        "order: play, by user", "as phone", "is 'playerctl', process ", "pulseaudio has sinks ",
      ]
      for words in evidence {
        #expect(agent.standardError.contains(words) == isVerbose, "\(words):\n\(agent.standardError)")
      }
      #expect(agent.stop(within: .patience) == .exited(0))
      try server.stop()
      try bus.stop()
    }
  }
}
