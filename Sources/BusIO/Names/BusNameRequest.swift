// SPDX-License-Identifier: MIT

/// The result of a request for a name. The raw values are the protocol's.
package enum BusNameRequest: UInt32, Sendable {
  /// It is ours now.
  case owned = 1
  /// Another connection has it; we get it when that one gives it up.
  case queued = 2
  /// Another connection has it, and we are not queued for it.
  case taken = 3
  /// It was ours already.
  case alreadyOwned = 4
}
