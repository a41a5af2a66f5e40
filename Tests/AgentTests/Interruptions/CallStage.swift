// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit
import Testing

/// An agent that plays to a recorder, with an ear on what it tells, and others who call and record beside it.
final class CallStage {
  /// What the calls come through.
  enum Kind: CaseIterable {
    /// A desktop's PulseAudio: it mutes music for a call and asks for silence.
    case pulseAudio
    /// One that does nothing about calls.
    case barePulseAudio
    case pipeWire

    /// The two that desktops have.
    static let desktops: [Kind] = [.pulseAudio, .pipeWire]

    func start(_ sinks: [NullSink]) throws -> any SoundServer {
      switch self {
      case .pulseAudio: try PrivatePulse(sinks: sinks, modules: .usual + [.roleCork])
      case .barePulseAudio: try PrivatePulse(sinks: sinks)
      case .pipeWire: try PrivatePipeWire(sinks: sinks)
      }
    }
  }

  static let format = AudioFormat(rate: 44_100, channels: 2)
  static let floor: Float = 0.01

  let agent: AgentStage
  let ear: EventEar
  let recorder: Recorder
  let server: any SoundServer

  /// A stage whose first sink is the default and is recorded.
  init(_ server: any SoundServer, sink: String = "speakers", systemBus: PrivateBus? = nil) throws {
    self.server = server
    agent = try AgentStage(server, systemBus: systemBus)
    recorder = try server.record(sink)
    ear = try EventEar(agent.environment)
  }

  convenience init(_ kind: Kind, sinks: [NullSink] = ["speakers"]) throws {
    try self.init(kind.start(sinks), sink: sinks[0].name)
  }

  /// One that already plays, and is heard.
  static func playing(_ kind: Kind, sinks: [NullSink] = ["speakers"]) throws -> CallStage {
    let stage = try CallStage(kind, sinks: sinks)
    try stage.play()
    return stage
  }

  /// A minute of a tone, as small as it may be: it is made and read for every test.
  private static let tone: [UInt8] = {
    let format = AudioFormat(rate: 8_000, channels: 1)
    return WAVFile.bytes(Tone.sine(frames: 60 * 8_000, format), format)
  }()

  func makeTone(_ name: String = "tone.wav") throws -> String { try agent.folder.write(name, Self.tone) }

  func play() throws {
    try agent.play(try makeTone())
    try ear.wait(forState: "playing")
    try hearsSound()
    ear.forget()
  }

  func stop() throws {
    try isUnmuted()
    try agent.stop()
  }

  // MARK: Others

  /// Somebody calls, and nobody says a word, until what this returns is released.
  func ring(role: String = "phone", on sink: String? = nil) throws -> OtherStream {
    try server.play(
      Tone.silence(frames: 44_100, Self.format), Self.format, on: sink, properties: ["media.role": role])
  }

  // MARK: Orders

  /// Has our own program do something; what it says.
  @discardableResult
  func fermata(_ words: String...) throws -> String {
    try Child.run(.beside("fermata"), words, environment: agent.environment)
  }

  // MARK: What is so

  /// The status as programs read it.
  func status() throws -> String { try fermata("status", "--json") }

  /// The state and its reason, as our own interface and as MPRIS have it.
  func expect(
    _ state: String, why: String? = nil, interruptions: [String]? = nil,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let status = try status()
    #expect(status.contains("\"state\":\"\(state)\""), "\(status)", sourceLocation: location)
    if let why { #expect(status.contains("\"why\":\"\(why)\""), "\(status)", sourceLocation: location) }
    if let interruptions {
      let list = interruptions.map { "\"\($0)\"" }.joined(separator: ",")
      #expect(status.contains("\"interruptions\":[\(list)]"), "\(status)", sourceLocation: location)
    }
    let said = ["interrupted": "Paused", "paused": "Paused", "playing": "Playing", "stopped": "Stopped"][
      state]
    #expect(agent.playerctl("status") == said, sourceLocation: location)
  }

  func hearsSound() throws { try recorder.waitForSound(from: recorder.frames, floor: Self.floor) }

  func hearsNothing() throws {
    try recorder.waitForSilence(lasting: .milliseconds(300), from: recorder.frames, floor: Self.floor)
  }

  /// Our stream as the server has it.
  func ownStream(in world: AudioWorld) -> SinkInput? {
    world.sinkInputs.first {
      $0.name != "another program's sound"
    }
  }

  /// Waits until nobody mutes our stream. A call's mute may end a moment after the music goes on.
  func isUnmuted() throws {
    try server.control.wait(for: "our own stream without a mute") { ownStream(in: $0)?.isMuted != true }
  }
}
