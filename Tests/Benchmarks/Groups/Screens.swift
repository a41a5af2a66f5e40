// SPDX-License-Identifier: MIT
import FermataTestKit

extension Bench {
  private static let rows = 50_000
  /// The height of a terminal in which a search has no room for albums.
  private static let lowRows = 10
  /// Enough for a rarest key of a hundred to be more than chance.
  private static let strokes = 400
  /// What a terminal says when its window loses the keyboard, and gets it back.
  private static let (focusLost, focusGained) = ("\u{1B}[O", "\u{1B}[I")

  /// `fermata ui` in a terminal of 100 columns and 30 rows, beside other screens in the same terminal with the same queue.
  func screens() throws -> [Figure] {
    guard let program else { return [.missing("screen", "there is no program: --program")] }
    let stage = try Stage.card(self)
    let file = try Tunes.sineMP3("long.mp3", seconds: 600, amplitude: 0.2, in: stage.directory)
    let list = try stage.directory.write("long.m3u", String(repeating: file + "\n", count: Self.rows))
    let agent = try Agent(on: stage)
    try Child.run(Program(path: program), ["play", file, list], environment: stage.environment)
    let alone = try playing(agent.child.processID, agent.child)
    try Child.run(Program(path: program), ["pause"], environment: stage.environment)
    let starts = try (0..<runs).map { _ in try ScreenPlayer.ours(program, stage).terminal.shown }
    let ours = try ScreenPlayer.ours(program, stage)
    var figures = try cost(of: ours, beside: (agent, alone), starts)
    figures += try underScan(ours, stage)
    let low = try ScreenPlayer.ours(program, stage, rows: Self.lowRows)
    figures.append(try search(in: low, "letter of a search to its tracks", budget: .atMost(16)))
    try agent.child.check()
    agent.child.stop(within: .seconds(10))
    for other in [
      { try ScreenPlayer.cmus(file, list, stage) },
      { try ScreenPlayer.ncmpcpp(file, rows: Self.rows, stage) },
    ] {
      do { try add(try other(), to: &figures) } catch { figures.append(.missing("beside", "\(error)")) }
    }
    return figures
  }

  /// What a screen costs, and how soon it answers.
  private struct Cost {
    var paused: Double
    var playing: Usage
    var bytes: Double
    var key: Double
    var rarest: Double
    var footprint: Footprint

    init(_ player: ScreenPlayer, _ bench: Bench) throws {
      let terminal = player.terminal
      try player.pause()
      settle(terminal)
      let keys = try Self.keys(player)
      (key, rarest) = (keys[keys.count / 2], keys[keys.count * 99 / 100])
      settle(terminal)
      paused = try Usage.watch([terminal.process], of: terminal.child, for: bench.span)[0].wakeupsPerSecond
      try player.play()
      settle(terminal)
      _ = try terminal.count()
      playing = try Usage.watch([terminal.process], of: terminal.child, for: bench.span)[0]
      bytes = try terminal.count() / bench.span.seconds
      footprint = Footprint(terminal.process)
      try player.pause()
    }

    /// From a key that moves the chosen row to its first byte, in milliseconds, the quickest first.
    static func keys(_ player: ScreenPlayer) throws -> [Double] {
      try (0..<Bench.strokes).map { try player.terminal.tap(player.keys[$0 % player.keys.count]) }.sorted()
    }
  }

  private func playing(_ process: Int32, _ child: Child) throws -> Double {
    _ = child.exit(until: .after(.seconds(3)))
    return try Usage.watch([process], of: child, for: span)[0].wakeupsPerSecond
  }

