// SPDX-License-Identifier: MIT

/// A piece of sound hardware: sinks come and go with its profiles.
package struct Card: Sendable, Equatable {
  /// The server's number of a card.
  package struct Index: Sendable, Hashable, RawRepresentable {
    /// The number itself.
    package let rawValue: UInt32
    /// The number as the protocol has it.
    package init(rawValue: UInt32) { self.rawValue = rawValue }
  }

  /// One way of using a card.
  package struct Profile: Sendable, Equatable {
    /// What the server calls it.
    package var name: String
    /// What a person is shown.
    package var description: String
    /// Whether it can be chosen now.
    package var isAvailable: Bool
    /// The server prefers higher ones.
    package var priority: Int

    /// A profile with these properties.
    package init(name: String, description: String = "", isAvailable: Bool = true, priority: Int = 0) {
      self.name = name
      self.description = description
      self.isAvailable = isAvailable
      self.priority = priority
    }
  }

  /// Which one it is.
  package var index: Index
  /// What the server calls it.
  package var name: String
  /// Every way of using it.
  package var profiles: [Profile]
  /// The name of the profile in use.
  package var activeProfile: String?
  /// Its ports in every profile.
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
