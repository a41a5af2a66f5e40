// SPDX-License-Identifier: MIT

/// A program connected to the sound server.
package struct AudioClient: Sendable, Equatable {
  /// The server's index number of a client.
  package struct Index: Sendable, Hashable, RawRepresentable {
    /// The number itself.
    package let rawValue: UInt32
    /// The number as the protocol has it.
    package init(rawValue: UInt32) { self.rawValue = rawValue }
  }

  /// The server's index number.
  package var index: Index
  /// The name it gives itself.
  package var name: String
  /// The server's property list.
  package var properties: [String: String]

  /// A client with these properties.
  package init(index: Index, name: String, properties: [String: String] = [:]) {
    self.index = index
    self.name = name
    self.properties = properties
  }

  /// The number of its process; nil if the client does not say.
  package var processID: Int32? { properties["application.process.id"].flatMap { Int32($0) } }
}
