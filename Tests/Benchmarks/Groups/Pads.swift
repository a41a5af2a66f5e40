// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit

extension Bench {
  /// How often each of them is struck. With fewer hits, one run says something else than the next.
  private static let hits = 100

  /// From a hit to its first sample at the monitor, on both servers: ours, a bare client with the sound in memory, and what a shell has.
  func pads() throws -> [Figure] {
    guard program != nil else { return [.missing("hit to first sound", "there is no program: --program")] }
    return [
      try pads("PulseAudio", Stage.card(self)),
      try pads("PipeWire", Stage(self, PrivatePipeWire(sinks: ["speakers"]))),
    ].flatMap(\.self)
  }

  private func pads(_ server: String, _ stage: Stage) throws -> [Figure] {
    let agent = try Agent(on: stage)
    let drum = try Child(
      Self.bare, ["drum", "org.fermata.Bare"], environment: stage.environment, isInteractive: true)
    _ = try drum.nextLine(until: .after(.seconds(5)))
    let kit = try kit(in: stage)
    if let program {
      _ = try Child.run(Program(path: program), ["pads", "load", kit], environment: stage.environment)
    }
    let ours = ["org.fermata.Agent", "/org/fermata/Agent", "org.fermata.Pads1", "Hit"]
    let bare = ["org.fermata.Bare", "/org/fermata/Agent", "org.fermata.Pads1", "Hit"]
    var times: [[Double]] = [[], [], []]
    // In turns, so that whatever else the machine does meets all of them.
    for number in 0..<Self.hits {
      let pause = Self.pause(before: number)
      times[0].append(
        try hit(after: pause, on: stage) { (try BareClient.strike(ours, pad: 1, stage.environment), nil) })
      times[1].append(
        try hit(after: pause, on: stage) { (try BareClient.strike(bare, pad: 1, stage.environment), nil) })
      times[2].append(try hit(after: pause, on: stage) { try paplay("\(kit)/beat.wav", on: stage) })
    }
    drum.kill()
    try agent.child.check()
    agent.child.stop(within: .seconds(5))
    let note =
      "\(server); median, slowest of 20: ours \(times[0].median.short), \(times[0].slow.short); "
      + "bare C \(times[1].median.short), \(times[1].slow.short) ms"
    return [
      Figure(
        name: "hit to first sound, \(server)", ours: times[0].middle, unit: "ms",
        budget: .times(1.3, of: "bare C"),
        others: [("bare C", times[1].middle), ("paplay", times[2].middle)], note: note)
    ]
  }

  /// A kit of one short sound that begins loud, as the bare client's does.
  private func kit(in stage: Stage) throws -> String {
    let samples = [Float](repeating: 0.5, count: Tunes.format.rate / 20 * Tunes.format.channels)
    let path = try stage.directory.write("kit/beat.wav", WAVFile.bytes(samples, Tunes.format))
    _ = try stage.directory.write("kit/kit.conf", "[pad]\nsample = beat.wav\n")
    return String(path.dropLast("/beat.wav".utf8.count))
  }

  /// How long to wait before a hit, spread evenly over 40 ms. A recorder hands its sound over at the end of a server's cycle. Hits that follow that
  /// at once would all fall into the same part of the cycle, and its length would be in all times or in none.
  private static func pause(before number: Int) -> Duration {
    .milliseconds(40) * (Double(number) * 0.618_034).truncatingRemainder(dividingBy: 1)
  }

  /// How long it is from the order that `strike` gives to the first sound. What it returns beside the time plays until it is heard.
  private func hit(after pause: Duration, on stage: Stage, _ strike: () throws -> (Duration, Child?)) throws
    -> Double
  {
    let recorder = try stage.server.record(stage.sink, latency: .milliseconds(2))
    // The recorder's own beginning is over.
    try recorder.wait(forFrames: recorder.frames + 2_205)
    let from = recorder.frames
    // Not slept, as that would end when the system wakes us, and not when the pause is over.
    let end = Monotonic.now + pause
    while Monotonic.now < end {}
    let (start, player) = try strike()
    let frame = try recorder.waitForSound(from: from, floor: 0.05)
    let time = recorder.recording.time(ofFrame: frame) ?? .zero
    try recorder.waitForSilence(lasting: .milliseconds(50), from: frame, floor: 0.05)
    player?.kill()
    return (time - start).milliseconds
  }

  private func paplay(_ file: String, on stage: Stage) throws -> (Duration, Child?) {
    let program = try Program.named("paplay", package: "pulseaudio-utils")
    let start = Monotonic.now
    return (start, try Child(program, ["--latency-msec=10", file], environment: stage.environment))
  }
}

extension [Double] {
  /// The mean of the middle half. Whether a hit still gets into the block that is being made decides about some milliseconds, so the times are in two
  /// heaps, and which of them has the median is chance.
  fileprivate var middle: Double {
    let half = sorted()[(count / 4)..<(count - count / 4)]
    return half.reduce(0, +) / Double(half.count)
  }

  /// The one below which 19 of 20 are.
  fileprivate var slow: Double { isEmpty ? .nan : sorted()[Swift.min(count - 1, count * 19 / 20)] }
}
