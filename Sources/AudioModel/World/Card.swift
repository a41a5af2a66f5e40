// SPDX-License-Identifier: MIT

/// A piece of sound hardware. Its sinks depend on its active profile.
package struct Card: Sendable, Equatable {
  /// The server's index number of a card.
  package struct Index: Sendable, Hashable, RawRepresentable {
    /// The number itself.
    package let rawValue: UInt32
    /// The number as the protocol has it.
    package init(rawValue: UInt32) { self.rawValue = rawValue }
  }

  /// One way of using a card, for example with an HDMI output.
  package struct Profile: Sendable, Equatable {
    /// The server's name for it.
    package var name: String
    /// Its description for people.
    package var description: String
    /// Whether it can be chosen at present.
    package var isAvailable: Bool
    /// The server prefers profiles with a higher priority.
    package var priority: Int

    /// A profile with these properties.
    package init(name: String, description: String = "", isAvailable: Bool = true, priority: Int = 0) {
      self.name = name
      self.description = description
      self.isAvailable = isAvailable
      self.priority = priority
    }
  }

  /// The server's index number.
  package var index: Index
  /// The server's name for it.
  package var name: String
  /// All profiles, whether or not they are available.
  package var profiles: [Profile]
  /// The name of the profile in use.
  package var activeProfile: String?
  /// The ports of all its profiles.
  package var ports: [Port]
  /// The server's property list: `device.bus`, `device.description` and the like.
  package var properties: [String: String]

  /// A card with these properties.
  package init(
    index: Index, name: String, profiles: [Profile] = [], activeProfile: String? = nil, ports: [Port] = [],
    properties: [String: String] = [:]
  ) {
    self.index = index
    self.name = name
    self.profiles = profiles
    self.activeProfile = activeProfile
    self.ports = ports
    self.properties = properties
  }
}
