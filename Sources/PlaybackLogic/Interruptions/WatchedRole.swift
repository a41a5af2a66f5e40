// SPDX-License-Identifier: MIT

/// The roles of other programs' streams that may take precedence over music. The raw values are those of `media.role`.
package enum WatchedRole: String, Sendable, Hashable, CaseIterable {
  /// A call that rings or is going on.
  case phone
  /// A screen reader.
  case a11y
  /// A short sound of the desktop.
  case event
  /// The sound of a message that has come.
  case notification
  /// The voice of a navigation program or an assistant.
  case announcement
}
