// SPDX-License-Identifier: MIT

/// Somebody's recording stream.
package struct SourceOutput: Sendable, Equatable {
  /// The server's number of a recording stream.
  package struct Index: Sendable, Hashable, RawRepresentable {
    /// The number itself.
    package let rawValue: UInt32
    /// The number as the protocol has it.
    package init(rawValue: UInt32) { self.rawValue = rawValue }
  }

  /// Which one it is.
  package var index: Index
  /// What its program calls it.
  package var name: String
  /// Absent for streams that the server makes for itself.
  package var client: AudioClient.Index?
  /// Whether what it hears is a sink's monitor rather than a microphone.
  package var hearsMonitor: Bool
  /// Whether its program has paused it.
  package var isCorked: Bool
  /// How it is resampled; a level meter says "peaks".
  package var resampleMethod: String
  /// The server's property list.
  package var properties: [String: String]

  /// A recording stream with these properties.
  package init(
    index: Index, name: String = "", client: AudioClient.Index? = nil, hearsMonitor: Bool = false,
    isCorked: Bool = false, resampleMethod: String = "", properties: [String: String] = [:]
  ) {
    self.index = index
    self.name = name
    self.client = client
    self.hearsMonitor = hearsMonitor
    self.isCorked = isCorked
    self.resampleMethod = resampleMethod
    self.properties = properties
  }

  /// Whether this is a level meter, which records nothing that anyone keeps.
  package var isPeakMeter: Bool { resampleMethod == "peaks" }
}
