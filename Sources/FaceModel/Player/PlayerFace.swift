// SPDX-License-Identifier: MIT
package import MediaModel
package import PlaybackLogic

/// All that outward faces show of the player at one moment. MPRIS and our own interfaces are projections of
/// it, and what they tell is the difference between two of it.
///
/// It holds no list: the queue tells its changes itself. It holds no position either, which moves by itself:
/// who wants it asks, and a jump is told as such.
package struct PlayerFace: Equatable, Sendable {
  /// What is going on.
  package var state = PlaybackState.stopped
  /// Why nothing is heard.
  package var why: SilenceReason?
  /// The current entry.
  package var entry: EntryID?
  /// What it is, as far as that is known by now; at least where its sound is.
  package var item: MediaItem?
  /// The URI of a picture that is there.
  package var artURL: String?
  /// How long the current track is, as the decoder found it; the tags stand in until it has.
  package var length: Duration?
  /// From 0 to 1; more where somebody has turned it up in a mixer. Always a number.
  package var volume = 1.0
  /// What is repeated.
  package var repeatMode = RepeatMode.none
  /// What was asked to be repeated.
  package var repeatChoice = ModeChoice<RepeatMode>.default
  /// How it is shuffled.
  package var shuffleMode = ShuffleMode.off
  /// How it was asked to be shuffled.
  package var shuffleChoice = ModeChoice<ShuffleMode>.default
  /// Whether Next leads anywhere.
  package var canGoNext = false
  /// Whether Previous does something.
  package var canGoPrevious = false
  /// Whether there is anything to play.
  package var canPlay = false
  /// Whether the current track can be entered elsewhere than at its beginning.
  package var canSeek = false
  /// Where the sound goes; nil where nobody could hear it.
  package var route: Route?
  /// What interrupts at present, the weightiest first.
  package var interruptions: [Interruption.Source] = []
  /// Why a crash would lose the queue; nil where it is stored.
  package var notStored: String?
  /// How many entries the queue has.
  package var queueLength = 0
  /// Where the current entry stands in the queue, counted from 0.
  package var queueIndex: Int?

  /// A player with nothing to play.
  package init() {}

  /// How long the current track is, as far as anyone knows.
  package var knownLength: Duration? { length ?? item?.tags.duration }
}
