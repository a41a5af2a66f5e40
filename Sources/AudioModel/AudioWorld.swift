// SPDX-License-Identifier: MIT

/// Everything that a sound server told about itself in one reading: its outputs, cards, streams and connected programs.
///
/// The server may change while its lists are read one after another. So a stream may name a sink that is not in `sinks`, and code that uses a world
/// must allow for that.
package struct AudioWorld: Sendable, Equatable {
  package var server: AudioServer
  package var sinks: [Sink]
  package var cards: [Card]
  /// The playback streams of all programs, ours among them.
  package var sinkInputs: [SinkInput]
  package var sourceOutputs: [SourceOutput]
  package var clients: [AudioClient]
  /// The number of our own connection to the server; nil if it is not known.
  package var ownClient: AudioClient.Index?

  package init(
    server: AudioServer, sinks: [Sink] = [], cards: [Card] = [], sinkInputs: [SinkInput] = [],
    sourceOutputs: [SourceOutput] = [], clients: [AudioClient] = []
  ) {
    self.server = server
    self.sinks = sinks
    self.cards = cards
    self.sinkInputs = sinkInputs
    self.sourceOutputs = sourceOutputs
    self.clients = clients
  }

  /// The sink with this number; nil if the server had none when it was read.
  package func sink(_ index: Sink.Index) -> Sink? { sinks.first { $0.index == index } }
  /// The sink with this name; nil if the server had none when it was read.
  package func sink(named name: String) -> Sink? { sinks.first { $0.name == name } }
  /// The card with this number; nil if the server had none when it was read.
  package func card(_ index: Card.Index) -> Card? { cards.first { $0.index == index } }
  /// The playback stream with this number; nil if the server had none when it was read.
  package func sinkInput(_ index: SinkInput.Index) -> SinkInput? { sinkInputs.first { $0.index == index } }
  /// The client with this number; nil if the server had none when it was read.
  package func client(_ index: AudioClient.Index) -> AudioClient? { clients.first { $0.index == index } }
}

/// The sound server as it describes itself.
package struct AudioServer: Sendable, Equatable {
  /// The two programs that can be the server. PipeWire speaks PulseAudio's protocol too; only its name shows which one it is.
  package enum Kind: String, Sendable {
    case pulseAudio = "PulseAudio"
    case pipeWire = "PipeWire"
  }

  /// The server's own name, "pulseaudio" or "PulseAudio (on PipeWire 0.3.65)".
  package var name: String
  package var version: String
  /// The sink that new streams go to, by name; empty when there is none.
  package var defaultSink: String
  /// The source that new recordings come from, by name; empty when there is none.
  package var defaultSource: String

  package init(name: String, version: String, defaultSink: String, defaultSource: String = "") {
    self.name = name
    self.version = version
    self.defaultSink = defaultSink
    self.defaultSource = defaultSource
  }

  /// Which program the server is, found out from its name.
  package var kind: Kind { name.split { !$0.isLetter }.contains("PipeWire") ? .pipeWire : .pulseAudio }
}

/// A program connected to the sound server.
package struct AudioClient: Sendable, Equatable {
  package typealias Index = ServerIndex<AudioClient>

  package var index: Index
  package var name: String
  package var properties: [String: String]

  package init(index: Index, name: String, properties: [String: String] = [:]) {
    self.index = index
    self.name = name
    self.properties = properties
  }

  /// The number of the program's process; nil if the program does not tell it.
  package var processID: Int32? { properties["application.process.id"].flatMap { Int32($0) } }
}

/// A playback stream, ours or another program's.
package struct SinkInput: Sendable, Equatable {
  package typealias Index = ServerIndex<SinkInput>

  package var index: Index
  package var name: String
  package var client: AudioClient.Index?
  /// The sink that the stream plays to; nil while the stream is linked to none, which PipeWire reports for some milliseconds on
  /// each route change.
  package var sink: Sink.Index?
  /// Whether the stream is corked (paused). PipeWire also shows a stream that is not linked to a sink as corked.
  package var isCorked: Bool
  package var isMuted: Bool
  /// The volume of the stream's loudest channel as a fraction of full volume, on the scale of a volume slider; nil if the
  /// stream has no volume of its own.
  package var volume: Double?
  /// The volume of each channel as a fraction of the loudest one's; empty if that is not known, or the stream is turned down to nothing.
  package var balance: [Double]
  /// The number of the server's module that made the stream, or that serves the program whose stream it is; nil if the server does not tell.
  package var module: UInt32?
  /// The server's property list: `media.role`, `application.name` and the like.
  package var properties: [String: String]

  package init(
    index: Index, name: String = "", client: AudioClient.Index? = nil, sink: Sink.Index? = nil,
    isCorked: Bool = false, isMuted: Bool = false, volume: Double? = nil, balance: [Double] = [],
    module: UInt32? = nil, properties: [String: String] = [:]
  ) {
    self.index = index
    self.name = name
    self.client = client
    self.sink = sink
    self.isCorked = isCorked
    self.isMuted = isMuted
    self.volume = volume
    self.balance = balance
    self.module = module
    self.properties = properties
  }

  /// The purpose of the stream, as it states it: "music", "phone" and so on.
  package var role: String? { properties["media.role"] }

  /// The property that the stream of our pads has, and no other one.
  package static let padsMark = "org.fermata.stream"

  /// Whether this is the stream of our own pads. The music has another stream, which may be on another sink.
  package var isOfPads: Bool { properties[Self.padsMark] != nil }
}

/// A stream by which a program records sound.
package struct SourceOutput: Sendable, Equatable {
  package typealias Index = ServerIndex<SourceOutput>

  package var index: Index
  package var name: String
  package var client: AudioClient.Index?
  /// The sink that the stream records, by that sink's monitor; nil if it records a microphone.
  package var monitors: Sink.Index?
  /// False if the stream records from no source. On PipeWire that is so at its start, and for good if it records what one other program plays.
  package var hasSource: Bool
  package var isCorked: Bool
  /// The number of the server's module that made the stream, or that serves the program whose stream it is; nil if the server does not tell.
  package var module: UInt32?
  /// The resampling method. A level meter has "peaks".
  package var resampleMethod: String
  package var properties: [String: String]

  package init(
    index: Index, name: String = "", client: AudioClient.Index? = nil, monitors: Sink.Index? = nil,
    hasSource: Bool = true, isCorked: Bool = false, module: UInt32? = nil, resampleMethod: String = "",
    properties: [String: String] = [:]
  ) {
    self.index = index
    self.name = name
    self.client = client
    self.monitors = monitors
    self.hasSource = hasSource
    self.isCorked = isCorked
    self.module = module
    self.resampleMethod = resampleMethod
    self.properties = properties
  }

  /// Whether the stream records the sound that is played to a sink. Otherwise it records a microphone.
  package var hearsMonitor: Bool { monitors != nil }

  /// Whether the resampling method shows that the stream feeds a level meter, which keeps no recording.
  package var isPeakMeter: Bool { resampleMethod == "peaks" }
}

/// The sound server's number of a sink, card, stream or client. While the server runs, it gives the number to no other thing of
/// the same kind.
package struct ServerIndex<Thing>: Sendable, Hashable, RawRepresentable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// How something on the sound server, such as a sink or a card, has changed: it is new, is another now, or is gone.
package enum ServerChange: Sendable { case new, changed, removed }
