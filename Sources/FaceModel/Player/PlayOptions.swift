// SPDX-License-Identifier: MIT
public import PlaybackLogic

/// How something is to be played.
public struct PlayOptions: Sendable, Hashable {
  /// Begin with one that chance chooses.
  public var isRandom: Bool
  /// Shuffle this list so, and none that comes later; as it was chosen where nothing is said.
  public var shuffle: ModeChoice<ShuffleMode>?

  /// From the first on, shuffled as it was chosen, unless said otherwise.
  public init(isRandom: Bool = false, shuffle: ModeChoice<ShuffleMode>? = nil) {
    self.isRandom = isRandom
    self.shuffle = shuffle
  }
}
