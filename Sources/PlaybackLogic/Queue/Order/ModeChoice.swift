// SPDX-License-Identifier: MIT

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
