// SPDX-License-Identifier: MIT
package import PlaybackLogic

/// What a store found on disk.
package struct StoredState: Sendable {
  /// The queue, with its modes, its order, undo and redo; nothing if none was stored. It says what is current, not
  /// that it plays.
  package var queue: PlayQueue?
  /// The volume, where 1 is full.
  package var volume: Double?
  /// Why the agent starts without what was stored, and where that is now.
  package var damage: DamagedState?
  /// How many commands of the journal fitted the queue no more and were left out: none, unless another version of the
  /// program wrote them.
  package var misfits = 0

  /// Nothing.
  package init() {}
}
