// SPDX-License-Identifier: MIT
import FermataTestKit

extension Bench {
  private static let rows = 50_000
  private static let folders = 100
  private static let filesAFolder = 500

  /// What somebody waits for at a prompt: the client from its start to its end, with an agent that runs.
  func commands() throws -> [Figure] {
    guard let program else { return [.missing("commands", "there is no program: --program")] }
    let stage = try Stage.card(self)
    let agent = try Agent(on: stage)
    let prompt = Prompt(Program(path: program), stage)
    let music = try Tunes.sineMP3("short.mp3", seconds: 1, amplitude: 0.2, in: stage.directory)
    let long = try Tunes.sineMP3("long.mp3", seconds: 600, amplitude: 0.2, in: stage.directory)
    var figures = [try toggle(long, prompt)]
    figures += try longList(of: music, prompt)
    figures.append(try manyAdds(of: music, prompt))
    try agent.child.check()
    agent.child.stop(within: .seconds(10))
    if (try? Program.named("cmus", package: "cmus")) != nil {
      try addCmus(long, list: prompt.stage.directory.path("long.m3u"), prompt, to: &figures)
    }
    return figures
  }

  /// Commands of the program, typed in a stage.
  private struct Prompt {
    let program: Program
    let stage: Stage

    init(_ program: Program, _ stage: Stage) { (self.program, self.stage) = (program, stage) }

    /// Seconds that a command takes.
    func time(_ words: [String]) throws -> Double { try time(program, words) }

    /// Seconds that a command takes which reads this file.
    func time(_ words: [String], reading file: String) throws -> Double {
      try time(Program(path: "/bin/sh"), ["-c", "exec \"$0\" \"$@\" <'\(file)'", program.path] + words)
    }

    func time(_ program: Program, _ words: [String]) throws -> Double {
      // playerctl wants a system bus that is either there or has no socket.
      let environment = stage.environment.merging([
        "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(stage.directory.path("no-bus"))"
      ]) { $1 }
      let start = Monotonic.now
      try Child.run(program, words, environment: environment)
      return (Monotonic.now - start).seconds
    }
  }

  /// A key of the desktop, as it is often bound: in turns with another program that says the same to the same agent.
  private func toggle(_ file: String, _ prompt: Prompt) throws -> Figure {
    let other = try? Program.named("playerctl", package: "playerctl")
    try Child.run(prompt.program, ["play", file], environment: prompt.stage.environment)
    var (ours, others): ([Double], [Double]) = ([], [])
    for _ in 0..<runs * 5 {
      ours.append(try prompt.time(["toggle"]) * 1_000)
      if let other { others.append(try prompt.time(other, ["play-pause"]) * 1_000) }
    }
    return Figure(
      name: "toggle, exec to exit", ours: ours.median, unit: "ms", budget: .times(0.8, of: "playerctl"),
      others: others.isEmpty ? [] : [("playerctl", others.median)])
  }

  /// A queue that nobody reads whole, filled and listed.
  private func longList(of file: String, _ prompt: Prompt) throws -> [Figure] {
    let list = try prompt.stage.directory.write(
      "long.m3u", String(repeating: file + "\n", count: Self.rows))
    var (adding, text, json): ([Double], [Double], [Double]) = ([], [], [])
    for _ in 0..<runs {
      try Child.run(prompt.program, ["queue", "clear"], environment: prompt.stage.environment)
      adding.append(try prompt.time(["add", "-"], reading: list))
      text.append(try prompt.time(["queue", "list"]))
      json.append(try prompt.time(["queue", "list", "--json"]))
    }
    try Child.run(prompt.program, ["queue", "clear"], environment: prompt.stage.environment)
    return [
      Figure(
        name: "add - of 50,000 lines", ours: adding.median, unit: "s", budget: .atMost(0.4),
        others: try reading(list, prompt)),
      Figure(name: "queue of 50,000 rows", ours: text.median, unit: "s", budget: .atMost(0.5)),
      Figure(name: "the same as JSON", ours: json.median, unit: "s", budget: .atMost(0.5)),
    ]
  }

  /// mpv with the same list: it reads all of it, plays a moment of the last row, and ends.
  private func reading(_ list: String, _ prompt: Prompt) throws -> [(name: String, value: Double)] {
    guard let mpv = try? Program.named("mpv", package: "mpv") else { return [] }
    let words = [
      "--no-config", "--ao=null", "--vo=null", "--really-quiet", "--playlist=\(list)",
      "--playlist-start=\(Self.rows - 1)", "--end=0.01",
    ]
    return [("mpv", try median { try prompt.time(mpv, words) })]
  }

  /// What cmus takes for the same, asked by its own client. It adds in the background, and has added when it does nothing more.
  private func addCmus(
    _ file: String, list: String, _ prompt: Prompt, to figures: inout [Figure]
  ) throws {
    let client = try Program.named("cmus-remote", package: "cmus")
    let cmus = try Cmus([file], on: prompt.stage)
    defer { cmus.child.stop(within: .seconds(10)) }
    try prompt.stage.wait(untilSounding: true)
    var toggling: [Double] = []
    for _ in 0..<runs * 5 { toggling.append(try prompt.time(client, cmus.remote + ["--pause"]) * 1_000) }
    try Child.run(client, cmus.remote + ["--stop"], environment: prompt.stage.environment)
    _ = try cmus.quiet()
    let start = Monotonic.now
    try cmus.add(list: list)
    let adding = (try cmus.quiet() - start).seconds
    let listing = try median { try prompt.time(client, cmus.remote + ["--raw", "save -q -"]) }
    let values = [
      "toggle, exec to exit": toggling.median, "add - of 50,000 lines": adding,
      "queue of 50,000 rows": listing,
    ]
    for index in figures.indices {
      if let value = values[figures[index].name] { figures[index].others.append((Cmus.name, value)) }
    }
  }

  /// As a script does it that knows of folders.
  private func manyAdds(of file: String, _ prompt: Prompt) throws -> Figure {
    let files = [String](repeating: file, count: Self.filesAFolder)
    var times: [Double] = []
    for _ in 0..<max(1, runs / 3) {
      let start = Monotonic.now
      for _ in 0..<Self.folders { _ = try prompt.time(["add"] + files) }
      times.append((Monotonic.now - start).seconds)
      try Child.run(prompt.program, ["queue", "clear"], environment: prompt.stage.environment)
    }
    return Figure(
      name: "100 calls of add with 500 files", ours: times.median, unit: "s", budget: .atMost(1.5))
  }
}
