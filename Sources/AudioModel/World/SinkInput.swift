// SPDX-License-Identifier: MIT

/// A playback stream, ours or another program's.
package struct SinkInput: Sendable, Equatable {
  /// The server's index number of a playback stream.
  package struct Index: Sendable, Hashable, RawRepresentable {
    /// The number itself.
    package let rawValue: UInt32
    /// The number as the protocol has it.
    package init(rawValue: UInt32) { self.rawValue = rawValue }
  }

  /// The server's index number.
  package var index: Index
  /// Its name, given by its program.
  package var name: String
  /// The client that owns it; nil for streams that the server makes for itself.
  package var client: AudioClient.Index?
  /// The sink that it plays to; nil while it is linked to none, which PipeWire reports for some milliseconds on each
  /// route change.
  package var sink: Sink.Index?
  /// Whether it is corked (paused). PipeWire also shows a stream that is not linked to a sink as corked.
  package var isCorked: Bool
  /// Whether it is muted at the server.
  package var isMuted: Bool
  /// The volume of its loudest channel as a fraction of full volume, on the scale of a volume slider; nil if the stream
  /// has no volume of its own.
  package var volume: Double?
  /// The server's property list: `media.role`, `application.name` and the like.
  package var properties: [String: String]

  /// A playback stream with these properties.
  package init(
    index: Index, name: String = "", client: AudioClient.Index? = nil, sink: Sink.Index? = nil,
    isCorked: Bool = false, isMuted: Bool = false, volume: Double? = nil,
    properties: [String: String] = [:]
  ) {
    self.index = index
    self.name = name
    self.client = client
    self.sink = sink
    self.isCorked = isCorked
    self.isMuted = isMuted
    self.volume = volume
    self.properties = properties
  }

  /// What the stream says it is for: "music", "phone" and so on.
  package var role: String? { properties["media.role"] }
}
