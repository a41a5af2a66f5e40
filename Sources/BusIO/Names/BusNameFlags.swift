// SPDX-License-Identifier: MIT

/// How a well-known name is asked for.
public struct BusNameFlags: OptionSet, Sendable {
  /// The bits of the protocol.
  public let rawValue: UInt32
  /// A set from its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Another may take it over by asking with `replaceExisting`.
  public static let allowReplacement = BusNameFlags(rawValue: 1)
  /// Taken over from whoever has it, if that one allows it.
  public static let replaceExisting = BusNameFlags(rawValue: 2)
  /// Not waited for when another has it and keeps it.
  public static let doNotQueue = BusNameFlags(rawValue: 4)
}
