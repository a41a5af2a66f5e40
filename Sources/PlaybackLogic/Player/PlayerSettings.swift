// SPDX-License-Identifier: MIT

/// How the player takes orders.
package struct PlayerSettings: Sendable, Equatable {
  /// After this much of a track, Previous begins it anew: 3 s.
  package var restartsAfter: Duration = .seconds(3)
  /// A seek button that is held for less was tapped: 0.1 s.
  package var tapLimit: Duration = .milliseconds(100)
  /// How long each piece sounds while a seek button is held: 0.15 s.
  package var cueLength: Duration = .milliseconds(150)

  /// For how long a run through a track goes on of which nobody says that it goes on, or ends: 10 s.
  package var longestRun: Duration = .seconds(10)

  /// All as preset.
  package init() {}
}
