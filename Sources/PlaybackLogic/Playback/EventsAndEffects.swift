// SPDX-License-Identifier: MIT
package import AudioModel
package import MediaModel

/// Something that happened and that `Playback` has to know, to decide what is heard. Passed to `Playback.handle`.
package enum PlaybackEvent: Sendable {
  /// A person or a program gives an order.
  case order(PlayerOrder, by: Sender)
  /// An order to play has come that takes a while to be carried out, because its file is looked up first. Earlier ones that still wait for theirs are no
  /// longer wanted.
  case orderComing
  /// The file of such an order cannot be opened. Earlier orders that still wait are wanted again.
  case orderFailed(at: OrderMoment)
  /// Such an order by a person is carried out now. It came at this moment.
  case lateOrder(PlayerOrder, at: OrderMoment)
  /// Somebody sets the volume through us.
  case volume(VolumeOrder)
  /// Somebody sets the sleep timer: fade out and pause after this time. Nil cancels it.
  case pauseLater(after: Duration?)
  /// The listener chose the sink of this name. Our streams are about to be moved there.
  case outputOrdered(String)
  /// The listener chose the sink of this name. Our streams are there already.
  case output(String)
  /// The user's settings were read, for the first time or after a change.
  case settings(PlaybackSettings)
  /// The length of an entry according to its tags. It counts while the entry is current, until a decoder knows the length.
  case tagged(EntryID, length: Duration)
  /// Whether an entry is a song, a podcast or an audiobook, according to its tags.
  case kind(EntryID, MediaType)
  /// The places at which long tracks were left, as the library has them, by the locations of their files. Nil if they are not read yet. `ofBooks` are
  /// those of podcasts and audiobooks, which may have chapters.
  case places([String: Duration]?, ofBooks: Set<String> = [])
  /// Something happened to the sound server or on it, or it answers a question.
  case server(ServerEvent)
  /// Something happened to our stream, the one that is heard.
  case stream(StreamEvent)
  /// The sound engine reports something.
  case sound(SoundReport)
  /// The answer to `PlaybackEffect.measure`: the exact length of the entry, nil if it cannot be found.
  case measured(EntryID, length: Duration?)
  /// An answer to `PlaybackEffect.guarding`, or something that another program's player reported by itself.
  case guarding(GuardEvent)
  /// The machine is about to sleep.
  case preparesForSleep
  case wokeUp
  /// The client that held a seek button is gone.
  case seekButtonGone
  /// A timer of `PlaybackEffect.timer` has run out.
  case timer(PlaybackTimer)
}

/// How somebody sets the volume. Volumes are fractions of the full one.
package enum VolumeOrder: Sendable {
  /// Sets the volume to this fraction; a value outside 0...1 is brought inside.
  case set(Double)
  /// Turns the volume up by this fraction of the full one, or down if negative. Many such orders at once add up.
  case change(by: Double)
  /// Mutes our stream, or unmutes it.
  case mute(Bool)
  /// Unmutes our stream if the user has muted it, and mutes it if not.
  case toggleMute
}

/// What happens on the sound server.
package enum ServerEvent: Sendable {
  /// The server answers, for the first time or again.
  case found
  /// The server is gone, or was not found, for this reason.
  case lost(reason: String)
  /// A sink appeared, changed or was removed.
  case sink(ServerChange, Sink.Index)
  /// A card appeared, changed or was removed.
  case card(ServerChange, Card.Index)
  /// The server itself changed, most often its default sink.
  case changed
  /// A stream appeared, changed or ended: one that plays, ours or another program's, or one that records. `isOurs` is true if it is the one that
  /// carries our sound.
  case streams(isOurs: Bool)
  /// The answer to `PlaybackEffect.readWorld`. `own` is our stream that is heard, if there is one.
  case world(AudioWorld, own: SinkInput.Index?)
  /// The answer to `PlaybackEffect.readWorld` if the server could not be read. If the server is still there, it is read again.
  case readingFailed(isServerThere: Bool)
}

/// What happens to our stream.
package enum StreamEvent: Sendable {
  /// The server has made our stream.
  case made
  /// The answer to `PlaybackEffect.readStream`. `serverCorks` is true if the server mutes streams for calls.
  case read(isMuted: Bool, serverCorks: Bool)
  /// The server took sound from our stream, or says that the stream runs. `isSuspended` is true if the stream's output is suspended.
  case progressed(isSuspended: Bool)
  /// Our stream now goes to another sink.
  case moved(to: Sink.Index)
  /// The output of our stream was suspended (true) or runs again (false).
  case suspended(Bool)
  /// The server asks us to keep our stream silent, mostly for a call.
  case corkRequested
  /// The server no longer asks us to keep our stream silent.
  case uncorkRequested
  /// Our stream is gone, for this reason, or could not be made. `isKilled` is true if somebody had the stream ended.
  /// `isServerThere` is false if the server is gone as well.
  case ended(isKilled: Bool, reason: String, isServerThere: Bool)
  /// The answer to `PlaybackEffect.setVolume`, whether or not the server obeyed.
  case volumeSet
  /// The answer to `PlaybackEffect.unmute` and `PlaybackEffect.setMuted`.
  case muteSet
}

