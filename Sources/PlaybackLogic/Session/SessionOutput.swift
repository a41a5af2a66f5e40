// SPDX-License-Identifier: MIT

/// What the session wants done. The outputs of one event have to be carried out in their order.
package enum SessionOutput: Sendable, Equatable {
  /// Cork our stream if true, uncork it if false. To cork is the first output of an event, to uncork the last.
  case corked(Bool)
  /// Music starts or stops being heard. This differs from `corked`, because an uncorked stream may be silent: suspended
  /// or stalled.
  case sounding(Bool)
  /// An interruption begins. `wasPlaying` is true if it stopped music that was playing.
  case interruptionBegan(Interruption.Source, wasPlaying: Bool)
  /// An interruption is over. `shouldResume` is true if the music goes on now.
  case interruptionEnded(Interruption.Source, shouldResume: Bool)
  /// The route changed, or there is none any more. `paused` is true if this turned playing into paused, even if an
  /// interruption kept the music silent already.
  case routeChanged(RouteChange, paused: Bool)
  /// An order to play was accepted, and has to wait for the end of this interruption.
  case waiting(for: Interruption.Source)
  /// An order to play was refused because there is no output. It is not kept: an output that appears later must not
  /// start the music.
  case noOutput
  /// Stop the pads for good. The agent has no pads yet and ignores this.
  case stopPads
  /// Unmute our stream: the server muted it for a call and does not unmute it itself.
  case unmuteOwnStream
  /// If the server has not made our stream yet, drop it and make another. After so long the server will not make it any more.
  case replaceUnmadeStream
  /// Duck: play at this fraction of the volume.
  case duck(Double)
  /// End the ducking: play at the full volume again.
  case unduck
  /// Send the event `timer` after this time. A later request replaces an earlier one.
  case timer(after: Duration)
}