  private func cost(
    of ours: ScreenPlayer, beside agent: (Agent, Double), _ starts: [Double]
  ) throws -> [Figure] {
    let cost = try Cost(ours, self)
    try ours.play()
    let together = try playing(agent.0.child.processID, agent.0.child)
    try ours.terminal.feed(Self.focusLost)
    settle(ours.terminal)
    let unfocused = try Usage.watch([ours.terminal.process], of: ours.terminal.child, for: span)[0]
    try ours.terminal.feed(Self.focusGained)
    try ours.pause()
    return [
      Figure(
        name: "exec to first frame", ours: starts.median, unit: "ms", budget: .atMost(15),
        note: "with the first row of \(Self.rows)"),
      Figure(name: "key to first byte", ours: cost.key, unit: "ms", budget: .atMost(0.8)),
      Figure(name: "the same, 99 of 100", ours: cost.rarest, unit: "ms", budget: .atMost(5)),
      Figure(name: "wakeups, playing", ours: cost.playing.wakeupsPerSecond, unit: "/s", budget: .atMost(1)),
      Figure(name: "wakeups, paused", ours: cost.paused, unit: "/s", budget: .atMost(0)),
      Figure(name: "wakeups, unfocused", ours: unfocused.wakeupsPerSecond, unit: "/s", budget: .atMost(0.1)),
      Figure(name: "processor, playing", ours: cost.playing.processor, unit: "ms/s", budget: .atMost(0.15)),
      Figure(name: "bytes, playing", ours: cost.bytes, unit: "/s", budget: .atMost(60)),
      Figure(name: "resident memory", ours: cost.footprint.resident, unit: "MB", budget: .atMost(12)),
      Figure(name: "anonymous memory", ours: cost.footprint.anonymous, unit: "MB", budget: .atMost(4)),
      Figure(
        name: "the agent's wakeups, playing", ours: together, unit: "/s", budget: .atMost(agent.1 + 0.2),
        note: "\(agent.1.short) without a screen"),
    ]
  }

  /// Keys while the agent takes in a library, and then a search in it.
  private func underScan(_ ours: ScreenPlayer, _ stage: Stage) throws -> [Figure] {
    let music = try MusicFolder(files, in: stage.directory)
    let scan = try Child(Self.own, [Role.asker.word, "add", music.path], environment: stage.environment)
    var keys: [Double] = []
    while scan.exit() == nil || keys.count < 20 { keys.append(try ours.terminal.tap("j")) }
    keys.sort()
    return [
      Figure(
        name: "key to first byte in a scan, 99 of 100", ours: keys[keys.count * 99 / 100], unit: "ms",
        budget: .atMost(5), note: "of \(keys.count); the median \(keys.median.short)"),
      try search(in: ours, "letter of a search to its albums", budget: nil),
    ]
  }

  /// A search letter by letter, each to its last byte. In a low terminal only tracks are shown; in a high one albums follow them.
  private func search(in screen: ScreenPlayer, _ name: String, budget: Figure.Budget?) throws -> Figure {
    // The third screen is Search, and its line takes what is typed.
    _ = try screen.terminal.type("3")
    let letters = try "blue winter song".map { try screen.terminal.type(String($0)).last }
    return Figure(
      name: name, ours: letters.max(), unit: "ms", budget: budget,
      note:
        "the worst of \(letters.count) in \(files) tracks: \(letters.map(\.short).joined(separator: " "))")
  }

  private func add(_ other: ScreenPlayer, to figures: inout [Figure]) throws {
    let cost = try Cost(other, self)
    let values: [String: Double] = [
      "exec to first frame": other.terminal.firstByte,
      "key to first byte": cost.key,
      "the same, 99 of 100": cost.rarest,
      "wakeups, playing": cost.playing.wakeupsPerSecond,
      "wakeups, paused": cost.paused,
      "processor, playing": cost.playing.processor,
      "bytes, playing": cost.bytes,
      "resident memory": cost.footprint.resident,
      "anonymous memory": cost.footprint.anonymous,
    ]
    for index in figures.indices {
      if let value = values[figures[index].name] { figures[index].others.append((other.name, value)) }
    }
    other.servant?.stop(within: .seconds(10))
  }
}

/// What a program does on the way to rest is not what it does at rest.
private func settle(_ terminal: BareTerminal) { _ = terminal.child.exit(until: .after(.seconds(3))) }
