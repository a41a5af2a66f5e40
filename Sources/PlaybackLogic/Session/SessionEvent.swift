// SPDX-License-Identifier: MIT

/// Something that happened and that bears on whether music sounds: an order, an interruption, a change of the output. Passed to `Session.handle`.
package enum SessionEvent: Sendable, Equatable {
  /// An order to play.
  case play(by: Sender)
  /// An order to pause.
  case pause(by: Sender)
  /// An order to pause if MPRIS's status is Playing, and to play otherwise.
  case toggle(by: Sender)
  /// An order to stop.
  case stop(by: Sender)
  /// The next order was given when so many interruptions had begun, so whoever gave it knew of no later ones.
  case unknownSince(interruption: Int)
  /// The user did something else with the music: a skip, a seek, an edit.
  case userActed
  /// The user's settings were read. They are in force already.
  case settingsRead
  /// Edits that could not be stored were taken back, and what was wanted before them is wanted again.
  case wanted(Intent)
  /// There is nothing left to play, or what comes next was not to be played.
  case ranOut(Ending)

  /// An interruption begins: the server asks for silence (cork) or suspends the output, or the call watcher found something.
  case began(Interruption.Source)
  /// An interruption is over.
  case ended(Interruption.Source)
  /// The server's streams have been searched, as far as possible, for the reason why the server asked for silence (cork).
  case corkExamined
  /// The server has asked for silence because of a call or the like during which the user wants the music to go on, as the settings say.
  case corkUnwanted
  /// Something begins for which the music is played more quietly, such as a message's sound.
  case duckBegan(Interruption.Source)
  /// Something is over for which the music was played more quietly.
  case duckEnded(Interruption.Source)
  /// No other program plays a stream with a role of `WatchedRole` any more, whatever the settings say about these roles.
  case rolesWentQuiet

  /// The server has made our stream. `streamReady` follows when it is known whether the stream is muted.
  case streamMade
  /// It was read whether our new stream is muted. `serverCorks` is true if the server mutes streams for calls, as PulseAudio does
  /// and PipeWire does not.
  case streamReady(isMuted: Bool, serverCorks: Bool)
  /// Whether another program's call is heard now, also one for which the settings let the music go on: the server may mute our next stream for it.
  case hearsPhone(Bool)
  /// A call is seen only now but began before our stream was made, so the server may have muted the stream for it.
  case foundMadeInCall
  /// The server has refused to make our stream.
  case streamRefused
  /// Whether our stream was muted when it was last read.
  case ownMute(Bool)
  /// The user chooses through us whether our present stream and later ones are muted.
  case muteChosen(Bool)
  /// The server took sound from our stream, so the stream is not stalled.
  case progressed
  /// Somebody ended our stream on purpose, for example in a mixer.
  case streamTerminated

  /// The route classifier wants silence at once, until it knows where our sound goes now.
  case routeHeld
  /// The route classifier knows where our sound goes, and no longer wants silence.
  /// `sinkIsGone` is true if the sink that our sound went to was seen gone meanwhile.
  case routeReleased(sinkIsGone: Bool)
  /// The route classifier reports a change of the route, which is the output and port that our sound goes to.
  case routeChanged(RouteChange)

  /// The sleep timer ran out.
  case sleepTimerEnded
  /// The machine is about to sleep.
  case preparesForSleep
  case wokeUp
  /// The time of `SessionEffect.timer` is over.
  case timer
}

