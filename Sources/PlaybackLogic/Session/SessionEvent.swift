// SPDX-License-Identifier: MIT

/// The events that the session handles.
package enum SessionEvent: Sendable, Equatable {
  /// An order to play.
  case play(by: Sender)
  /// An order to pause.
  case pause(by: Sender)
  /// An order to pause if MPRIS's status is Playing, and to play otherwise.
  case toggle(by: Sender)
  /// An order to stop.
  case stop(by: Sender)
  /// The user did something else with the music: a skip, a seek, an edit.
  case userActed
  /// An edit was undone, and what was wanted before it is wanted again.
  case wanted(Intent)
  /// The last of the music has been heard.
  case finished

  /// An interruption begins: a cork request, a suspended output, or something that the call watcher found.
  case began(Interruption.Source)
  /// An interruption is over.
  case ended(Interruption.Source)
  /// A source begins for which the music has to become quieter.
  case duckBegan(Interruption.Source)
  /// That source is over.
  case duckEnded(Interruption.Source)
  /// No other program plays a stream with a watched role any more, whatever the policies of these roles are.
  case rolesWentQuiet

  /// The server has made our stream. `streamReady` follows when its properties have been read.
  case streamMade
  /// The properties of our new stream have been read. `serverCorks` is true if the server mutes streams for calls, as
  /// PulseAudio does and PipeWire does not.
  case streamReady(isMuted: Bool, serverCorks: Bool)
  /// The server has refused to make our stream.
  case streamRefused
  /// Whether our stream was muted when it was last read.
  case ownMute(Bool)
  /// The server took sound from our uncorked stream.
  case progressed
  /// Somebody ended our stream on purpose.
  case streamTerminated

  /// The route classifier wants silence at once.
  case routeHeld
  /// The route classifier no longer wants silence.
  case routeReleased
  /// The route classifier found a change.
  case routeChanged(RouteChange)

  /// The machine is about to sleep.
  case preparesForSleep
  /// The machine woke up.
  case wokeUp
  /// The timer that was asked for has fired.
  case timer
}
