// SPDX-License-Identifier: MIT

/// How the player takes orders.
package struct PlayerSettings: Sendable, Equatable {
  /// If more than this of a track has played, Previous restarts it. Preset: 3 s.
  package var restartsAfter: Duration = .seconds(3)
  /// A seek button held for less than this counts as a tap. Preset: 0.1 s.
  package var tapLimit: Duration = .milliseconds(100)
  /// How long each piece sounds while a seek button is held. Preset: 0.15 s.
  package var cueLength: Duration = .milliseconds(150)

  /// A held seek ends by itself if nobody reports for this long that the button is still held. Preset: 10 s.
  package var longestRun: Duration = .seconds(10)

  /// The presets.
  package init() {}
}
