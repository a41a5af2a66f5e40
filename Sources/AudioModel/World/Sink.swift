// SPDX-License-Identifier: MIT

/// One output of the server.
package struct Sink: Sendable, Equatable {
  /// The server's number of a sink; never used again for another while the server lives.
  package struct Index: Sendable, Hashable, RawRepresentable {
    /// The number itself.
    package let rawValue: UInt32
    /// The number as the protocol has it.
    package init(rawValue: UInt32) { self.rawValue = rawValue }
  }

  /// The sink that the server makes when it has no other; what goes there is heard by nobody.
  package static let nullSinkName = "auto_null"

  /// Which one it is.
  package var index: Index
  /// What the server calls it; a device that returns has the same name.
  package var name: String
  /// What a person is shown.
  package var description: String
  /// The card it belongs to; a null sink has none.
  package var card: Card.Index?
  /// Empty for a sink without ports.
  package var ports: [Port]
  /// The name of the port that sounds now.
  package var activePort: String?
  /// The source that hears what this sink plays, by name.
  package var monitorSource: String
  /// Whether the whole output is silenced.
  package var isMuted: Bool
  /// Its loudest channel as a fraction of the full volume, on the scale of a volume slider; absent where that is not known.
  package var volume: Double?
  /// Whether the server has let go of the hardware.
  package var isSuspended: Bool
  /// The server's property list: `device.bus`, `device.form_factor` and the like.
  package var properties: [String: String]

  /// A sink with these properties.
  package init(
    index: Index, name: String, description: String = "", card: Card.Index? = nil, ports: [Port] = [],
    activePort: String? = nil, monitorSource: String = "", isMuted: Bool = false, volume: Double? = nil,
    isSuspended: Bool = false,
    properties: [String: String] = [:]
  ) {
    self.index = index
    self.name = name
    self.description = description
    self.card = card
    self.ports = ports
    self.activePort = activePort
    self.monitorSource = monitorSource
    self.isMuted = isMuted
    self.volume = volume
    self.isSuspended = isSuspended
    self.properties = properties
  }

  /// The port that sounds now, whole.
  package var active: Port? { ports.first { $0.name == activePort } }
  /// Whether this is the server's stand-in for "no output at all".
  package var isNullFallback: Bool { name == Self.nullSinkName }
}
