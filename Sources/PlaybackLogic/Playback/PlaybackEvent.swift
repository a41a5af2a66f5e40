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
  case sink(RouteEvent.Change, Sink.Index)
  /// A card appeared, changed or was removed.
  case card(RouteEvent.Change, Card.Index)
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
  /// Our stream on the sound server is gone, and with it everything that was loaded.
  case streamLost
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
