// SPDX-License-Identifier: MIT

/// What happens at the end of a track and at the end of the play order.
package enum RepeatMode: String, Sendable, Hashable, CaseIterable {
  /// The play order is played once.
  case none
  /// The track begins again when it ends by itself. Next still leads to the next entry.
  case one
  /// The play order begins again; with shuffle, a new one is drawn.
  case all
}

/// The order in which the entries play.
package enum ShuffleMode: String, Sendable, Hashable, CaseIterable {
  /// In the order of the list.
  case off
  /// All entries in random order.
  case songs
  /// Albums in random order, and the entries of each album in the order of the list.
  case albums
}

/// The user's choice of a mode: a certain mode, or whatever the settings say.
package enum ModeChoice<Mode: Sendable & Hashable>: Sendable, Hashable {
  /// The mode in the settings, also after these change.
  case `default`
  /// This mode, whatever the settings say.
  case chosen(Mode)

  /// The mode in effect. `preference` is the mode in the settings.
  func resolved(_ preference: Mode) -> Mode {
    if case .chosen(let mode) = self { mode } else { preference }
  }
}
