// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import CommandModel
import FaceModel
import FermataTestKit
import Glibc
import JobLogic
import PlaybackLogic
import Testing

@testable import FermataCommands

@Suite("A status that is followed, and events", .serialized)
struct FollowingTests {
  @Test(
    "a follower ends when its reader is gone, though nothing happens",
    arguments: ["status --follow | head -1", "status --follow | true", "events | true"])
  func readerGone(words: String) async throws {
    let agent = try await CommandStage.makeAgent(CommandStage.rows)
    let program = try FermataTestKit.Program.beside("fermata").path
    let child = try Child(
      .named("sh", package: "dash"), ["-c", "'\(program)' \(words)"], environment: agent.bus.environment)
    #expect(child.exit(until: .patient) == .exited(0))
    #expect(child.standardError.isEmpty)
    try await onLoop { agent.leftOut = [] }
  }

  @Test("a followed status is written once a step of the track, and when something changes that it shows")
  func pace() {
    typealias Step = (text: String, position: Duration?, isDue: Bool)
    let steps: [Step] = [
      ("a", .seconds(1), true), ("a", .milliseconds(1_900), false), ("a", .milliseconds(2_001), true),
      ("b", .milliseconds(2_500), true), ("b", .milliseconds(2_600), false), ("b", .seconds(1), true),
      ("b", nil, true), ("b", nil, false), ("a", nil, true), ("a", .seconds(-1), true),
      ("a", .zero, false),
    ]
    var pace = FollowPace(interval: .seconds(1))
    for (index, step) in steps.enumerated() {
      #expect(pace.isDue(step.text, position: step.position) == step.isDue, "step \(index)")
    }
    pace.placeChanged()
    let isDueAgain = pace.isDue("a", position: .zero)
    #expect(isDueAgain, "somebody has moved it")
    for (interval, position, wait) in [
      (1_000, 0, 1_005), (1_000, 999, 6), (1_000, 1_000, 1_005), (300, 1_000, 205), (500, -20, 505),
    ] {
      let pace = FollowPace(interval: .milliseconds(interval))
      #expect(pace.wait(at: .milliseconds(position)) == .milliseconds(wait), "\(interval) at \(position)")
    }
  }

