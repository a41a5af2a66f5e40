// SPDX-License-Identifier: MIT
public import PlaybackLogic

/// All that a user may choose once for always. What was not chosen is as preset.
public struct Settings: Sendable, Equatable {
  /// What is repeated where a player is told to do as usual.
  public var repeatMode = RepeatMode.none
  /// How it is shuffled where a player is told to do as usual.
  public var shuffleMode = ShuffleMode.off
  /// Whether the agent plays on by itself when it starts.
  public var playsOnStart = false
  /// How orders are taken.
  public var player = PlayerSettings()
  /// How tracks of different loudness are brought together.
  public var loudness = LoudnessSettings()
  /// How texts of tags are read that say Latin-1 of themselves.
  public var tagsCharset = TagsCharset.latin1
  /// What silences the music.
  public var session = SessionSettings()

  /// All as preset.
  public init() {}
}
