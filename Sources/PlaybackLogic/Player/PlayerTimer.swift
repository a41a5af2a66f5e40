// SPDX-License-Identifier: MIT

/// What the player asks to be woken for; asking again for the same replaces the earlier wish.
package enum PlayerTimer: Sendable, Hashable, CaseIterable {
  /// The session's own.
  case session
  /// A seek button is held no longer for a tap.
  case tap
  /// The next jump of a held seek.
  case cue
  /// Nobody has said for too long that a seek button is still held.
  case run
}
