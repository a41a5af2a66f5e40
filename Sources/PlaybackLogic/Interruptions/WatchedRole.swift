// SPDX-License-Identifier: MIT

/// The roles of other programs' streams that may go before music, as `media.role` has them.
package enum WatchedRole: String, Sendable, Hashable, CaseIterable {
  /// A call, ringing or going on.
  case phone
  /// A screen reader.
  case a11y
  /// A short sound of the desktop.
  case event
  /// A message has come.
  case notification
  /// A navigation's or assistant's voice.
  case announcement
}
