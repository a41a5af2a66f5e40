// SPDX-License-Identifier: MIT

/// A recording stream of some program.
package struct SourceOutput: Sendable, Equatable {
  /// The server's index number of a recording stream.
  package struct Index: Sendable, Hashable, RawRepresentable {
    /// The number itself.
    package let rawValue: UInt32
    /// The number as the protocol has it.
    package init(rawValue: UInt32) { self.rawValue = rawValue }
  }

  /// The server's index number.
  package var index: Index
  /// Its name, given by its program.
  package var name: String
  /// The client that owns it; nil for streams that the server makes for itself.
  package var client: AudioClient.Index?
  /// Whether it records a sink's monitor rather than a microphone.
  package var hearsMonitor: Bool
  /// Whether it is corked (paused).
  package var isCorked: Bool
  /// The resampling method. A level meter has "peaks".
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

  /// Whether its resampling method says that it is a level meter, which keeps no recording.
  package var isPeakMeter: Bool { resampleMethod == "peaks" }
}
