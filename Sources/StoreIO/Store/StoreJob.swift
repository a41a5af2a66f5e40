// SPDX-License-Identifier: MIT
import PlaybackLogic

/// One thing to do for the store's thread.
struct StoreJob: Sendable {
  enum Kind: Sendable {
    /// Store the changes, unless something before them could not be stored. The queue is the one after the changes, if it
    /// is to be written whole.
    case append(base: PlayQueue?)
    /// Store the changes, which are all that is missing since the failure. This is the queue after them.
    case resume(PlayQueue)
    /// As `resume`, and write the queue whole if possible; the thread ends after it.
    case finish(PlayQueue)
    /// Read the queue that is on the disk, and tell it.
    case readBack(@Sendable (Result<PlayQueue?, StoreError>) -> Void)
  }

  var changes: [StoreChange] = []
  var kind: Kind
  /// Called once with the outcome; for `readBack`, only if the store is closed before it is done.
  var done: @Sendable (StoreError?) -> Void

  /// The queue to be written whole, if a plain change brings one.
  var base: PlayQueue? { if case .append(let base) = kind { base } else { nil } }
  /// Whether it only adds to what is stored.
  var isPlain: Bool { if case .append = kind { true } else { false } }
  /// Whether the thread ends after it.
  var isLast: Bool { if case .finish = kind { true } else { false } }

  /// The last volume among the changes.
  var volume: Double? {
    changes.lazy.compactMap { if case .volume(let volume) = $0 { volume } else { nil } }.last
  }
}
