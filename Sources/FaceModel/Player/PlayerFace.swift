// SPDX-License-Identifier: MIT
public import MediaModel
public import PlaybackLogic

/// All that outward faces show of the player at one moment. MPRIS and our own interfaces are projections of
/// it, and what they tell is the difference between two of it.
///
/// It holds no list: the queue tells its changes itself. It holds no position either, which moves by itself:
/// who wants it asks, and a jump is told as such.
public struct PlayerFace: Equatable, Sendable {
  /// What is going on.
  public var state = PlaybackState.stopped
  /// Why nothing is heard.
  public var why: SilenceReason?
  /// The current entry.
  public var entry: EntryID?
  /// What it is, as far as that is known by now; at least where its sound is.
  public var item: MediaItem?
  /// The URI of a picture that is there.
  public var artURL: String?
  /// How long the current track is, as the decoder found it; the tags stand in until it has.
  public var length: Duration?
  /// From 0 to 1; more where somebody has turned it up in a mixer. Always a number.
  public var volume = 1.0
  /// What is repeated.
  public var repeatMode = RepeatMode.none
  /// What was asked to be repeated.
  public var repeatChoice = ModeChoice<RepeatMode>.default
  /// How it is shuffled.
  public var shuffleMode = ShuffleMode.off
  /// How it was asked to be shuffled.
  public var shuffleChoice = ModeChoice<ShuffleMode>.default
  /// Whether Next leads anywhere.
  public var canGoNext = false
  /// Whether Previous does something.
  public var canGoPrevious = false
  /// Whether there is anything to play.
  public var canPlay = false
  /// Whether the current track can be entered elsewhere than at its beginning.
  public var canSeek = false
  /// Where the sound goes; nil where nobody could hear it.
  public var route: Route?
  /// What interrupts at present, the weightiest first.
  public var interruptions: [Interruption.Source] = []
  /// Why a crash would lose the queue; nil where it is stored.
  public var notStored: String?
  /// How many entries the queue has.
  public var queueLength = 0
  /// Where the current entry stands in the queue, counted from 0.
  public var queueIndex: Int?

  /// A player with nothing to play.
  public init() {}

  /// How long the current track is, as far as anyone knows.
  public var knownLength: Duration? { length ?? item?.tags.duration }
}
