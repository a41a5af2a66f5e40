// SPDX-License-Identifier: MIT

/// How a well-known name is asked for.
package struct BusNameFlags: OptionSet, Sendable {
  /// The bits of the protocol.
  package let rawValue: UInt32
  /// A set from its bits.
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Another may take it over by asking with `replaceExisting`.
  package static let allowReplacement = BusNameFlags(rawValue: 1)
  /// Taken over from whoever has it, if that one allows it.
  package static let replaceExisting = BusNameFlags(rawValue: 2)
  /// Not waited for when another has it and keeps it.
  package static let doNotQueue = BusNameFlags(rawValue: 4)
}
