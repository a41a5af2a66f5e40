// SPDX-License-Identifier: MIT
package import PlaybackLogic

/// How something is to be played.
package struct PlayOptions: Sendable, Hashable {
  /// Begin with a random entry.
  package var isRandom: Bool
  /// How to shuffle this list, and no later one. If nil, the shuffle mode that was chosen before stays.
  package var shuffle: ModeChoice<ShuffleMode>?

  /// By default, plays from the first entry on and keeps the shuffle mode that was chosen before.
  package init(isRandom: Bool = false, shuffle: ModeChoice<ShuffleMode>? = nil) {
    self.isRandom = isRandom
    self.shuffle = shuffle
  }
}
