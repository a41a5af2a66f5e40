// SPDX-License-Identifier: MIT
package import PlaybackLogic

/// All the user's permanent choices. What was not chosen has its preset value.
package struct Settings: Sendable, Equatable {
  /// The repeat mode while none has been chosen by hand.
  package var repeatMode = RepeatMode.none
  /// The shuffle mode while none has been chosen by hand.
  package var shuffleMode = ShuffleMode.off
  /// Whether the agent plays on by itself when it starts.
  package var playsOnStart = false
  /// How the player carries out some of its orders.
  package var player = PlayerSettings()
  /// How differences in loudness between tracks are evened out.
  package var loudness = LoudnessSettings()
  /// The character set that is assumed for tag texts that claim to be Latin-1.
  package var tagsCharset = TagsCharset.latin1
  /// What interrupts the music.
  package var session = SessionSettings()

  /// All settings with their preset values.
  package init() {}
}
