// SPDX-License-Identifier: MIT
import FermataTestKit

extension Bench {
  /// The joins of a sine that was cut in three, and what it costs to play an M4A, in the formats that another process decodes for us.
  func formats() throws -> [Figure] {
    try CutSine.Encoding.foreign.flatMap { encoding in
      do { return try joins(of: encoding) } catch { return [Figure.missing(encoding.rawValue, "\(error)")] }
    } + costs()
  }

  private func joins(of encoding: CutSine.Encoding) throws -> [Figure] {
    let stage = try Stage.counting(self, rate: encoding.rate)
    let sine = try CutSine(encoding, in: stage.directory)
    let heard = try listen(to: sine, by: stage.ours, on: stage)
    var samples = Figure(
      name: "\(encoding.rawValue): samples wrong", ours: heard.wrong(encoding), unit: "",
      budget: encoding.saysNothing ? nil : .atMost(0),
      note: encoding.saysNothing ? "nothing tells what is padding" : "")
    for other in [MPV.self, MPDPlayer.self] as [any Player.Type] {
      guard let heard = try? listen(to: sine, by: other, on: stage) else { continue }
      samples.others.append((other.name, heard.wrong(encoding)))
    }
    guard encoding.isLossless else { return [samples] }
    return [
      samples,
      Figure(
        name: "\(encoding.rawValue): error at the joins", ours: heard.error * 32_768, unit: "LSB",
        // The pieces were rounded to 16 bit.
        budget: .atMost(0.6), note: "of 16 bit"),
    ]
  }

  // MARK: What it costs

  /// What a player and the processes that decode for it used while it played.
  private struct Cost {
    var usage = Usage()
    var own: Footprint
    var decoder: Footprint?
  }

  /// An M4A playing, with all processes that take part.
  private func costs() throws -> [Figure] {
    let stage = try Stage.card(self)
    let file = try ToneFile.foreign(
      "busy.m4a", Tunes.busy(seconds: Int(span.seconds) + 20), Tunes.format,
      options: ["-c:a", "aac", "-b:a", "256k"], in: stage.directory)
    let ours = try cost(of: program == nil ? stage.ours : AgentPlayer.self, file, on: stage)
    let others = ([MPV.self, MPDPlayer.self] as [any Player.Type]).compactMap { player in
      (try? cost(of: player, file, on: stage)).map { (player.name, $0) }
    }
    func figure(_ name: String, _ unit: String, _ budget: Double?, _ value: (Cost) -> Double?) -> Figure {
      Figure(
        name: "AAC in M4A: \(name)", ours: value(ours), unit: unit, budget: budget.map { .atMost($0) },
        others: others.compactMap { name, cost in value(cost).map { (name, $0) } })
    }
    return [
      figure("wakeups of all processes", "/s", 2.5) { $0.usage.wakeupsPerSecond },
      figure("processor of all processes", "ms/s", nil) { $0.usage.processor },
      figure("resident memory of the player", "MB", nil) { $0.own.resident },
      figure("resident memory of the decoder", "MB", nil) { $0.decoder?.resident },
      figure("anonymous memory of the decoder", "MB", nil) { $0.decoder?.anonymous },
    ]
  }

  private func cost(of type: any Player.Type, _ file: String, on stage: Stage) throws -> Cost {
    let player = try type.init([file], on: stage)
    try stage.wait(untilSounding: true)
    // Until the buffers are full, and readers of tags have ended.
    _ = player.child.exit(until: .after(.seconds(6)))
    let process = try player.process
    let decoders = ProcessTable.children(of: process, named: "fermata-reader")
    let usages = try Usage.watch([process] + decoders, of: player.child, for: span)
    var cost = Cost(own: Footprint(process))
    for usage in usages {
      cost.usage.wakeupsPerSecond += usage.wakeupsPerSecond
      cost.usage.processor += usage.processor
    }
    cost.decoder = decoders.map { Footprint($0) }.max { $0.resident < $1.resident }
    player.child.stop()
    try stage.wait(untilSounding: false)
    return cost
  }
}
