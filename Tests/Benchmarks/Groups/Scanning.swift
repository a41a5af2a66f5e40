// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit

extension Bench {
  /// Calls whose times are looked at together.
  private static let calls = 500
  private static let getAll = ["org.freedesktop.DBus.Properties", "GetAll"]
  private static let echo = ["org.fermata.Bare", "/", "org.freedesktop.DBus.Peer", "Ping"]

  /// What a listener notices of a scan: how long the desktop waits for answers, gaps in the sound, and how quick a Next is.
  ///
  /// Each is measured twice with the same agent: before the scan, and in it.
  func scanning() throws -> [Figure] {
    guard program != nil else { return [.missing("scanning", "there is no program: --program")] }
    let folder = try TemporaryDirectory()
    let music = try MusicFolder(files, in: folder)
    return try answers(during: music) + [try change(during: music)]
  }

  // MARK: Answers and sound

  private func answers(during music: MusicFolder) throws -> [Figure] {
    let stage = try Stage.card(self)
    let player = try AgentPlayer([try sine(0.5, in: stage)], on: stage)
    let recorder = try stage.server.record(stage.sink)
    let begin = try recorder.waitForSound(floor: 0.05)
    try recorder.wait(forFrames: begin + recorder.format.rate)
    let echo = try Child(
      Self.bare, ["echo", "org.fermata.Bare"], environment: stage.environment, isInteractive: true)
    _ = try echo.nextLine(until: .after(.seconds(5)))
    var idle = Answers()
    for _ in 0..<20 { try ask(&idle, stage) }
    let from = recorder.frames
    let scan = try self.scan(music, stage)
    var busy = Answers()
    while scan.exit() == nil || busy.ours.isEmpty { try ask(&busy, stage) }
    let recording = try recorder.wait(forFrames: recorder.frames + recorder.format.rate)
    player.child.stop(within: .seconds(10))
    // A sine is below the floor for a few frames each time it goes through zero.
    let gaps = recording.gaps(ofAtLeast: 48, floor: 0.05).filter { $0.lowerBound > from }
    let silence = gaps.reduce(0) { $0 + $1.count } * 1_000 / recorder.format.rate
    return [
      Figure(
        name: "GetAll(Player) in a scan, 99 of 100", ours: busy.ours.median, unit: "µs",
        budget: .times(2, of: "without a scan"),
        others: [
          ("without a scan", idle.ours.median), ("Ping in bare C", busy.bare.median),
          ("that without a scan", idle.bare.median),
        ],
        note: "of \(busy.ours.count) × \(Self.calls) calls, while \(music.count) files are read"),
      Figure(
        name: "silence in the sound in a scan", ours: Double(silence), unit: "ms", budget: .atMost(0),
        note: "\(recording.lostFrames) frames lost by who recorded"),
    ]
  }

  /// What 99 of 100 calls took at most, of each round of calls: to the agent, and to a program in C that does nothing else.
  ///
  /// The latter tells what the machine gives anybody on this bus at that time.
  private struct Answers {
    var ours: [Double] = []
    var bare: [Double] = []
  }

  /// One round of calls to each of the two.
  private func ask(_ answers: inout Answers, _ stage: Stage) throws {
    let words = [ProgramPlayer.busName, "/org/mpris/MediaPlayer2"] + Self.getAll
    answers.ours.append(try rarest(words, ["org.mpris.MediaPlayer2.Player"], stage))
    answers.bare.append(try rarest(Self.echo, [], stage))
  }

  private func rarest(_ words: [String], _ texts: [String], _ stage: Stage) throws -> Double {
    try BareClient.ask(words, count: Self.calls, texts: texts, stage.environment).rarest / .microseconds(1)
  }

  // MARK: Next

  /// Tracks are quiet and loud in turns, so that a Next to a loud one is heard.
  private func change(during music: MusicFolder) throws -> Figure {
    let stage = try Stage.card(self)
    let tracks = try [sine(0.2, in: stage), sine(0.6, in: stage)]
    let player = try AgentPlayer(Array(repeating: tracks, count: 500).flatMap { $0 }, on: stage)
    let recorder = try stage.server.record(stage.sink, latency: .milliseconds(2))
    _ = try recorder.waitForSound(floor: 0.05)
    var idle: [Double] = []
    for _ in 0..<runs { idle.append(try next(player, recorder)) }
    let scan = try self.scan(music, stage)
    var busy: [Double] = []
    while scan.exit() == nil || busy.isEmpty { busy.append(try next(player, recorder)) }
    player.child.stop(within: .seconds(10))
    return Figure(
      name: "Next in a scan", ours: busy.median, unit: "ms", budget: .times(2, of: "without a scan"),
      others: [("without a scan", idle.median)],
      note:
        "of \(busy.count), the worst \((busy.max() ?? .nan).short); without a scan \((idle.max() ?? .nan).short)"
    )
  }

  /// From a Next, some way into a quiet track, to the first sample of the loud one behind it. Leaves the next quiet one playing.
  private func next(_ player: AgentPlayer, _ recorder: Recorder) throws -> Double {
    let from = recorder.frames
    try recorder.wait(forFrames: from + recorder.format.rate / 4)
    let order = try player.order(.next) ?? .zero
    let loud = try recorder.waitForSound(from: from, floor: 0.35)
    let time = (recorder.recording.time(ofFrame: loud) ?? .zero) - order
    _ = try player.order(.next)
    // By then what was written of the loud one is over.
    try recorder.wait(forFrames: recorder.frames + recorder.format.rate / 4)
    return time.milliseconds
  }

  // MARK: Both

  private func sine(_ amplitude: Double, in stage: Stage) throws -> String {
    try Tunes.sineMP3("\(amplitude).mp3", seconds: 300, amplitude: amplitude, in: stage.directory)
  }

  private func scan(_ music: MusicFolder, _ stage: Stage) throws -> Child {
    try Child(Self.own, [Role.asker.word, "add", music.path], environment: stage.environment)
  }
}
