// SPDX-License-Identifier: MIT

/// What the session has to be told.
package enum SessionEvent: Sendable, Equatable {
  /// An order to play.
  case play(by: Sender)
  /// An order to pause.
  case pause(by: Sender)
  /// An order to do one or the other, whichever is not the case by what MPRIS says.
  case toggle(by: Sender)
  /// An order to stop.
  case stop(by: Sender)
  /// The user did something else with the music: a skip, a seek, an edit.
  case userActed
  /// This is wanted again, as before an edit that was taken back.
  case wanted(Intent)
  /// The last of the music has been heard.
  case finished

  /// An interruption begins: the server's cork, a suspended output, or what the watcher of calls found.
  case began(Interruption.Source)
  /// An interruption is over.
  case ended(Interruption.Source)
  /// Something begins for which the music has to be quieter.
  case duckBegan(Interruption.Source)
  /// It is over.
  case duckEnded(Interruption.Source)
  /// The last of other programs' streams with a watched role, whatever its policy, is over.
  case rolesWentQuiet

  /// The server has made our stream. What it is like, `streamReady` says when that was asked for.
  case streamMade
  /// The server has made our stream, muted or not. `serverCorks` where the server mutes streams for calls: PulseAudio's does,
  /// PipeWire's does not.
  case streamReady(isMuted: Bool, serverCorks: Bool)
  /// The server has refused to make our stream.
  case streamRefused
  /// The server's mute of our stream, as last read.
  case ownMute(Bool)
  /// The server took sound from our uncorked stream.
  case progressed
  /// Somebody ended our stream on purpose.
  case streamTerminated

  /// The classifier of routes wants silence at once.
  case routeHeld
  /// It wants it no more.
  case routeReleased
  /// It found a change.
  case routeChanged(RouteChange)

  /// The machine is about to sleep.
  case preparesForSleep
  /// It woke up.
  case wokeUp
  /// The time that was asked for is over.
  case timer
}
