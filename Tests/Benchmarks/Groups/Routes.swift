// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit

extension Bench {
  /// Headphones that go while they play, on both servers; ours and the bare client in turns.
  func routes() throws -> [Figure] {
    try routes("PulseAudio") { try PrivatePulse() } + routes("PipeWire") { try PrivatePipeWire() }
  }

  /// Where everybody hears it: a card, since PulseAudio's null sink either takes nothing back or runs ahead.
  private static let speakers = "laptop"
  static let needsProgram = "decided by the program: give --program"

  private func routes(_ name: String, _ start: () throws -> any SoundServer) throws -> [Figure] {
    let server = try start()
    let laptop = try server.insert(.laptop(headphonesIn: false))
    let stage = try Stage(self, server, card: laptop, sink: Self.speakers)
    let file = try Tunes.sine("long.wav", seconds: 60, amplitude: 0.5, in: stage.directory)
    let parts = [("sound on the speakers", unplugs), ("a move by the user", moves), ("a call", calls)]
    return parts.flatMap { part, measure in
      do { return try measure(name, file, stage) } catch { return [.missing("\(name): \(part)", "\(error)")] }
    }
  }

  /// Sound begins on this sink from here on.
  private func turn(to sink: String, on stage: Stage) throws {
    try stage.server.control.setDefaultSink(sink)
    try stage.server.control.wait(for: "\(sink) as default") { $0.server.defaultSink == sink }
  }

  // MARK: The unplug

  private func unplugs(_ name: String, _ file: String, _ stage: Stage) throws -> [Figure] {
    var ours: [Double] = []
    var bare: [Double] = []
    for _ in 0..<2 * runs {
      bare.append(try leak(BarePlayer.self, [], on: stage))
      if program != nil { ours.append(try leak(ProgramPlayer.self, [file], on: stage)) }
    }
    func figure(_ which: String, _ pick: ([Double]) -> Double?) -> Figure {
      Figure(
        name: "\(name): sound on the speakers, \(which)", ours: pick(ours), unit: "ms",
        budget: .times(1.2, of: "bare C"), others: [("bare C", pick(bare) ?? .nan)],
        note: program == nil ? Self.needsProgram : "of \(bare.count)")
    }
    return [figure("median") { $0.isEmpty ? nil : $0.median }, figure("worst") { $0.max() }]
  }

  /// Milliseconds of sound on the loudspeakers after the headset was pulled out.
  private func leak(_ type: any Player.Type, _ files: [String], on stage: Stage) throws -> Double {
    let headset = try stage.server.insert(.usbHeadset)
    let sink = headset.layout.profiles[0].sink ?? ""
    try turn(to: sink, on: stage)
    let speakers = try stage.server.record(Self.speakers)
    let ears = try stage.server.record(sink)
    let player = try type.init(files, on: stage)
    let sound = try ears.waitForSound(floor: 0.05, within: .seconds(10))
    try ears.wait(forFrames: sound + 13_230)
    let from = speakers.frames
    try headset.remove()
    try stage.wait(untilSounding: false)
    // What was rendered before is still to come.
    let recording = try speakers.wait(forFrames: speakers.frames + 22_050)
    player.child.kill()
    let leaked = (from..<recording.frames).count { recording.isSounding($0, floor: 0.001) }
    try stage.server.control.wait(for: "an empty server") { world in
      world.sinkInputs.isEmpty && world.sinks.count == 1 && world.cards.count == 1
    }
    return Double(leaked) / Double(recording.format.rate) * 1000
  }

  // MARK: What is no unplugging

  private func moves(_ name: String, _ file: String, _ stage: Stage) throws -> [Figure] {
    try stage.server.load(sink: "others")
    try turn(to: Self.speakers, on: stage)
    var ours: [Double] = []
    var bare: [Double] = []
    for _ in 0..<runs {
      bare.append(try gap(BarePlayer.self, [BarePlayer.stay], on: stage))
      if program != nil { ours.append(try gap(ProgramPlayer.self, [file], on: stage)) }
    }
    return [
      Figure(
        name: "\(name): no sound at a move by the user", ours: ours.isEmpty ? nil : ours.median, unit: "ms",
        others: [("bare C that does not cork", bare.median)], note: program == nil ? Self.needsProgram : "")
    ]
  }