  @Test(
    "the living line fits into any terminal, and has the times in it where there is room", arguments: 4...160)
  func livingLine(columns: Int) {
    var status = StatusFace(Faces.playing, position: .seconds(83))
    let line = LivingLine.text(status, columns: columns)
    #expect(line.width < max(4, columns), "\(line.rendered(.plain))")
    if columns >= 40 {
      #expect(line.rendered(.plain).contains("1:23") && line.rendered(.plain).contains("5:05"))
    }
    if columns >= 60 { #expect(line.rendered(.plain).hasPrefix("▶ Björk, Guest – Jóga  ")) }
    (status.state, status.why) = (.paused, "route")
    let paused = LivingLine.text(status, columns: columns).rendered(.plain)
    // A long title gives way to the reason.
    if columns >= 60 { #expect(paused.contains("(paused: its output is gone)"), "\(columns): \(paused)") }
    if columns >= 40 { #expect(paused.contains("1:23") && paused.contains("5:05"), "\(columns): \(paused)") }
    status.current = nil
    #expect(LivingLine.text(status, columns: columns).width < max(4, columns))
  }

  @Test("JSON and moving templates come as often as was asked, and only while a track plays")
  func interval() async throws {
    let agent = try await CommandStage.makeAgent(CommandStage.rows)
    for words in [["--json"], ["--format", "{positionSeconds}"]] {
      let child = try Child(
        .beside("fermata"), ["status", "--follow", "--interval", "0.05"] + words,
        environment: agent.bus.environment, isInteractive: true)
      var lines = Set<String>()
      while lines.count < 2 { lines.insert(try child.nextLine(until: .patient)) }
      child.stop()
    }
    try await onLoop { agent.face.state = .paused }
    let child = try Child(
      .beside("fermata"), ["status", "--follow", "--json", "--interval", "0.05"],
      environment: agent.bus.environment, isInteractive: true)
    _ = try child.nextLine(until: .patient)
    #expect(throws: KitError.self) { try child.nextLine(until: .after(.milliseconds(500))) }
  }

  @Test("the time that passes until the music falls asleep is no news")
  func sleeping() async throws {
    let agent = try await CommandStage.makeAgent { agent in
      CommandStage.rows(agent)
      agent.face.state = .paused
      agent.sleepEnd = AgentLoop.now + .seconds(1_800)
    }
    let child = try Child(
      .beside("fermata"), ["status", "--follow", "--json"], environment: agent.bus.environment,
      isInteractive: true)
    #expect(try child.nextLine(until: .patient).contains(#""sleep":1"#))
    // Each of these is a reason to ask for the status.
    let deadline = Deadline.patient
    let asked = { try await onLoop { agent.calls.count { $0.member == "Status" } } }
    while try await asked() < 6, !deadline.hasPassed {
      try await onLoop {
        let signal = AgentJobs.changed(Job(id: JobID(rawValue: 1), title: "a scan", state: .running))
        try agent.emit(AgentDescriptions.jobs, signal.0, signal.1)
      }
    }
    try await onLoop {
      agent.sleepEnd = AgentLoop.now + .seconds(600)
      try agent.emit(AgentDescriptions.player, "StateChanged", .arguments("paused", "user"))
    }
    let next = try child.nextLine(until: .patient)
    #expect(next.contains(#""sleep":59"#) || next.contains(#""sleep":600"#), "\(next)")
    child.stop()
  }

  /// A terminal's text without the codes for bold, dim and colours.
  private func unstyled(_ text: String) -> String {
    var (plain, rest) = ("", text[...])
    while let escape = rest.firstIndex(of: "\u{1B}") {
      plain += rest[..<escape]
      rest = rest[escape...]
      let code = rest.prefix { $0 == "\u{1B}" || $0 == "[" || $0 == ";" || $0.isNumber }
      rest = rest.dropFirst(code.count)
      if rest.first == "m" { rest.removeFirst() } else { plain += code }
    }
    return plain + rest
  }

  @Test("on a terminal that takes no codes, such as an editor's shell, it is a line for each change")
  func dumbTerminal() async throws {
    let agent = try await CommandStage.makeAgent(CommandStage.rows)
    let program = try FermataTestKit.Program.beside("fermata").path
    let terminal = try FermataTestKit.Program.named("script", package: "bsdutils")
    let child = try Child(
      terminal, ["-qec", "exec \(program) status --follow", "/dev/null"],
      environment: agent.bus.environment.merging(["SHELL": "/bin/sh", "TERM": "dumb"]) { $1 },
      isInteractive: true)
    let first = try child.text(through: "\n")
    #expect(first.contains("Jóga") && !first.contains("\u{1B}"), "\(first.debugDescription)")
    child.stop()
  }

  @Test("on a terminal it is one line that moves, is drawn anew for another width, and goes with Ctrl-C")
  func livingTerminal() async throws {
    let agent = try await CommandStage.makeAgent(CommandStage.rows)
    let program = try FermataTestKit.Program.beside("fermata").path
    let terminal = try FermataTestKit.Program.named("script", package: "bsdutils")
    let folder = try TemporaryDirectory()
    let pipe = folder.path("narrow")
    #expect(mkfifo(pipe, 0o600) == 0)
    let narrowing = "{ read word < \(pipe); stty cols 40 < /dev/tty; }"
    let child = try Child(
      terminal, ["-qec", "stty cols 60; \(narrowing) & exec \(program) status --follow", "/dev/null"],
      environment: agent.bus.environment.merging(["SHELL": "/bin/sh", "TERM": "xterm"]) { $1 },
      isInteractive: true)
    let first = unstyled(try child.text(through: "1:24"))
    #expect(
      first.contains("\r\u{1B}[J▶ Björk, Guest – Jóga  ") && !first.contains("\n"),
      "\(first.debugDescription)")
    try await onLoop {
      agent.face.state = .paused
      try agent.emit(AgentDescriptions.player, "StateChanged", .arguments("paused", "user"))
    }
    _ = try child.text(through: "(paused)")
    _ = try child.text(through: "\r")
    // Longer than two of its beats.
    let more = try? child.text(through: "\r", within: .milliseconds(700))
    #expect(more == nil, "nothing is written while it is paused")
    try folder.write("narrow", "now\n")
    #expect(try child.text(through: "\r") == "\r")
    let narrow = unstyled(try child.text(through: "\r"))
    let width = TerminalText.width(String(narrow.dropFirst(3).dropLast()))
    #expect(narrow.contains("1:23") && width < 40 && width > 30, "\(narrow.debugDescription)")
    try child.send("\u{3}")
    let rest = try child.text(through: nil)
    #expect(rest.hasSuffix("\r\u{1B}[J"), "\(rest.debugDescription)")
    #expect(child.exit(until: .patient) == .exited(130))
  }

  @Test("events and a followed status come line by line, and end with the agent")
  func following() async throws {
    let agent = try await CommandStage.makeAgent(CommandStage.rows)
    let status = try Child(
      .beside("fermata"), ["status", "--follow", "--format", "{state} {volume}"],
      environment: agent.bus.environment, isInteractive: true)
    #expect(try status.nextLine(until: .patient) == "playing 80%")
    let events = try Child(
      .beside("fermata"), ["events", "--json"], environment: agent.bus.environment, isInteractive: true)
    // A second client proves nothing about the first: tell until it hears.
    var line: String?
    for _ in 0..<100 where line == nil {
      try await onLoop {
        agent.face.volume = 0.5
        try agent.emit(AgentDescriptions.player, "StateChanged", .arguments("paused", "call"))
      }
      line = try? events.nextLine(until: .after(.milliseconds(100)))
    }
    #expect(line?.contains(#""event":"state","state":"paused","why":"call"}"#) == true)
    #expect(try status.nextLine(until: .patient) == "playing 50%")
    try await onLoop { agent.connection.close() }
    #expect(status.exit(until: .patient) == .exited(69))
    #expect(events.exit(until: .patient) == .exited(69))
  }
}
