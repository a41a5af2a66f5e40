// SPDX-License-Identifier: MIT
package import AudioModel

/// The parts of a virtual card: ports and profiles. A profile has at most one sink, and every card also has the
/// profile "off". Names are words without spaces, slashes and commas.
package struct CardLayout: Sendable, Equatable {
  /// One way of using the card.
  package struct Profile: Sendable, Equatable {
    /// Its name on the server.
    package var name: String
    /// Its priority. The server prefers profiles with a higher one.
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

  /// The card's name on the server.
  package var name: String
  /// The card's bus, "pci", "usb" or "bluetooth", which becomes the property `device.bus`.
  package var bus: String
  /// The ports of all profiles.
  package var ports: [Port]
  /// Its profiles. The server chooses the one that is used at first.
  package var profiles: [Profile]
  /// Whether a change of profile removes the old sink before it adds the new one.
  package var releasesSinkFirst: Bool
  /// How fast its clock is, in percent of the machine's. On PulseAudio only.
  package var pace = 100

  /// A card with these parts.
  package init(
    name: String, bus: String, ports: [Port], profiles: [Profile], releasesSinkFirst: Bool = false
  ) {
    self.name = name
    self.bus = bus
    self.ports = ports
    self.profiles = profiles
    self.releasesSinkFirst = releasesSinkFirst
  }

  // The format that both card programs read.
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
