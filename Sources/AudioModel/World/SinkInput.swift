// SPDX-License-Identifier: MIT

/// Somebody's playback stream.
public struct SinkInput: Sendable, Equatable {
  /// The server's number of a playback stream.
  public struct Index: Sendable, Hashable, RawRepresentable {
    /// The number itself.
    public let rawValue: UInt32
    /// The number as the protocol has it.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
  }

  /// Which one it is.
  public var index: Index
  /// What its program calls it.
  public var name: String
  /// Absent for streams that the server makes for itself.
  public var client: AudioClient.Index?
  /// Absent while the stream is linked to nothing (PipeWire says so for some milliseconds on each route change).
  public var sink: Sink.Index?
  /// Whether its program has paused it.
  public var isCorked: Bool
  /// Whether the server silences it.
  public var isMuted: Bool
  /// Its loudest channel as a fraction of the full volume, on the scale of a volume slider; absent where the stream has no
  /// volume of its own.
  public var volume: Double?
  /// The server's property list: `media.role`, `application.name` and the like.
  public var properties: [String: String]

  /// A playback stream with these properties.
  public init(
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
  public var role: String? { properties["media.role"] }
}
