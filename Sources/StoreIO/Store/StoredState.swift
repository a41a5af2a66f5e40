// SPDX-License-Identifier: MIT
package import PlaybackLogic

/// What a store found on disk.
package struct StoredState: Sendable {
  /// The queue, with its modes, its order, undo and redo; nil if none was stored. It knows what is current, but not whether that
  /// plays.
  package var queue: PlayQueue?
  /// The volume, where 1 is full.
  package var volume: Double?
  /// Why the agent starts without what was stored, and where that is now; nil if nothing was set aside.
  package var damage: DamagedState?
  /// How many commands of the journal no longer fitted the queue and were left out: none, unless another version of the program wrote
  /// them.
  package var misfits = 0

  /// A state with nothing in it.
  package init() {}
}
