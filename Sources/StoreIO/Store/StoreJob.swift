// SPDX-License-Identifier: MIT
import PlaybackLogic

/// One thing to do for the store's thread.
struct StoreJob: Sendable {
  var changes: [StoreChange]
  /// The queue after the changes, if it is to be written whole.
  var base: PlayQueue?
  /// Whether the thread ends after it.
  var isLast = false
  /// Called once, whatever becomes of it.
  var done: @Sendable (StoreError?) -> Void

  /// The last volume among the changes.
  var volume: Double? {
    changes.lazy.compactMap { if case .volume(let volume) = $0 { volume } else { nil } }.last
  }
}
