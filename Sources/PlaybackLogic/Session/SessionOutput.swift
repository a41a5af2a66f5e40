// SPDX-License-Identifier: MIT

/// What the session wants done, in this order.
package enum SessionOutput: Sendable, Equatable {
  /// Cork the stream, or let it go. Stands first where it corks and last where it lets go.
  case corked(Bool)
  /// Music is now heard, or no more. It may be silent while uncorked, so this is not the same.
  case sounding(Bool)
  /// Something interrupts; `wasPlaying` where that is what stopped the music.
  case interruptionBegan(Interruption.Source, wasPlaying: Bool)
  /// It is over; `shouldResume` where the music goes on with it.
  case interruptionEnded(Interruption.Source, shouldResume: Bool)
  /// The sound goes another way, or none; `paused` where this is what turned playing into pausing, whatever held the music up by then.
  case routeChanged(RouteChange, paused: Bool)
  /// An order to play was taken, and waits for this.
  case waiting(for: Interruption.Source)
  /// An order to play was not taken: there is no output, and one that comes must not start by itself.
  case noOutput
  /// The pads fall silent, for good.
  case stopPads
  /// End the server's mute of our stream, which it does not end itself.
  case unmuteOwnStream
  /// Make another stream if the server has not made ours: by now it is not going to.
  case replaceUnmadeStream
  /// Play at this fraction of the volume.
  case duck(Double)
  /// Play at the whole volume again.
  case unduck
  /// Send `timer` after this time; a later wish replaces an earlier one.
  case timer(after: Duration)
}
