// SPDX-License-Identifier: MIT

/// The state of playback as our own interface tells it. The texts are those of the bus.
///
/// The session knows the first four; whoever seeks puts the last two in the place of `playing` and `paused`.
package enum PlaybackState: String, Sendable, CaseIterable {
  case stopped, playing, paused, interrupted, seekingForward, seekingBackward

  /// MPRIS knows three.
  package enum MPRIS: String, Sendable {
    case stopped = "Stopped"
    case playing = "Playing"
    case paused = "Paused"
  }

  /// As MPRIS has it: what is interrupted is paused, and who seeks hears something.
  package var mpris: MPRIS {
    switch self {
    case .stopped: .stopped
    case .paused, .interrupted: .paused
    case .playing, .seekingForward, .seekingBackward: .playing
    }
  }
}
