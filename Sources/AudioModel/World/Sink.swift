// SPDX-License-Identifier: MIT

/// One output of the server.
package struct Sink: Sendable, Equatable {
  /// The server's index number of a sink. It is never used again for another sink while the server lives.
  package struct Index: Sendable, Hashable, RawRepresentable {
    /// The number itself.
    package let rawValue: UInt32
    /// The number as the protocol has it.
    package init(rawValue: UInt32) { self.rawValue = rawValue }
  }

  /// The name of the sink that the server makes when it has no other. What is played there is heard by nobody.
  package static let nullSinkName = "auto_null"

  /// The server's index number.
  package var index: Index
  /// The server's name for it. A device that returns usually has the same name, except on Bluetooth.
  package var name: String
  /// Its description for people.
  package var description: String
  /// The card it belongs to; a null sink has none.
  package var card: Card.Index?
  /// Its ports; empty for a sink without ports.
  package var ports: [Port]
  /// The name of the active port.
  package var activePort: String?
  /// The name of the source that records what this sink plays.
  package var monitorSource: String
  /// Whether the whole output is muted.
  package var isMuted: Bool
  /// The volume of its loudest channel as a fraction of full volume, on the scale of a volume slider; nil if it is not known.
  package var volume: Double?
  /// Whether the server has suspended it and released the hardware.
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

  /// The active port.
  package var active: Port? { ports.first { $0.name == activePort } }
  /// Whether this is the server's stand-in for "no output at all".
  package var isNullFallback: Bool { name == Self.nullSinkName }
}