/// What the sound engine reports. A playing is one time that an entry is played, and is named by the number that the player gave it (`Playing.play`).
package enum SoundReport: Sendable, Hashable {
  /// The file of this playing was opened. `length` is its length, or nil if the file does not tell it. `isExact` is false if the length may still
  /// turn out to be wrong. `coding` is how the file is coded; nil if that is known already, or nobody knows.
  case opened(play: PlayID, length: Duration?, isExact: Bool = true, coding: SoundCoding? = nil)
  /// The first frame of this playing's sound is heard.
  case heard(play: PlayID)
  /// The listener's place in this playing at the time of the report. `isMoving` is false if the sound stood still then.
  case position(play: PlayID, Duration, isMoving: Bool)
  /// The last frame of this playing's sound was heard, and no other playing follows it.
  case ended(play: PlayID)
  /// The file of this playing could not be opened or decoded further. What was decoded until then is still heard.
  case failed(play: PlayID, reason: String)
  /// What was loaded is gone, and has to be loaded again from the listener's place on. Most often our stream on the server has ended.
  case soundLost
}

/// The timers that `Playback` asks for. A new request for the same timer replaces the earlier one.
package enum PlaybackTimer: Sendable, Hashable {
  /// A timer that `Player` asks for.
  case player(PlayerTimer)
  /// Runs out when the route classifier has to decide what a change on the sound server means for our sound.
  case route
  /// Runs out when other programs' streams have to be read once more, because one that looks silent may still be heard.
  case streams
  /// Runs out when the sleep timer has to begin its fade, lower the volume again, or pause the music.
  case sleep
  /// Runs out when the listener's place in a long track is to be stored.
  case place
  /// Runs out when another program's player should have answered, or when the device of its stream may be gone for good.
  case guarding
}

/// The user's settings that `Playback` obeys.
package struct PlaybackSettings: Sendable {
  /// When Previous restarts a track, and how a held seek button moves.
  package var player: PlayerSettings
  /// How interruptions, ducking and returning devices are handled.
  package var session: SessionSettings
  /// The settings that bring tracks to a similar loudness.
  package var loudness: LoudnessSettings
  /// The repeat mode of a queue for which nobody has chosen one.
  package var repeatMode: RepeatMode
  /// The shuffle mode of a queue for which nobody has chosen one.
  package var shuffleMode: ShuffleMode
  /// Whether other programs' players are paused when their device is gone, and which are not.
  package var guarding: GuardSettings

  package init(
    player: PlayerSettings, session: SessionSettings, loudness: LoudnessSettings, repeatMode: RepeatMode,
    shuffleMode: ShuffleMode, guarding: GuardSettings = GuardSettings()
  ) {
    self.guarding = guarding
    self.player = player
    self.session = session
    self.loudness = loudness
    self.repeatMode = repeatMode
    self.shuffleMode = shuffleMode
  }
}

/// An action that `Playback` wants carried out. Effects must be carried out in the order in which they are returned.
package enum PlaybackEffect: Sendable {
  /// Give this order to the sound engine.
  case sound(SoundOrder)
  /// Set the volume of our present streams, and make later ones with it. The answer is `StreamEvent.volumeSet`.
  case setVolume(BalancedVolume)
  /// Somebody gave our present stream this volume in a mixer: give it to our streams that wait to be heard, and make later ones with it.
  case keepVolume(BalancedVolume)
  /// Make later streams for an output with these traits, and take sound as heard accordingly.
  case noteTraits(OutputTraits)
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
  /// If the server has not made our stream by now, drop the stream and send `SoundReport.soundLost`: the server will not make it any more.
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
  package internal(set) var entry: Entry
  /// The place in the entry where the sound begins.
  package let start: Duration
  /// Whether the entry before or after it was of the same album when its turn came. It decides which of its gains counts, and must not change while it
  /// plays.
  package var isBesideItsAlbum = false
  /// How the beginning and the end of this playing are mixed with those of its neighbours.
  package var crossfade = Crossfade.none
  /// The entry before this one in the queue, if it is also the one that plays before it. If both are of one album, their sounds are not mixed, and
  /// are joined if they were cut from one. Nil if another entry plays before it.
  package var neighbour: Entry?
}

/// What is reported to those who show, store or log playing, besides the state that they can look up.
package enum PlayerNews: Sendable, Equatable {
  /// What is heard jumped to this place in the track.
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
package enum Refusal: String, Sendable, Hashable, CaseIterable {
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
