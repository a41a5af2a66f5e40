// SPDX-License-Identifier: MIT

/// The timers that the player asks for. A new request for the same timer replaces the earlier one.
package enum PlayerTimer: Sendable, Hashable, CaseIterable {
  /// The session's timer.
  case session
  /// A seek button has been held for longer than a tap.
  case tap
  /// The next jump of a held seek is due.
  case cue
  /// For too long nobody has reported that the seek button is still held.
  case run
}