/// What has to be done after an event of the session, the value that decides whether music sounds. The effects of one event have to be carried out in
/// their order. None of them corks the stream: whether it has to be corked follows from `Session.isCorked`.
package enum SessionEffect: Sendable, Equatable {
  /// An interruption has begun, and listeners are to be told.
  case interruptionBegan(ToldInterruption)
  /// An interruption is over that listeners were told about.
  case interruptionEnded(ToldInterruption, InterruptionEnd)
  /// The route (the output and port of our sound) changed, or there is none any more, or the machine woke up. `paused` is true if
  /// this turned playing into paused, even if an interruption kept the music silent already.
  case routeChanged(RouteChange, paused: Bool)
  /// An order to play was accepted, but there is no sound before this interruption ends. If there are several, this is the most
  /// important one.
  case waiting(for: Interruption.Source)
  /// An order to play was refused because there is no output. The order is dropped: an output that appears later must not start
  /// the music.
  case noOutput
  /// Unmute our stream, which the server muted for a call: that is over, or the music goes on in spite of it.
  case unmuteOwnStream
  /// The user chose this through us: mute or unmute our present stream and later ones.
  case muteOwnStream(Bool)
  /// Somebody muted or unmuted our stream in a mixer: do the same to our streams that wait to be heard, and leave it to the server whether later
  /// streams are muted.
  case followOwnMute(Bool)
  /// If the server has not made our stream by now, drop that stream and ask for another: the server will not make the old one any more.
  case dropUnmadeStream
  /// Play at this fraction of the volume (duck), because something else sounds.
  case duck(Double)
  /// Play at the full volume again, because what the music was ducked for is over.
  case unduck
  /// Send `SessionEvent.timer` after this time. A later request replaces an earlier one.
  case timer(after: Duration)
}

/// How the music yields to other sound, and whether it goes on when a lost device returns.
package struct SessionSettings: Sendable, Equatable {
  /// How our sound behaves beside other programs' sound; by default it yields to calls.
  package var category = SessionCategory.playback
  /// What the music does when another program plays a stream with each role. By default a call pauses it and all other roles are ignored.
  package var roles: [WatchedRole: RolePolicy] = [.phone: .pause]
  /// Which recordings by other programs count as a call. By default, those of a program that also plays something.
  package var microphone = MicrophonePolicy.withOutput
  /// The fraction of the volume that is left while the music is ducked (played more quietly for something else); 0.3 by default.
  package var duckLevel = 0.3
  /// How long after its loss a returning device lets the music go on, if music was playing then and the user has done
  /// nothing since. Nil, the default, means never.
  package var resumeOnReturn: Duration?
  /// How long the server may take no sound from our stream while music is to be heard, before the stream counts as stalled; 3 s by default.
  package var stallLimit = Duration.seconds(3)

  package init() {}

  /// What the music does for a role. Roles that are not set are ignored.
  package func policy(for role: WatchedRole) -> RolePolicy { roles[role] ?? .ignore }
}

/// How our music behaves when other programs play. The raw values are those of the setting and of D-Bus.
package enum SessionCategory: String, Sendable, CaseIterable {
  /// Music that somebody listens to: it yields to calls, and pauses when the listener's device is lost.
  case playback
  /// Background music for nobody in particular: it goes on during calls, and moves on to the loudspeakers when headphones are gone.
  case ambient
  /// As `playback`, and when it begins, other players are asked to pause.
  case solo
}

/// What the user wants, whether or not it is possible at the moment.
package enum Intent: Sendable, Hashable {
  /// Who or what turned playing into a lasting pause.
  package enum Pauser: Sendable, Hashable {
    /// A person.
    case user
    /// The listener's device was lost.
    case route
    /// The machine went to sleep.
    case sleep
    /// The sleep timer ran out.
    case sleepTimer
    /// Somebody terminated our stream in a mixer.
    case terminated
    /// The agent restored its state when it started, and it starts paused.
    case restored
    /// A program of this name. Used only if more programs have paused the music than the session tracks (`Session.toolLimit`).
    case tool(String)
  }

  /// Whether a Play begins the current track at its beginning, or where a long one was left, and not where it stood last. That is so after a stop, and
  /// after a start of the agent as well, because the music may have been stopped before the agent ended.
  var hasGivenUpPlace: Bool { self == .stopped || self == .paused(by: .restored) }

  /// Nothing is to be played.
  case stopped
  /// Music is to be played.
  case playing
  /// The music is to be paused; `by` is who or what paused it.
  case paused(by: Pauser)
}
