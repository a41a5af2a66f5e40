// SPDX-License-Identifier: MIT

/// A piece of sound hardware: sinks come and go with its profiles.
public struct Card: Sendable, Equatable {
  /// The server's number of a card.
  public struct Index: Sendable, Hashable, RawRepresentable {
    /// The number itself.
    public let rawValue: UInt32
    /// The number as the protocol has it.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
  }

  /// One way of using a card.
  public struct Profile: Sendable, Equatable {
    /// What the server calls it.
    public var name: String
    /// What a person is shown.
    public var description: String
    /// Whether it can be chosen now.
    public var isAvailable: Bool
    /// The server prefers higher ones.
    public var priority: Int

    /// A profile with these properties.
    public init(name: String, description: String = "", isAvailable: Bool = true, priority: Int = 0) {
      self.name = name
      self.description = description
      self.isAvailable = isAvailable
      self.priority = priority
    }
  }

  /// Which one it is.
  public var index: Index
  /// What the server calls it.
  public var name: String
  /// Every way of using it.
  public var profiles: [Profile]
  /// The name of the profile in use.
  public var activeProfile: String?
  /// Its ports in every profile.
  public var ports: [Port]
  /// The server's property list: `device.bus`, `device.description` and the like.
  public var properties: [String: String]

  /// A card with these properties.
  public init(
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
