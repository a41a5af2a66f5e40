// SPDX-License-Identifier: MIT
package import AudioModel

/// An action that `Playback` wants carried out. Effects must be carried out in the order in which they are returned.
package enum PlaybackEffect: Sendable {
  /// Give this order to the sound engine.
  case sound(SoundOrder)
  /// Set the volume of our present streams, and make later ones with it. The answer is `StreamEvent.volumeSet`.
  case setVolume(BalancedVolume)
  /// Somebody gave our present stream this volume in a mixer: give it to our streams that wait to be heard, and make later ones with it.
  case keepVolume(BalancedVolume)
  /// Unmute our present stream. The answer is `StreamEvent.muteSet`.
  case unmute
  /// Mute or unmute our streams, those to come as well. The answer is `StreamEvent.muteSet` in both cases.
  case setMuted(Bool)
  /// Somebody muted or unmuted our present stream in a mixer: do the same to our streams that wait to be heard, and leave it to the server whether
  /// later ones are muted.
  case followMute(Bool)
  /// Make later streams of ours on the sink of this name.
  case makeStreams(on: String)
  /// Leave it to the server on which sink it makes later streams of ours.
  case leaveSink
  /// Read whether our stream is muted. The answer is `StreamEvent.read`; none comes if the stream is gone.
  case readStream
  /// If the server has not made our stream by now, drop the stream and send `SoundReport.streamLost`: the server will not make it any more.
  case dropUnmadeStream
  /// Read all that the sound server says of itself. The answer is `ServerEvent.world` or `ServerEvent.readingFailed`. At most one reading is asked
  /// for at a time.
  case readWorld
  /// Find the exact length of this entry's sound. The answer is `PlaybackEvent.measured`.
  case measure(Entry)
  /// Stop measuring this entry: its length is no longer needed.
  case stopMeasuring(EntryID)
  /// Remember the exact length of this entry's sound.
  case learned(EntryID, length: Duration)
  /// Remember that the file at this location is to resume at this place when it is played again; nil for its beginning.
  case keepPlace(String, Duration?)
  /// Carry out this request of the guard, which pauses other programs' players. The answer is `PlaybackEvent.guarding`. The guard's requests for
  /// readings, timers and reports are not sent as this case but as the other effects here.
  case guarding(GuardEffect)
  /// Send `PlaybackEvent.timer` for this timer after this time.
  case timer(PlaybackTimer, after: Duration)
  /// Stop this timer.
  case cancelTimer(PlaybackTimer)
  /// Tell those who show, store or log what happens.
  case tell(PlayerNews)
  /// Write this into the verbose log. Made only if `Playback.explains` is set.
  case explain(String)
}

/// An order for the sound engine.
package enum SoundOrder: Sendable, Equatable {
  /// Drop the present sound and load this instead.
  case load(Playing)
  /// When the playing with this number ends, play `with` without a gap. Nil withdraws what was to follow.
  case follow(PlayID, with: Playing?)
  /// Drop everything that is loaded.
  case unload
  /// True: be silent at once. False: let the sound go on.
  case cork(Bool)
}

/// One playing of an entry: what the sound engine is told to play.
package struct Playing: Sendable, Hashable {
  /// The playing's number, which no other playing has. A repetition of the same entry gets a new one.
  package let play: PlayID
  /// The entry that is played.
  package let entry: Entry
  /// The place in the entry where the sound begins.
  package let start: Duration
  /// Whether the entry before or after it was of the same album when its turn came. It decides which of its gains counts, and must not change while it
  /// plays.
  package var isBesideItsAlbum = false
  /// How the beginning and the end of this playing are mixed with those of its neighbours.
  package var crossfade = Crossfade.none
  /// The entry before this one in the queue, if it is also the one that plays before it. If both are of one album, their sounds are not mixed. Nil if
  /// another entry plays before it.
  package var neighbour: Entry?
}

/// What is reported to those who show, store or log playing, besides the state that they can look up.
package enum PlayerNews: Sendable, Equatable {
  /// The listener's place in the track jumped, to this one.
  case seeked(Duration)
  /// An entry cannot be played, and nothing of it was heard.
  case skipped(EntryID, reason: String)
  /// An entry could not be played to its end. The listener has heard it up to this place.
  case endedEarly(EntryID, reason: String, at: Duration)
  /// The queue, its order or the current entry changed.
  case queue(QueueChange)
  /// The files of these entries were found to be gone, or to be there again.
  case missing([EntryID])
  /// More is known about an entry than before, such as its tags.
  case item(EntryID)
  /// The route (the output and port of our sound) changed, or there is none any more, or the machine woke up. `paused` is true if this turned playing
  /// into paused, even if an interruption kept the music silent already.
  case route(RouteChange, paused: Bool)
  /// An interruption has begun.
  case interruptionBegan(ToldInterruption)
  /// The interruption is over.
  case interruptionEnded(ToldInterruption, InterruptionEnd)
  /// An order to play was accepted, but playing waits for the end of this interruption.
  case waiting(for: Interruption.Source)
  /// An order was not carried out.
  case refused(Refusal)
  /// The volume has changed, whoever changed it.
  case volume(Double)
  /// Another program's player was asked to pause; this is the outcome.
  case guarded(GuardReport)
  /// One event has been handled, with all that had to be done for it (a turn). Anything that is shown of the player may have changed.
  case turn
}

/// Why an order was not carried out.
package enum Refusal: String, Sendable, Hashable {
  /// There is nothing to play.
  case emptyQueue = "the queue is empty"
  /// Nothing comes after the current entry.
  case noNext = "nothing comes after this"
  /// Nothing is current.
  case nothingCurrent = "nothing is playing"
  /// The order names a part of the track's length, such as the middle, and the length is not known.
  case noLength = "the length of the track is not known"
  /// The file of the entry is missing.
  case missing = "its file is gone"
  /// The entry is not in the queue.
  case noSuchEntry = "there is no such entry"
  /// There is no output to play on. The order is dropped: an output that appears later must not start the music.
  case noOutput = "there is no output that anyone could hear"
  /// The order took a while to be carried out, and meanwhile there was a reason for silence. Only the queue is as ordered.
  case silencedMeanwhile = "the music was paused meanwhile, or its output lost; the queue is as ordered"
  /// The order took a while to be carried out, and meanwhile another one has led to a track. Only the queue is as ordered.
  case overtaken = "another order has come meanwhile; the queue is as ordered"
}

/// The outcome of an order, for whoever gave it.
package struct OrderOutcome: Sendable, Hashable {
  /// Why the order was not carried out; nil if it was.
  package private(set) var refusal: Refusal?
  /// The interruption whose end playing waits for, if the order was accepted but nothing is heard yet; otherwise nil.
  package private(set) var waiting: Interruption.Source?

  /// The outcome of the order that had these effects.
  package init(_ effects: [PlaybackEffect]) {
    for case .tell(let news) in effects {
      switch news {
      case .refused(let refusal): self.refusal = refusal
      case .waiting(let source): waiting = source
      default: break
      }
    }
  }
}
