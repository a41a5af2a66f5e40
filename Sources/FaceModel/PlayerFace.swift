// SPDX-License-Identifier: MIT
package import AudioModel
package import MediaModel
package import PlaybackLogic

/// Everything that the bus interfaces show of the player at one moment. The values of MPRIS's and our own properties
/// are made from it, and the changes that they report are the differences between two of them.
///
/// It does not hold the queue's entries, since the queue reports its own changes. It does not hold the position either,
/// since that moves all the time: clients ask for it, and a jump is reported by a signal.
package struct PlayerFace: Equatable, Sendable {
  package var state = PlaybackState.stopped
  /// Why nothing is heard; nil while something is heard, and where no reason for a stop is known.
  package var why: SilenceReason?
  package var entry: EntryID?
  /// The current item, as far as it is known by now: at least its location. Nil if no entry is current.
  package var item: MediaItem?
  /// The URI of the current item's picture; nil if none is known.
  package var artURL: String?
  /// The length of the current track as the player knows it; nil if it does not know. See `knownLength`.
  package var length: Duration?
  /// How the current track is coded; nil until it has been opened.
  package var coding: SoundCoding?
  /// The volume from 0 to 1, or more if somebody has raised it further in a mixer. Never NaN.
  package var volume = 1.0
  /// Whether the user has muted the music, through us or in a mixer.
  package var isMuted = false
  /// Whether playback stops after the current track.
  package var stopsAfterCurrent = false
  /// The time at which the sleep timer pauses the music, by the clock of the loop; nil if none is set.
  package var sleepEnd: Duration?
  package var repeatMode = RepeatMode.none
  /// The repeat mode that was chosen; by default it follows the settings.
  package var repeatChoice = ModeChoice<RepeatMode>.default
  package var shuffleMode = ShuffleMode.off
  /// The shuffle mode that was chosen; by default it follows the settings.
  package var shuffleChoice = ModeChoice<ShuffleMode>.default
  /// Whether a played entry leaves the queue.
  package var consumes = false
  package var canGoNext = false
  /// Whether the order Previous would do anything.
  package var canGoPrevious = false
  package var canPlay = false
  /// Whether the current track can be played from elsewhere than its beginning.
  package var canSeek = false
  /// The output that the sound goes to; nil if there is none that anybody could hear.
  package var route: Route?
  /// The output whose loss paused the music, while it is paused for that; nil otherwise.
  package var lostRoute: Route?
  /// The fraction of the volume that is left while another program's sound takes precedence; nil otherwise.
  package var duckLevel: Double?
  /// What the music is played more quietly for; nil while it is not.
  package var duckedFor: Interruption.Source?
  /// What interrupts playback at present, such as a call, the most important first.
  package var interruptions: [Interruption.Source] = []
  /// The programs that interrupt or duck the music by a call, a recording or another stream, by their names for people.
  package var callers: [String] = []
  /// How our sound behaves beside other programs' sound.
  package var category = SessionCategory.playback
  /// Whether another program is heard.
  package var isOtherAudioPlaying = false
  /// Why a crash would lose the queue; nil if it is stored.
  package var notStored: String?
  package var queueLength = 0
  /// The position of the current entry in the queue, counted from 0; nil if none is current.
  package var queueIndex: Int?

  package init() {}

  /// The length of the current track, from the player or else from the tags; nil if neither has it.
  package var knownLength: Duration? { length ?? item?.tags.duration }
}

extension PlayerFace {
  /// Whether two faces may show different current tracks. Comparing these fields is cheap; making the dictionary of a track is not.
  static let hasOtherTrack: @Sendable (PlayerFace, PlayerFace) -> Bool = { old, new in
    old.entry != new.entry || old.knownLength != new.knownLength || old.artURL != new.artURL
      || old.item != new.item
  }
}
