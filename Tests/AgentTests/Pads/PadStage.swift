// SPDX-License-Identifier: MIT
import AudioModel
import FaceModel
import FermataTestKit
import MediaModel
import Testing

/// The sounds of a kit that tests can tell from everything else, and from each other, in a recording. They are at the rate of the sink,
/// so that no server changes them.
struct TestKit {
  let format: AudioFormat
  /// Half a second of noise whose first frame is loud.
  let long: [Float]
  /// A tenth of a second of other noise.
  let short: [Float]

  init(_ format: AudioFormat = AudioFormat(rate: 44_100, channels: 2)) {
    self.format = format
    long = Self.noise(seed: 1, frames: format.rate / 2)
    short = Self.noise(seed: 2, frames: format.rate / 10)
  }

  private static func noise(seed: UInt64, frames: Int) -> [Float] {
    var random = SeededGenerator(seed: seed)
    var samples = (0..<frames * 2).map { _ in Float(Int.random(in: -8_000...8_000, using: &random)) / 32_768 }
    (samples[0], samples[1]) = (0.2, 0.2)
    return samples
  }

  /// Writes the kit into a folder, whose path it returns: pad 1 is `long`, pad 2 `short`, of which eight may sound at once.
  func write(in folder: TemporaryDirectory) throws -> String {
    let long = try folder.write("kit/long.wav", WAVFile.bytes(long, format))
    _ = try folder.write("kit/short.wav", WAVFile.bytes(short, format))
    _ = try folder.write(
      "kit/kit.conf", "name = Test\n[pad]\nsample = long.wav\n[pad]\nsample = short.wav\npolyphony = 8\n")
    return String(long.dropLast("/long.wav".utf8.count))
  }
}

/// An agent with a kit loaded, whose output is recorded, and a client on its bus.
final class PadStage {
  let stage: AgentStage
  let client: MPRISClient
  let recorder: Recorder
  let server: any SoundServer
  let kit: TestKit

  init(_ server: any SoundServer, sink: String = "speakers") throws {
    self.server = server
    stage = try AgentStage(server)
    recorder = try server.record(sink)
    client = try MPRISClient(stage.bus)
    kit = TestKit(recorder.format)
    try load(try kit.write(in: stage.folder))
  }

  func stop() throws {
    client.close()
    try stage.stop()
  }

  func load(_ folder: String) throws { try client.agent(.load(kit: FilePath(folder))) }

  func hit(_ pad: UInt32) throws { try client.agent(.hit(pad: PadNumber(rawValue: pad))) }

  /// The pads as the bus has them.
  func pads() throws -> PadsFace {
    try #require(try client.agent(.pads).first.flatMap { PadsFace(wire: $0) })
  }

  /// The pads' stream as the server has it.
  func stream(in world: AudioWorld) -> SinkInput? { world.sinkInputs.first { $0.name == "Pads" } }

  /// Runs our own program, and returns its exit status and what it said.
  func fermata(_ words: String..., input: String? = nil) throws -> (
    status: FermataTestKit.ExitStatus?, output: String, errors: String
  ) {
    var program = try Program.beside("fermata")
    var words = words
    if let input {
      program = Program(path: "/bin/sh")
      words = ["-c", "printf '%s' \"$0\" | \"$@\"", input, try Program.beside("fermata").path] + words
    }
    let child = try Child(program, words, environment: stage.environment)
    let status = child.exit(until: .patient)
    return (status, child.standardOutput, child.standardError)
  }

  /// Waits until the next sound is over, which began at or after this frame. Returns its first frame.
  @discardableResult
  func hearsSound(from frame: Int) throws -> Int {
    let start = try recorder.waitForSound(from: frame)
    try recorder.waitForSilence(lasting: .milliseconds(200), from: start)
    return start
  }

  func hearsNothing(for time: Duration = .milliseconds(400)) throws {
    let start = recorder.frames
    try recorder.wait(forFrames: start + recorder.format.frames(in: time))
    #expect(
      recorder.recording.firstSound(from: start + recorder.format.frames(in: .milliseconds(100))) == nil)
  }
}

extension Recording {
  /// The frame of a sound, from `first` on, that is not as it was made, if that frame is at `start` in the recording; nil if all of so many
  /// frames are.
  func difference(from sound: [Float], at start: Int, first: Int = 0, frames: Int) -> Int? {
    let channels = format.channels
    return (first..<first + frames).first { frame in
      let place = start + frame - first
      guard (0..<self.frames).contains(place) else { return true }
      return (0..<channels).contains {
        abs(samples[place * channels + $0] - sound[frame * channels + $0]) > 0.000_1
      }
    }
  }
}
