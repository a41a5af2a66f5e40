// SPDX-License-Identifier: MIT

/// Somebody's recording stream.
public struct SourceOutput: Sendable, Equatable {
  /// The server's number of a recording stream.
  public struct Index: Sendable, Hashable, RawRepresentable {
    /// The number itself.
    public let rawValue: UInt32
    /// The number as the protocol has it.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
  }

  /// Which one it is.
  public var index: Index
  /// What its program calls it.
  public var name: String
  /// Absent for streams that the server makes for itself.
  public var client: AudioClient.Index?
  /// Whether what it hears is a sink's monitor rather than a microphone.
  public var hearsMonitor: Bool
  /// Whether its program has paused it.
  public var isCorked: Bool
  /// How it is resampled; a level meter says "peaks".
  public var resampleMethod: String
  /// The server's property list.
  public var properties: [String: String]

  /// A recording stream with these properties.
  public init(
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
  public var isPeakMeter: Bool { resampleMethod == "peaks" }
}
