// SPDX-License-Identifier: MIT
import FermataTestKit

extension Bench {
  /// From an order to the first sample at the monitor of a sink that takes back what it rendered.
  func latency() throws -> [Figure] {
    let stage = try Stage.card(self)
    let quiet = try Tunes.sineMP3("quiet.mp3", seconds: 60, amplitude: 0.2, in: stage.directory)
    let loud = try Tunes.sineMP3("loud.mp3", seconds: 60, amplitude: 0.6, in: stage.directory)
    var start = Figure(
      name: "exec to first sound", unit: "ms", budget: .atMost(15), note: "the monitor tells every 2 ms")
    var next = Figure(
      name: "Next to the other track's first sound", unit: "ms", budget: .atMost(2.4), note: start.note)
    start.others = [("bare C", try median { try self.start(BarePlayer.self, [], on: stage) })]
    for player in stage.players {
      let time = try? median { try self.start(player, [quiet], on: stage) }
      if player == stage.ours {
        start.ours = time
      } else if let time {
        start.others.append((player.name, time))
      }
      let change = try? self.next(player, [quiet, loud], on: stage)
      if player == stage.ours {
        next.ours = change ?? nil
      } else if let change {
        next.others.append((player.name, change))
      }
    }
    return [start, next]
  }

  private func start(_ type: any Player.Type, _ files: [String], on stage: Stage) throws -> Double {
    let recorder = try stage.server.record(stage.sink, latency: .milliseconds(2))
    let from = recorder.frames
    let player = try type.init(files, on: stage)
    let frame = try recorder.waitForSound(from: from, floor: 0.05)
    let time = recorder.recording.time(ofFrame: frame) ?? .zero
    player.child.kill()
    try stage.wait(untilSounding: false)
    return (time - player.started).milliseconds
  }

  private func next(_ type: any Player.Type, _ files: [String], on stage: Stage) throws -> Double? {
    var times: [Double] = []
    for _ in 0..<runs {
      let recorder = try stage.server.record(stage.sink, latency: .milliseconds(2))
      let player = try type.init(files, on: stage)
      let sound = try recorder.waitForSound(from: recorder.frames, floor: 0.05)
      // Some way into the track, where its buffers are full.
      try recorder.wait(forFrames: sound + 22_050)
      guard let order = try player.order(.next) else { return nil }
      let frame = try recorder.waitForSound(from: sound, floor: 0.35)
      times.append(((recorder.recording.time(ofFrame: frame) ?? .zero) - order).milliseconds)
      player.child.kill()
      try stage.wait(untilSounding: false)
    }
    return times.median
  }
}
