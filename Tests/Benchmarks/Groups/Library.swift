// SPDX-License-Identifier: MIT
import FermataTestKit
import Glibc

extension Bench {
  /// Words as somebody types them.
  private static let typed = ["the love", "rain dre", "blue winter song", "moon"]
  private static let groupings = ["album", "artist", "genre", "title"]
  /// By then the databases are closed, and the processes that read files have ended.
  private static let untilIdle = Duration.seconds(40)

  /// A folder of tagged files: read, looked through again, searched, grouped; and an agent that has it and nothing to do.
  func library() throws -> [Figure] {
    guard program != nil else { return [.missing("scan", "there is no program: --program")] }
    let stage = try Stage(self, PrivatePulse(sinks: ["speakers"]))
    let music = try MusicFolder(files, in: stage.directory)
    let agent = try Agent(on: stage)
    _ = agent.child.exit(until: .after(.seconds(4)))
    let bare = Footprint(agent.child.processID)
    // All find the files in the system's memory, where they are from having been written.
    var figures = try scan(music, agent, stage)
    figures.append(try rescan(music, stage))
    figures += try questions(stage)
    try agent.child.check()
    agent.child.stop(within: .seconds(10))
    figures += try idle(beside: bare, stage)
    // With more the others take a quarter of an hour.
    guard files <= 100_000 else { return figures }
    if (try? Program.named("cmus", package: "cmus")) != nil { try addCmus(music, to: &figures, stage) }
    if (try? Program.named("mpd", package: "mpd")) != nil { try addMPD(music, to: &figures, stage) }
    return figures
  }

  // MARK: Ours

  /// Asks the agent by a process of its own; answers the times in milliseconds.
  private func ask(_ words: [String], _ stage: Stage) throws -> [Double] {
    let output = try Child.run(
      Self.own, [Role.asker.word] + words, environment: stage.environment, patience: .seconds(900))
    return output.split(separator: "\n").compactMap { Double($0) }.map { $0 / 1_000 }
  }

  private func scan(_ music: MusicFolder, _ agent: Agent, _ stage: Stage) throws -> [Figure] {
    let process = agent.child.processID
    let before = ProcessTable.processor(process)
    guard let time = try ask(["add", music.path], stage).first else { throw KitError("no scan") }
    let own = ProcessTable.processor(process) - before
    let readers = ProcessTable.children(of: process, named: "fermata-reader")
    let reading = readers.map(ProcessTable.processor).reduce(.zero, +)
    let highest = readers.map { ProcessTable.peak($0) }.max() ?? 0
    let each = Double(music.count)
    return [
      Figure(
        name: "scan", ours: each / time * 1_000, unit: "files/s",
        note: "more is better; \(music.count) MP3s with covers of 500 kB"),
      Figure(
        name: "processor of a scan", ours: (own + reading) / .microseconds(1) / each, unit: "µs/file",
        note:
          "the agent \((own / .microseconds(1) / each).short), readers \((reading / .microseconds(1) / each).short)"
      ),
      Figure(
        name: "most memory: agent", ours: ProcessTable.peak(process), unit: "MB",
        note: "resident, of its whole life"),
      Figure(name: "most memory: a reader", ours: highest, unit: "MB", note: "\(readers.count) of them"),
    ]
  }

  private func rescan(_ music: MusicFolder, _ stage: Stage) throws -> Figure {
    let times = try ask(["scan", "\(max(5, runs))"], stage)
    return Figure(
      name: "rescan unchanged", ours: times.median, unit: "ms",
      budget: .atMost(40 * Double(music.count) / 10_000),
      note: "best of \(times.count): \((times.min() ?? .nan).short)")
  }

  private func questions(_ stage: Stage) throws -> [Figure] {
    let keys = Self.typed.flatMap { text in (1...text.count).map { String(text.prefix($0)) } }
    let searches = try ask(["search"] + keys, stage)
    var figures = [
      Figure(
        name: "search, worst key", ours: searches.max(), unit: "ms",
        budget: files > 100_000 ? nil : .atMost(16),
        note: "of \(keys.count), with the call and the first 60 rows; median \(searches.median.short)")
    ]
    for name in Self.groupings {
      let times = try ask(["group"] + Array(repeating: name, count: 5), stage)
      figures.append(
        Figure(
          name: "grouped by \(name)", ours: times.median, unit: "ms",
          note: "the first 60; anew each time the library has changed: \((times.first ?? .nan).short)"))
    }
    return figures
  }

  /// An agent that is started with the library, looks through it once, and then has nothing to do.
  private func idle(beside bare: Footprint, _ stage: Stage) throws -> [Figure] {
    let agent = try Agent(on: stage)
    _ = agent.child.exit(until: .after(Self.untilIdle))
    let usage = try Usage.watch([agent.child.processID], of: agent.child, for: span)[0]
    let footprint = Footprint(agent.child.processID)
    agent.child.stop(within: .seconds(10))
    return [
      Figure(
        name: "idle: anonymous memory above none", ours: footprint.anonymous - bare.anonymous, unit: "MB",
        budget: .atMost(1),
        note: "\(footprint.anonymous.short) and \(bare.anonymous.short) MB without a library"),
      Figure(
        name: "idle: wakeups", ours: usage.wakeupsPerSecond, unit: "/s", budget: .atMost(0),
        note: "of all threads in \(span)"),
    ]
  }

  // MARK: Others

  private func addCmus(_ music: MusicFolder, to figures: inout [Figure], _ stage: Stage) throws {
    let other = try Cmus([], on: stage)
    defer { other.child.stop(within: .seconds(10)) }
    try add(
      Cmus.name, other.process, music.count, to: &figures,
      scan: {
        try other.add(music.path)
        return try other.quiet()
      },
      rescan: {
        try other.update()
        return try other.quiet()
      })
  }

  /// MPD has nothing to read at first, so that it does not begin before it is asked.
  private func addMPD(_ music: MusicFolder, to figures: inout [Figure], _ stage: Stage) throws {
    let (link, empty) = (stage.directory.path("music"), stage.directory.path("empty"))
    guard mkdir(empty, 0o700) == 0, symlink(empty, link) == 0 else { throw KitError("no folder for MPD") }
    let other = try MPD(music: link, on: stage)
    defer { other.child.stop(within: .seconds(10)) }
    guard unlink(link) == 0, symlink(music.path, link) == 0 else { throw KitError("no link for MPD") }
    func update() throws -> Duration {
      try other.update()
      return Monotonic.now
    }
    try add(MPD.name, other.child.processID, music.count, to: &figures, scan: update, rescan: update)
  }

  /// Puts another player's figures beside ours. `scan` and `rescan` return when they were done.
  private func add(
    _ name: String, _ process: Int32, _ count: Int, to figures: inout [Figure],
    scan: () throws -> Duration, rescan: () throws -> Duration
  ) rethrows {
    let (start, before) = (Monotonic.now, ProcessTable.processor(process))
    let time = try scan() - start
    let processor = ProcessTable.processor(process) - before
    let again = Monotonic.now
    let values: [String: Double] = [
      "scan": Double(count) / time.seconds,
      "processor of a scan": processor / .microseconds(count),
      "rescan unchanged": try (rescan() - again).milliseconds,
      "most memory: agent": ProcessTable.peak(process),
    ]
    for index in figures.indices {
      if let value = values[figures[index].name] { figures[index].others.append((name, value)) }
    }
  }
}
