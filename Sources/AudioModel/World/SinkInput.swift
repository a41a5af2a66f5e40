// SPDX-License-Identifier: MIT

/// Somebody's playback stream.
package struct SinkInput: Sendable, Equatable {
  /// The server's number of a playback stream.
  package struct Index: Sendable, Hashable, RawRepresentable {
    /// The number itself.
    package let rawValue: UInt32
    /// The number as the protocol has it.
    package init(rawValue: UInt32) { self.rawValue = rawValue }
  }

  /// Which one it is.
  package var index: Index
  /// What its program calls it.
  package var name: String
  /// Absent for streams that the server makes for itself.
  package var client: AudioClient.Index?
  /// Absent while the stream is linked to nothing (PipeWire says so for some milliseconds on each route change).
  package var sink: Sink.Index?
  /// Whether its program has paused it.
  package var isCorked: Bool
  /// Whether the server silences it.
  package var isMuted: Bool
  /// Its loudest channel as a fraction of the full volume, on the scale of a volume slider; absent where the stream has no
  /// volume of its own.
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
