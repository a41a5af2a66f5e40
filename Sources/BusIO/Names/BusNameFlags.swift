// SPDX-License-Identifier: MIT

/// Options of a request for a well-known name.
package struct BusNameFlags: OptionSet, Sendable {
  /// The bits of the protocol.
  package let rawValue: UInt32
  /// A set from its bits.
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Another may take it over by asking with `replaceExisting`.
  package static let allowReplacement = BusNameFlags(rawValue: 1)
  /// Take the name over from its owner, if the owner has allowed that.
  package static let replaceExisting = BusNameFlags(rawValue: 2)
  /// Do not queue for the name when its owner keeps it.
  package static let doNotQueue = BusNameFlags(rawValue: 4)
}
