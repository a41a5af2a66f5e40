// SPDX-License-Identifier: MIT

/// What happens at the end of a track and at the end of the play order.
package enum RepeatMode: String, Sendable, Hashable, CaseIterable {
  /// The play order is played once.
  case none
  /// The track begins again when it ends by itself. Next still leads to the next entry.
  case one
  /// The play order begins again; with shuffle, a new one is drawn.
  case all
}