  /// Milliseconds of nothing on either output when the user moves the music to the other one: a false alarm.
  private func gap(_ type: any Player.Type, _ files: [String], on stage: Stage) throws -> Double {
    let ears = try ears(on: stage)
    let player = try type.init(files, on: stage)
    let (speakers, target) = try waitForMusic(ears, on: stage)
    let from = target.frames
    try move(to: target.sink, on: stage)
    let arrival = try target.waitForSound(from: from, floor: 0.05)
    try target.wait(forFrames: arrival + 22_050)
    player.child.kill()
    let last = speakers.recording.lastSound(floor: 0.05).flatMap { speakers.recording.time(ofFrame: $0) }
    let first = target.recording.time(ofFrame: arrival)
    let rate = Double(target.format.rate)
    let silences = target.recording.gaps(ofAtLeast: target.format.frames(in: Self.fragment), floor: 0.001)
      .filter { $0.lowerBound >= arrival }.map { Double($0.count) / rate * 1000 }
    try stage.server.control.wait(for: "an empty server") { $0.sinkInputs.isEmpty }
    return max(0, ((first ?? .zero) - (last ?? .zero)).milliseconds) + silences.reduce(0, +)
  }

  private static let fragment = Duration.milliseconds(2)

  private func ears(on stage: Stage) throws -> [Recorder] {
    try [Self.speakers, "others"].map { try stage.server.record($0, latency: Self.fragment) }
  }

  /// Waits until a player has been heard for a while, and answers the recorder of its output before the other one. PipeWire remembers
  /// where a player was moved to, so it may be either.
  private func waitForMusic(_ ears: [Recorder], on stage: Stage) throws -> (here: Recorder, there: Recorder) {
    let world = try stage.server.control.wait(for: "music", within: .seconds(10)) { world in
      world.sinkInputs.contains { !$0.isCorked && $0.sink != nil }
    }
    let sink = world.sinkInputs.first { !$0.isCorked }?.sink.flatMap(world.sink)?.name
    let (here, there) = ears[0].sink == sink ? (ears[0], ears[1]) : (ears[1], ears[0])
    let sound = try here.waitForSound(floor: 0.05, within: .seconds(10))
    try here.wait(forFrames: sound + 13_230)
    return (here, there)
  }

  /// PipeWire at times answers yes and does nothing: then it is asked again.
  private func move(to sink: String, on stage: Stage) throws {
    let control = stage.server.control
    for _ in 1...5 {
      let world = try control.world()
      guard let stream = world.sinkInputs.first(where: { !$0.isCorked }) else {
        throw KitError("nothing plays")
      }
      try control.move(stream.index, toSink: sink)
      let target = world.sink(named: sink)?.index
      let moved = try? control.wait(for: "the move", within: .seconds(1)) {
        $0.sinkInput(stream.index)?.sink == target
      }
      if moved != nil { return }
    }
    throw KitError("nothing moves to \(sink)")
  }

  // MARK: Calls

  private func calls(_ name: String, _ file: String, _ stage: Stage) throws -> [Figure] {
    guard program != nil else {
      return [
        .missing("\(name): a call's begin to silence", Self.needsProgram),
        .missing("\(name): a call's end to sound", Self.needsProgram),
      ]
    }
    try turn(to: Self.speakers, on: stage)
    var calls: [(begin: Double, end: Double)] = []
    for _ in 0..<runs { calls.append(try call(file, on: stage)) }
    return [
      Figure(name: "\(name): a call's begin to silence", ours: calls.map(\.begin).median, unit: "ms"),
      Figure(name: "\(name): a call's end to sound", ours: calls.map(\.end).median, unit: "ms"),
    ]
  }

  /// Milliseconds from a phone stream's start to the music's silence, and from its end to music again.
  private func call(_ file: String, on stage: Stage) throws -> (begin: Double, end: Double) {
    let ears = try ears(on: stage)
    let player = try ProgramPlayer([file], on: stage)
    let (recorder, other) = try waitForMusic(ears, on: stage)
    let before = recorder.frames
    let begin = Monotonic.now
    var phone: OtherStream? = try stage.server.play(
      [], Tunes.format, on: other.sink, properties: ["media.role": "phone"])
    let silence = try recorder.waitForSilence(lasting: .milliseconds(200), from: before, floor: 0.001)
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
