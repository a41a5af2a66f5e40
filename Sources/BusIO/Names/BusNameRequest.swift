// SPDX-License-Identifier: MIT

/// What came of asking for a name. The raw values are the protocol's.
package enum BusNameRequest: UInt32, Sendable {
  /// It is ours now.
  case owned = 1
  /// Another has it; ours when that one goes.
  case queued = 2
  /// Another has it and keeps it.
  case taken = 3
  /// It was ours already.
  case alreadyOwned = 4
}
