// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@Suite("The way of the sound through filters")
struct SinkPathTests {
  private typealias Sinks = [(name: String, module: UInt32?, properties: [String: String])]

  private static let device = Sink.Index(rawValue: 0)
  private static let filter = Sink.Index(rawValue: 1)
  private static let other = Sink.Index(rawValue: 2)
  /// The side of a loopback that records the sink that may be a filter.
  private static let loopback = SourceOutput(
    index: SourceOutput.Index(rawValue: 1), monitors: filter, module: 9)

  /// A device, a second one, and a sink that may be a filter.
  private func world(
    _ name: String = "filter", module: UInt32? = nil, _ properties: [String: String] = [:], on server: String
  ) -> AudioWorld {
    AudioWorld(
      server: AudioServer(name: server, version: "", defaultSink: "device"),
      sinks: [
        Sink(index: Self.device, name: "device", module: 3),
        Sink(index: Self.filter, name: name, module: module, properties: properties),
        Sink(index: Self.other, name: "other", module: 4),
      ])
  }

  private func input(
    _ sink: Sink.Index?, client: UInt32? = nil, module: UInt32? = nil, _ properties: [String: String] = [:]
  ) -> SinkInput {
    SinkInput(
      index: SinkInput.Index(rawValue: 7), client: client.map(AudioClient.Index.init(rawValue:)), sink: sink,
      module: module, properties: properties)
  }

  private func heard(_ world: AudioWorld, from sink: Sink.Index = filter) -> String? {
    world.sink(sink).flatMap { world.path(from: $0).heard?.name }
  }

  @Test("PulseAudio: a sink plays on by the stream that its own module made")
  func module() {
    var world = world(module: 8, on: "pulseaudio")
    #expect(heard(world) == "filter")
    world.sinkInputs = [input(Self.device, module: 8)]
    #expect(heard(world) == "device")
    #expect(heard(world, from: Self.other) == "other")
    world.sinkInputs = [input(Self.device, client: 5, module: 8)]
    #expect(heard(world) == "filter", "a program's stream, whose module is the one that serves it")
  }

  @Test("PulseAudio: a loopback that records the sink plays it on, a program that does so does not")
  func loopback() {
    var world = world(module: 8, on: "pulseaudio")
    world.sinkInputs = [input(Self.other, module: 9)]
    world.sourceOutputs = [Self.loopback]
    #expect(heard(world) == "other")
    world.sourceOutputs[0].client = AudioClient.Index(rawValue: 5)
    #expect(heard(world) == "filter")
  }

  @Test(
    "PipeWire: both sides of a filter have the same group or module",
    arguments: ["node.link-group", "pulse.module.id"])
  func group(key: String) {
    // The numbers of modules are not looked at: all of a kind may have the same.
    var world = world(module: 8, [key: "loopback-1"], on: "PulseAudio (on PipeWire 1.2)")
    world.sinkInputs = [input(Self.other, module: 8)]
    #expect(heard(world) == "filter")
    world.sinkInputs = [input(Self.other, client: 5, [key: "loopback-1"])]
    #expect(heard(world) == "other")
  }

  @Test("while the filter's own stream is linked to nothing, nobody knows where it is heard")
  func broken() throws {
    var world = world(module: 8, on: "pulseaudio")
    world.sinkInputs = [input(nil, module: 8)]
    #expect(heard(world) == nil)
    world.sinkInputs = [input(Sink.Index(rawValue: 99), module: 8)]
    #expect(heard(world) == nil, "a sink that the reading does not have")
    #expect(world.path(from: try #require(world.sink(Self.filter))).first.name == "filter")
  }

  @Test(
    "a sink that plays to several at once is heard as itself, and a loopback beside a filter's own stream is no way on"
  )
  func several() {
    var world = world(module: 8, on: "pulseaudio")
    world.sinkInputs = [input(Self.device, module: 8), input(Self.other, module: 8)]
    #expect(heard(world) == "filter")
    world.sinkInputs = [input(Self.device, module: 8), input(Self.other, module: 9)]
    world.sourceOutputs = [Self.loopback]
    #expect(heard(world) == "device")
  }

  @Test("a device is heard itself, even if a loopback records it")
  func device() {
    var world = world(module: 8, on: "pulseaudio")
    world.sinkInputs = [input(Self.other, module: 9)]
    world.sourceOutputs = [Self.loopback]
    world.sinks[1].card = Card.Index(rawValue: 1)
    #expect(heard(world) == "filter")
    (world.sinks[1].card, world.sinks[1].ports) = (nil, [Port(name: "headphones")])
    #expect(heard(world) == "filter")
  }

  @Test("filters may be chained, and a chain that leads back to itself ends")
  func chained() throws {
    var world = world(module: 8, on: "pulseaudio")
    world.sinkInputs = [input(Self.other, module: 8), input(Self.device, module: 4)]
    #expect(
      world.path(from: try #require(world.sink(Self.filter))).sinks.map(\.name) == [
        "filter", "other", "device",
      ])
    world.sinkInputs.append(input(Self.filter, module: 3))
    #expect(
      world.path(from: try #require(world.sink(Self.filter))).sinks.map(\.name) == [
        "filter", "other", "device",
      ])
  }

  @Test(
    "a program whose links are not listed plays to the default sink",
    arguments: ["easyeffects_sink", "jamesdsp_sink"])
  func unlisted(name: String) {
    var world = world(name, on: "PulseAudio (on PipeWire 1.2)")
    #expect(heard(world) == "device")
    world.server.defaultSink = "gone"
    #expect(heard(world) == nil)
    // Where it is the default itself, it plays to the device that it has kept. That one is in use.
    world.server.defaultSink = name
    #expect(heard(world) == nil)
    for at in [0, 2] { world.sinks[at].card = Card.Index(rawValue: 1) }
    #expect(heard(world) == nil, "both may be it")
    world.sinks[0].isSuspended = true
    #expect(heard(world) == "other")
  }
}
