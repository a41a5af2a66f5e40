// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import FermataTestKit
import Testing

@testable import PulseIO

@Suite("The server's world", .serialized, .realTime, .endsAnyway)
struct WorldTests {
  enum Kind: CaseIterable { case pulseAudio, pipeWire }

  private func start(_ kind: Kind, sinks: [NullSink] = []) throws -> any SoundServer {
    switch kind {
    case .pulseAudio: try PrivatePulse(sinks: sinks)
    case .pipeWire: try PrivatePipeWire(sinks: sinks)
    }
  }

  private func bench(_ server: any SoundServer) async throws -> StreamBench {
    let address = server.serverAddress
    let bench = try await onLoop { @AgentLoop in StreamBench(address) }
    await bench.connect()
    return bench
  }

  @Test("says which server answers, its sinks, its clients and the streams", arguments: Kind.allCases)
  func reading(kind: Kind) async throws {
    let server = try start(kind, sinks: ["speakers", "headphones"])
    let bench = try await bench(server)
    try await bench.open(.init(name: "a tune", format: AudioFormat(rate: 44_100, channels: 2)))
    await bench.wait(for: .ready)
    let index = try #require(await bench.stream?.index)
    // PipeWire lists a stream before it has set it up.
    try await bench.waitForWorld { $0.sinkInput(index).map { $0.volume == 1 && !$0.isCorked } ?? false }
    let world = try await bench.server.readWorld()
    #expect(world.server.kind == (kind == .pipeWire ? .pipeWire : .pulseAudio))
    #expect(world.server.defaultSink == "speakers")
    #expect(world.sink(named: "headphones")?.isNullFallback == false)
    let input = try #require(world.sinkInput(index))
    #expect(input.name == "a tune")
    #expect(input.volume == 1)
    #expect(!input.isCorked && !input.isMuted)
    let client = try #require(input.client.flatMap { world.client($0) })
    #expect(client.name == "test")
    #expect(client.processID != nil)
    await bench.close()
    try server.stop()
  }

  @Test("tells of a sink's mute and volume, and says how they are then", arguments: Kind.allCases)
  func sinkLevel(kind: Kind) async throws {
    let server = try start(kind, sinks: ["speakers"])
    // PipeWire 1.4 applies mute and volume of a sink that is suspended only once it runs.
    let format = AudioFormat(rate: 44_100, channels: 2)
    let stream = try server.play(Tone.silence(frames: 4_410, format), format, on: "speakers")
    let bench = try await bench(server)
    try await bench.waitForWorld { $0.sink(named: "speakers").map { !$0.isMuted && $0.volume == 1 } ?? false }
    try server.control.setMute(sink: "speakers", true)
    try await bench.waitForWorld { $0.sink(named: "speakers")?.isMuted == true }
    try server.control.setVolume(sink: "speakers", 0)
    try await bench.waitForWorld { $0.sink(named: "speakers")?.volume == 0 }
    try server.control.setMute(sink: "speakers", false)
    try await bench.waitForWorld { $0.sink(named: "speakers")?.isMuted == false }
    withExtendedLifetime(stream) {}
    await bench.close()
    try server.stop()
  }

  @Test("shows the jack of a laptop going out", arguments: Kind.allCases)
  func jack(kind: Kind) async throws {
    let server = try start(kind)
    let card = try server.insert(.laptop())
    let bench = try await bench(server)
    try await bench.waitForWorld { $0.sink(named: "laptop")?.active?.kind == .headphones }
    let before = try await bench.server.readWorld()
    #expect(before.cards.first { $0.name == card.layout.name }?.properties["device.bus"] == "pci")
    try card.setAvailable(["headphones": .no, "speaker": .unknown])
    try await bench.waitForWorld { $0.sink(named: "laptop")?.active?.kind == .speaker }
    let after = try await bench.server.readWorld()
    let ports = try #require(after.sink(named: "laptop")?.ports)
    #expect(ports.first { $0.kind == .headphones }?.availability == .no)
    #expect(after.sink(named: "laptop")?.card == after.cards.first { $0.name == card.layout.name }?.index)
    await bench.close()
    try server.stop()
  }

  @Test("hears a microphone apart from a monitor and a level meter")
  func recording() async throws {
    try await withPulse(sinks: ["speakers"]) { pulse in
      let recorder = try pulse.record("speakers")
      let bench = try await bench(pulse)
      let world = try await bench.server.readWorld()
      #expect(world.sourceOutputs.count == 1)
      #expect(world.sourceOutputs.first?.hearsMonitor == true)
      #expect(world.sourceOutputs.first?.isPeakMeter == false)
      withExtendedLifetime(recorder) {}
      await bench.close()
    }
  }

  @Test("a recording of what a program plays is none of a microphone", arguments: Kind.allCases)
  func recordingAProgram(kind: Kind) async throws {
    let server = try start(kind, sinks: ["speakers"])
    let bench = try await bench(server)
    try await bench.open(.init(name: "a tune", format: AudioFormat(rate: 44_100, channels: 2)))
    await bench.wait(for: .ready)
    let index = try #require(await bench.stream?.index)
    let recording = try server.record(index)
    try await bench.waitForWorld { world in
      world.sourceOutputs.contains {
        !$0.isCorked && (kind == .pipeWire ? !$0.hasSource : $0.hearsMonitor)
      }
    }
    withExtendedLifetime(recording) {}
    await bench.close()
    try server.stop()
  }

  @Test("asking without a connection is refused, and says so")
  func unconnected() async throws {
    let server = try await onLoop { @AgentLoop in
      PulseServer(address: "unix:/nonexistent/socket", properties: [:])
    }
    let error = await #expect(throws: PulseError.self) { try await server.readWorld() }
    #expect(error?.code == .badState)
    #expect(error?.description.hasPrefix("cannot read the sound server's state: ") == true)
  }

  @Test("a server that comes late is found")
  func lateServer() async throws {
    let pulse = try PrivatePulse(sinks: ["speakers"])
    let address = pulse.serverAddress
    pulse.crash()
    let bench = try await onLoop { @AgentLoop in
      StreamBench(address, backoff: Backoff(first: .milliseconds(1), limit: .milliseconds(2)))
    }
    await bench.server.start()
    await bench.wait { bench.serverEvents.count > 2 }
    #expect(await bench.serverEvents.allSatisfy { $0 == "disconnected" })
    await bench.close()
  }
}
