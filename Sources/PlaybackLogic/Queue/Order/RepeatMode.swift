// SPDX-License-Identifier: MIT

/// What comes when a track or the order has come to its end.
package enum RepeatMode: String, Sendable, Hashable, CaseIterable {
  /// The order is played once.
  case none
  /// The track begins again when it ends by itself; Next still goes on.
  case one
  /// The order begins again.
  case all
}
