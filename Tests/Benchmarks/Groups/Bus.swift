// SPDX-License-Identifier: MIT
import FermataTestKit

extension Bench {
  private static let calls = 2000
  private static let longQueue = 50_000

  /// What a shell waits for: the name, answers one after the other and many at once, and silence.
  func bus() throws -> [Figure] {
    let stage = try Stage.card(self)
    let connecting = try median { try Agent(on: stage).connecting.milliseconds }
    let echo = try Child(
      Self.bare, ["echo", "org.fermata.Bare"], environment: stage.environment, isInteractive: true)
    _ = try echo.nextLine(until: .after(.seconds(5)))
    let agent = try Agent(on: stage)
    if program != nil { try open(try Tunes.tagged("tagged.mp3", in: stage.directory), agent, stage) }
    var figures = [
      Figure(name: "exec to bus name", ours: connecting, unit: "ms", budget: .atMost(10), note: agent.name)
    ]
    figures += try roundTrips(agent, stage)
    figures.append(try pipelined(agent, stage))
    if program != nil {
      figures.append(try pauseToSilence(agent, stage))
      figures.append(try longQueue(agent, stage))
    }
    if let program { try shorten(Program(path: program), agent, stage) }
    try agent.child.check()
    agent.child.stop(within: .seconds(5))
    if let program { figures.append(try instructions(Program(path: program), stage)) }
    return figures
  }

  /// Leaves one track in the queue. The files of a long one would be looked at while something else is counted.
  private func shorten(_ program: Program, _ agent: Agent, _ stage: Stage) throws {
    try Child.run(program, ["queue", "clear"], environment: stage.environment)
    try open(try Tunes.tagged("tagged.mp3", in: stage.directory), agent, stage)
  }

  // MARK: Answers

  private func roundTrips(_ agent: Agent, _ stage: Stage) throws -> [Figure] {
    let bus = ["org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetId"]
    let player = [agent.busName, "/org/mpris/MediaPlayer2"]
    var times: [[Double]] = [[], [], [], []]
    // In turns, so that whatever else the machine does meets all of them.
    for _ in 0..<runs {
      times[0].append(try time(bus, [], stage))
      times[1].append(try time(Self.echo, [], stage))
      times[2].append(try time(player + Self.ping, [], stage))
      times[3].append(try time(player + Self.getAll, [Self.player], stage))
    }
    let limits = [("the bus's own GetId", times[0].median), ("Ping in bare C", times[1].median)]
    return [
      Figure(name: "Ping", ours: times[2].median, unit: "µs", others: limits),
      Figure(
        name: "GetAll(Player)", ours: times[3].median, unit: "µs", budget: .atMost(50), others: limits,
        note: program == nil ? "the modules with a sample of properties" : "of a tagged track"),
    ]
  }

  private func pipelined(_ agent: Agent, _ stage: Stage) throws -> Figure {
    let player = [agent.busName, "/org/mpris/MediaPlayer2"] + Self.getAll
    var rates: [[Double]] = [[], []]
    for _ in 0..<runs {
      rates[0].append(try BareClient.rate(Self.echo, count: 20_000, stage.environment))
      rates[1].append(try BareClient.rate(player, count: 5_000, texts: [Self.player], stage.environment))
    }
    return Figure(
      name: "GetAll(Player), 64 under way", ours: rates[1].median, unit: "calls/s",
      others: [("Ping in bare C", rates[0].median)], note: "more is better")
  }

  /// What an answer costs the agent, whatever else the machine does: the difference of two runs.
  private func instructions(_ program: Program, _ stage: Stage) throws -> Figure {
    let counts = try [100, 1_100].map { calls in
      let (child, _) = try BareClient.time(ofOwner: ProgramPlayer.busName, stage.environment) {
        try Callgrind.start(
          Program(path: program.path + "-agent"), ["agent"], environment: stage.environment)
      }
      let player = [ProgramPlayer.busName, "/org/mpris/MediaPlayer2"] + Self.getAll
      _ = try BareClient.ask(player, count: calls, texts: [Self.player], stage.environment)
      child.stop(within: .seconds(60))
      return try Callgrind.count(of: child)
    }
    return Figure(
      name: "instructions of a GetAll(Player)", ours: (counts[1] - counts[0]) / 1_000, unit: "",
      budget: .atMost(100_000), note: "by callgrind, the agent alone")
  }

  private static let player = "org.mpris.MediaPlayer2.Player"
  private static let ping = ["org.freedesktop.DBus.Peer", "Ping"]
  private static let getAll = ["org.freedesktop.DBus.Properties", "GetAll"]
  private static let echo = ["org.fermata.Bare", "/"] + ping

  private func time(_ words: [String], _ texts: [String], _ stage: Stage) throws -> Double {
    try BareClient.ask(words, count: Self.calls, texts: texts, stage.environment).time / .microseconds(1)
  }

  // MARK: The program itself

  /// Tells the agent to do something; answers when.
  @discardableResult
  private func tell(_ agent: Agent, _ member: String, _ texts: [String] = [], on stage: Stage) throws
    -> Duration
  {
    let target = [agent.busName, "/org/mpris/MediaPlayer2", Self.player, member]
    return try BareClient.ask(target, texts: texts, stage.environment).start
  }

  /// Plays a file until it sounds, and pauses.
  private func open(_ path: String, _ agent: Agent, _ stage: Stage) throws {
    try tell(agent, "OpenUri", ["file://\(path)"], on: stage)
    try stage.wait(untilSounding: true)
    try tell(agent, "Pause", on: stage)
    try stage.wait(untilSounding: false)
  }

  private func pauseToSilence(_ agent: Agent, _ stage: Stage) throws -> Figure {
    var times: [Double] = []
    for _ in 0..<runs {
      let recorder = try stage.server.record(stage.sink, latency: .milliseconds(2))
      try tell(agent, "Play", on: stage)
      let sound = try recorder.waitForSound(from: recorder.frames, floor: 0.05)
      try recorder.wait(forFrames: sound + 22_050)
      let order = try tell(agent, "Pause", on: stage)
      // From the order on: what sounded before is past.
      let silence = try recorder.waitForSilence(lasting: .milliseconds(100), from: sound, floor: 0.05)
      times.append(((recorder.recording.time(ofFrame: silence) ?? .zero) - order).milliseconds)
      try stage.wait(untilSounding: false)
    }
    return Figure(
      name: "Pause to silence", ours: times.median, unit: "ms", note: "the monitor tells every 2 ms")
  }

  /// The same question to a queue of one, asked before, and of 50,000, in one agent.
  private func longQueue(_ agent: Agent, _ stage: Stage) throws -> Figure {
    let player = [agent.busName, "/org/mpris/MediaPlayer2"] + Self.getAll
    let before = try median { try time(player, [Self.player], stage) }
    let list = try stage.directory.write(
      "long.m3u8", String(repeating: "tagged.mp3\n", count: Self.longQueue))
    try open(list, agent, stage)
    let after = try median { try time(player, [Self.player], stage) }
    return Figure(
      name: "GetAll(Player) with 50,000 entries", ours: after, unit: "µs",
      budget: .times(1.5, of: "with one"), others: [("with one", before)])
  }
}
