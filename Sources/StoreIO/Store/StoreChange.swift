// SPDX-License-Identifier: MIT
package import PlaybackLogic

/// Something to be stored.
package enum StoreChange: Sendable, Equatable {
  /// What was done to the queue: the `command` of its change.
  case queue(QueueCommand)
  /// The volume, where 1 is full.
  case volume(Double)
}
