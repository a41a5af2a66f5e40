// SPDX-License-Identifier: MIT
package import PlaybackLogic

/// How something is to be played.
package struct PlayOptions: Sendable, Hashable {
  /// Begin with one that chance chooses.
  package var isRandom: Bool
  /// Shuffle this list so, and none that comes later; as it was chosen where nothing is said.
  package var shuffle: ModeChoice<ShuffleMode>?

  /// From the first on, shuffled as it was chosen, unless said otherwise.
  package init(isRandom: Bool = false, shuffle: ModeChoice<ShuffleMode>? = nil) {
    self.isRandom = isRandom
    self.shuffle = shuffle
  }
}
