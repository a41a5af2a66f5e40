// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

/// What only happens where an output has been given sound for a second or two ahead. Whoever records it in small pieces has it given no
/// more than they are long, so these tests record in long ones, or record another output.
@Suite("Outputs that have much of the sound already", .serialized, .realTime, .endsAnyway)
struct DeepOutputTests {
  private let format = AudioFormat(rate: 44_100, channels: 2)

  private func makeTone(_ stage: AgentStage, seconds: Double) throws -> String {
    try stage.folder.write(
      "tone.wav", WAVFile.bytes(Tone.sine(frames: Int(seconds * 44_100), format), format))
  }

  private func position(_ stage: AgentStage) throws -> Double {
    let words = try Child.run(.beside("fermata"), ["status", "--json"], environment: stage.environment)
    let key = #""position":"#
    let rest = words.firstRange(of: key).map { words[$0.upperBound...] } ?? ""
    return Double(rest.prefix { $0.isNumber || $0 == "." }) ?? 0
  }

  private func wait(for place: Double, _ stage: AgentStage) throws {
    let deadline = Deadline.patient
    while try position(stage) < place { if deadline.hasPassed { throw KitError("it does not get there") } }
  }

  @Test("a pause near the end of the queue is a pause, and the rest is heard when it goes on")
  func pauseNearTheEnd() throws {
    let pulse = try PrivatePulse()
    let card = try pulse.insert(.laptop())
    let stage = try AgentStage(pulse)
    let recorder = try pulse.record("laptop", latency: .seconds(2))
    try stage.play(try makeTone(stage, seconds: 4))
    // By then the output has the rest.
    try wait(for: 2.2, stage)
    stage.playerctl("pause")
    let first = recorder.frames
    try recorder.waitForSilence(lasting: .milliseconds(800), from: first, floor: 0.01)
    let paused = try position(stage)
    #expect(stage.playerctl("status") == "Paused" && paused >= 2.2 && paused < 4, "\(paused)")
    stage.playerctl("play")
    try recorder.waitForSound(from: recorder.frames, floor: 0.01)
    try stage.waitForStatus("Stopped")
    try recorder.waitForSilence(lasting: .milliseconds(300), from: recorder.frames, floor: 0.01)
    let recording = recorder.recording
    let heard = (0..<recording.frames).count { recording.isSounding($0, floor: 0.0001) }
    #expect(abs(Double(heard) / 44_100 - 4) < 0.15, "\(Double(heard) / 44_100) s")
    try stage.stop()
    withExtendedLifetime(card) {}
  }

  @Test("music that is moved to an output that gives nothing back goes on where it was")
  func moved() throws {
    let pulse = try PrivatePulse(sinks: ["headset"])
    let card = try pulse.insert(.laptop())
    try pulse.control.setDefaultSink("laptop")
    let stage = try AgentStage(pulse)
    let recorder = try pulse.record("headset")
    try stage.play(try makeTone(stage, seconds: 6))
    try wait(for: 2.6, stage)
    let place = try position(stage)
    _ = try Child.run(.beside("fermata"), ["output", "headset"], environment: stage.environment)
    try stage.waitForStatus("Stopped")
    let recording = recorder.recording
    let heard = (0..<recording.frames).count { recording.isSounding($0, floor: 0.0001) }
    #expect(abs(Double(heard) / 44_100 - (6 - place)) < 0.6, "\(Double(heard) / 44_100) s from \(place)")
    try stage.stop()
    withExtendedLifetime(card) {}
  }

  @Test("music whose output is suspended stands where it was, and goes on there")
  func suspended() throws {
    let pulse = try PrivatePulse()
    let card = try pulse.insert(.laptop())
    let stage = try AgentStage(pulse)
    try stage.play(try makeTone(stage, seconds: 8))
    try wait(for: 2.6, stage)
    let place = try position(stage)
    try pulse.control.suspend(sink: "laptop", true)
    try stage.wait(for: "status", "--json", until: { $0.contains(#""why":"suspend""#) })
    // Asking takes some milliseconds each time.
    let places = try (1...30).map { _ in try position(stage) }
    #expect(places[29] - places[0] < 0.05 && abs(places[0] - place) < 0.5, "\(place) \(places)")
    try pulse.control.suspend(sink: "laptop", false)
    try stage.waitForStatus("Playing")
    let back = try position(stage)
    #expect(abs(back - places[0]) < 0.5, "\(places) \(back)")
    try stage.stop()
    withExtendedLifetime(card) {}
  }

  @Test("that the server opens the card at another rate for a Next interrupts nothing")
  func anotherRate() throws {
    let pulse = try PrivatePulse(sinks: ["speakers"])
    let stage = try AgentStage(pulse)
    var other: OtherStream? = try pulse.play(Tone.silence(frames: 4_410_000, format), format, on: "speakers")
    let high = AudioFormat(rate: 48_000, channels: 2)
    let files = try ["one.wav", "two.wav"].map {
      try stage.folder.write($0, WAVFile.bytes(Tone.sine(frames: 60 * 48_000, high), high))
    }
    let events = try stage.events()
    _ = try Child.run(.beside("fermata"), ["play"] + files, environment: stage.environment)
    try stage.waitForStatus("Playing")
    try wait(for: 0.2, stage)
    #expect(other != nil, "it has played until now")
    other = nil
    try pulse.control.wait(for: "the other's end") { $0.sinkInputs.count == 1 }
    _ = try Child.run(.beside("fermata"), ["next"], environment: stage.environment)
    try wait(for: 0.3, stage)
    _ = try Child.run(.beside("fermata"), ["volume", "33%"], environment: stage.environment)
    var told: [String] = []
    while told.last?.contains(#""volume":0.33"#) != true { told.append(try events.nextLine(until: .patient)) }
    #expect(!told.contains { $0.contains("interruption") || $0.contains("suspend") }, "\(told)")
    _ = events.stop(within: .patience)
    try stage.stop()
  }
}
