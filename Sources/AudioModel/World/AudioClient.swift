// SPDX-License-Identifier: MIT

/// A program connected to the sound server.
public struct AudioClient: Sendable, Equatable {
  /// The server's number of a client.
  public struct Index: Sendable, Hashable, RawRepresentable {
    /// The number itself.
    public let rawValue: UInt32
    /// The number as the protocol has it.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
  }

  /// Which one it is.
  public var index: Index
  /// What it calls itself.
  public var name: String
  /// The server's property list.
  public var properties: [String: String]

  /// A client with these properties.
  public init(index: Index, name: String, properties: [String: String] = [:]) {
    self.index = index
    self.name = name
    self.properties = properties
  }

  /// The process behind it, where it says so.
  public var processID: Int32? { properties["application.process.id"].flatMap { Int32($0) } }
}
