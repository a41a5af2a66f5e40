// SPDX-License-Identifier: MIT

/// The state of playback as our own D-Bus interface reports it. The raw values are the names on D-Bus.
///
/// The session uses only the first four. While the user seeks, the player reports one of the last two instead.
package enum PlaybackState: String, Sendable, CaseIterable {
  case stopped, playing, paused, interrupted, seekingForward, seekingBackward

  /// The three states that MPRIS knows.
  package enum MPRIS: String, Sendable {
    case stopped = "Stopped"
    case playing = "Playing"
    case paused = "Paused"
  }

  /// The state in MPRIS's terms: interrupted counts as paused, and seeking counts as playing because something is heard.
  package var mpris: MPRIS {
    switch self {
    case .stopped: .stopped
    case .paused, .interrupted: .paused
    case .playing, .seekingForward, .seekingBackward: .playing
    }
  }
}
