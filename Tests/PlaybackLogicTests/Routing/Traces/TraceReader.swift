// SPDX-License-Identifier: MIT
import AudioModel

@testable import PlaybackLogic

/// Reads the lines of a recorded trace, word by word. A line that it does not know is a mistake in the test.
struct TraceReader {
  private(set) var moments: [Moment] = []
  private var world: AudioWorld
  private var isFirstPart = false

  init(server: AudioServer.Kind) {
    let name = server == .pulseAudio ? "pulseaudio" : "PulseAudio (on PipeWire 0.3.65)"
    world = AudioWorld(server: AudioServer(name: name, version: "", defaultSink: ""))
  }

  mutating func read(_ words: [String]) {
    switch words[0] {
    case "sink": add(card: nil, sink: Self.sink(words))
    case "card": add(card: Self.card(words), sink: nil)
    default: moments.append(Moment(Int(words[0])!, event(Array(words.dropFirst()))))
    }
  }

  private mutating func event(_ words: [String]) -> RouteEvent {
    switch (words[0], words[1]) {
    case ("server", "found"): .serverFound
    case ("server", "changed"): .serverChanged
    case ("moved", let sink): .moved(to: Sink.Index(rawValue: UInt32(sink)!))
    case ("sink", let change): .sink(Self.change(change), Sink.Index(rawValue: UInt32(words[2])!))
    case ("card", let change): .card(Self.change(change), Card.Index(rawValue: UInt32(words[2])!))
    case ("stream", "ready"): .streamReady
    case ("stream", "changed"): .streamChanged
    case ("world", let sink): read(defaultSink: sink, stream: Array(words.dropFirst(2)))
    default: preconditionFailure("an unknown line: \(words)")
    }
  }

  private static func change(_ word: String) -> ServerChange {
    word == "new" ? .new : word == "removed" ? .removed : .changed
  }

  private mutating func read(defaultSink: String, stream words: [String]) -> RouteEvent {
    isFirstPart = true
    world.server.defaultSink = defaultSink
    guard words.count == 4, let index = UInt32(words[1]) else {
      world.sinkInputs = []
      return .world(world, ownInput: nil)
    }
    let own = SinkInput.Index(rawValue: index)
    world.sinkInputs = [SinkInput(index: own, sink: UInt32(words[3]).map(Sink.Index.init(rawValue:)))]
    return .world(world, ownInput: own)
  }

  // MARK: What stands below a world

  private mutating func add(card: Card?, sink: Sink?) {
    if isFirstPart {
      world.sinks = []
      world.cards = []
      isFirstPart = false
    }
    if let sink { world.sinks.append(sink) }
    if let card { world.cards.append(card) }
    guard let last = moments.popLast(), case .world(_, let own, _, _) = last.event else {
      preconditionFailure("a part of no world")
    }
    moments.append(Moment(last.time, .world(world, ownInput: own)))
  }

  private static func sink(_ words: [String]) -> Sink {
    let active = words.dropFirst(5).first { $0.hasPrefix("*") }.map { port($0).name }
    return Sink(
      index: Sink.Index(rawValue: UInt32(words[1])!), name: words[2],
      card: UInt32(words[4]).map(Card.Index.init(rawValue:)), ports: words.dropFirst(5).map(port),
      activePort: active)
  }

  private static func card(_ words: [String]) -> Card {
    Card(
      index: Card.Index(rawValue: UInt32(words[1])!), name: words[2], activeProfile: words[4],
      ports: words.dropFirst(5).map(port), properties: ["device.bus": words[3]])
  }

  private static func port(_ word: String) -> Port {
    let parts = word.drop { $0 == "*" }.split(separator: "/").map(String.init)
    return Port(
      name: parts[0], kind: Port.Kind(rawValue: parts[1])!,
      availability: Port.Availability(rawValue: parts[2])!)
  }
}
