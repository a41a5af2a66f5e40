// SPDX-License-Identifier: MIT
package import PlaybackLogic

/// All that a user may choose once for always. What was not chosen is as preset.
package struct Settings: Sendable, Equatable {
  /// What is repeated where a player is told to do as usual.
  package var repeatMode = RepeatMode.none
  /// How it is shuffled where a player is told to do as usual.
  package var shuffleMode = ShuffleMode.off
  /// Whether the agent plays on by itself when it starts.
  package var playsOnStart = false
  /// How orders are taken.
  package var player = PlayerSettings()
  /// How tracks of different loudness are brought together.
  package var loudness = LoudnessSettings()
  /// How texts of tags are read that say Latin-1 of themselves.
  package var tagsCharset = TagsCharset.latin1
  /// What silences the music.
  package var session = SessionSettings()

  /// All as preset.
  package init() {}
}
