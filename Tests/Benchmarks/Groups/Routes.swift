// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit

extension Bench {
  /// Headphones that go while they play, on both servers; ours and the bare client in turns.
  func routes() throws -> [Figure] {
    try routes("PulseAudio") { try PrivatePulse(sinks: [NullSink("speakers", rewinds: true)]) }
      + routes("PipeWire") { try PrivatePipeWire(sinks: ["speakers"]) }
  }

  private func routes(_ name: String, _ start: () throws -> any SoundServer) throws -> [Figure] {
    let stage = try Stage(self, start())
    let file = try Tunes.sine("long.wav", seconds: 60, amplitude: 0.5, in: stage.directory)
    var ours: [Double] = []
    var bare: [Double] = []
    for _ in 0..<max(runs, 20) {
      bare.append(try leak(BarePlayer.self, [], on: stage))
      if program != nil { ours.append(try leak(ProgramPlayer.self, [file], on: stage)) }
    }
    func figure(_ which: String, _ pick: ([Double]) -> Double?) -> Figure {
      Figure(
        name: "\(name): sound on the speakers, \(which)", ours: pick(ours), unit: "ms",
        budget: .times(1.2, of: "bare C"), others: [("bare C", pick(bare) ?? .nan)],
        note: program == nil ? Self.needsProgram : "of \(bare.count)")
    }
    let unplugs = [figure("median") { $0.isEmpty ? nil : $0.median }, figure("worst") { $0.max() }]
    return try unplugs + others(name, stage, file)
  }

  private static let needsProgram = "decided by the program: give --program"

  /// Milliseconds of sound on the loudspeakers after the headset was pulled out.
  private func leak(_ type: any Player.Type, _ files: [String], on stage: Stage) throws -> Double {
    let headset = try stage.server.insert(.usbHeadset)
    let sink = headset.layout.profiles[0].sink ?? ""
    try stage.server.control.setDefaultSink(sink)
    try stage.server.control.wait(for: "the headset as default") { $0.server.defaultSink == sink }
    let speakers = try stage.server.record("speakers")
    let ears = try stage.server.record(sink)
    let player = try type.init(files, on: stage)
    let sound = try ears.waitForSound(floor: 0.05)
    try ears.wait(forFrames: sound + 13_230)
    let from = speakers.frames
    try headset.remove()
    try stage.wait(untilSounding: false)
    // What was rendered before is still to come.
    let recording = try speakers.wait(forFrames: speakers.frames + 22_050)
    player.child.kill()
    let leaked = (from..<recording.frames).count { recording.isSounding($0, floor: 0.001) }
    try waitUntilClear(stage)
    return Double(leaked) / Double(recording.format.rate) * 1000
  }

  private func waitUntilClear(_ stage: Stage) throws {
    try stage.server.control.wait(for: "an empty server") { world in
      world.sinkInputs.isEmpty && world.sinks.count == 1 && world.cards.isEmpty
    }
  }

  // MARK: What is no unplugging

  private func others(_ name: String, _ stage: Stage, _ file: String) throws -> [Figure] {
    guard program != nil else {
      return [
        .missing("\(name): gap at a move by the user", Self.needsProgram),
        .missing("\(name): a call's begin to silence", Self.needsProgram),
        .missing("\(name): a call's end to sound", Self.needsProgram),
      ]
    }
    try stage.server.load(sink: "others")
    var calls: [(begin: Double, end: Double)] = []
    var gaps: [Double] = []
    for _ in 0..<runs {
      gaps.append(try gap(file, on: stage))
      calls.append(try call(file, on: stage))
    }
    return [
      Figure(name: "\(name): gap at a move by the user", ours: gaps.median, unit: "ms"),
      Figure(name: "\(name): a call's begin to silence", ours: calls.map(\.begin).median, unit: "ms"),
      Figure(name: "\(name): a call's end to sound", ours: calls.map(\.end).median, unit: "ms"),
    ]
  }

  /// Milliseconds of nothing on either output when the user moves the music to the other one: a false alarm.
  private func gap(_ file: String, on stage: Stage) throws -> Double {
    let speakers = try stage.server.record("speakers")
    let target = try stage.server.record("others")
    let player = try ProgramPlayer([file], on: stage)
    let sound = try speakers.waitForSound(floor: 0.05)
    try speakers.wait(forFrames: sound + 13_230)
    let from = target.frames
    let streams = try stage.server.control.world().sinkInputs
    guard let stream = streams.first(where: { !$0.isCorked }) else { throw KitError("nothing plays") }
    try stage.server.control.move(stream.index, toSink: "others")
    let arrival = try target.waitForSound(from: from, floor: 0.05)
    try target.wait(forFrames: arrival + 22_050)
    player.child.kill()
    let last = speakers.recording.lastSound(floor: 0.05).flatMap { speakers.recording.time(ofFrame: $0) }
    let first = target.recording.time(ofFrame: arrival)
    let silences = target.recording.gaps(ofAtLeast: 441, floor: 0.001).map { Double($0.count) / 44.1 }
    try stage.server.control.wait(for: "an empty server") { $0.sinkInputs.isEmpty }
    return max(0, ((first ?? .zero) - (last ?? .zero)).milliseconds) + silences.reduce(0, +)
  }

  /// Milliseconds from a phone stream's start to the music's silence, and from its end to music again.
  private func call(_ file: String, on stage: Stage) throws -> (begin: Double, end: Double) {
    let recorder = try stage.server.record("speakers")
    let player = try ProgramPlayer([file], on: stage)
    let sound = try recorder.waitForSound(floor: 0.05)
    try recorder.wait(forFrames: sound + 13_230)
    let begin = Monotonic.now
    var phone: OtherStream? = try stage.server.play(
      [], Tunes.format, on: "others", properties: ["media.role": "phone"])
    let silence = try recorder.waitForSilence(
      lasting: .milliseconds(200), from: recorder.frames, floor: 0.001)
    let end = Monotonic.now
    withExtendedLifetime(phone) {}
    phone = nil
    let again = try recorder.waitForSound(from: silence, floor: 0.05, within: .seconds(10))
    player.child.kill()
    let times = [silence, again].map { recorder.recording.time(ofFrame: $0) ?? .zero }
    try stage.server.control.wait(for: "an empty server") { $0.sinkInputs.isEmpty }
    return ((times[0] - begin).milliseconds, (times[1] - end).milliseconds)
  }
}
