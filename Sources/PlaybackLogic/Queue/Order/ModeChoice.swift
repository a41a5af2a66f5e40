// SPDX-License-Identifier: MIT

/// A mode that was asked for, or the user's standing preference.
package enum ModeChoice<Mode: Sendable & Hashable>: Sendable, Hashable {
  /// Whatever the settings say, now and when they change.
  case `default`
  /// This one, whatever the settings say.
  case chosen(Mode)

  /// The mode that follows from the choice.
  func resolved(_ preference: Mode) -> Mode {
    if case .chosen(let mode) = self { mode } else { preference }
  }
}
