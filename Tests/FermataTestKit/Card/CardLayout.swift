// SPDX-License-Identifier: MIT
package import AudioModel

/// What a virtual card is made of: ports, and profiles of which each has at most one sink. Every card also has the
/// profile "off". Names are words without spaces, slashes and commas.
package struct CardLayout: Sendable, Equatable {
  /// One way of using the card.
  package struct Profile: Sendable, Equatable {
    /// What the server calls it.
    package var name: String
    /// The server prefers higher ones.
    package var priority: Int
    /// The name of its sink, if it has one.
    package var sink: String?
    /// The names of the sink's ports.
    package var ports: [String]

    /// A profile with these properties.
    package init(_ name: String, priority: Int, sink: String?, ports: [String]) {
      self.name = name
      self.priority = priority
      self.sink = sink
      self.ports = ports
    }
  }

  /// What the server calls the card.
  package var name: String
  /// The card's bus, "pci", "usb" or "bluetooth"; it stands in `device.bus`.
  package var bus: String
  /// Its ports in every profile.
  package var ports: [Port]
  /// Its profiles; the one in use at first is chosen by the server.
  package var profiles: [Profile]
  /// Whether, on a change of profile, the old sink goes before the new one comes.
  package var releasesSinkFirst: Bool

  /// A card made of these.
  package init(
    name: String, bus: String, ports: [Port], profiles: [Profile], releasesSinkFirst: Bool = false
  ) {
    self.name = name
    self.bus = bus
    self.ports = ports
    self.profiles = profiles
    self.releasesSinkFirst = releasesSinkFirst
  }

  // The form that both card programs read.
  var portWords: String {
    ports.map { "\($0.name)/\($0.kind.rawValue)/\($0.availability.rawValue)/\($0.priority)" }
      .joined(separator: " ")
  }

  var profileWords: String {
    profiles.map { "\($0.name)/\($0.priority)/\($0.sink ?? "-")/\($0.ports.joined(separator: ","))" }
      .joined(separator: " ")
  }

  var propertyWords: String { "device.bus=\(bus)" }
}
