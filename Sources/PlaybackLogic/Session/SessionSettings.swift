// SPDX-License-Identifier: MIT

/// How the session deals with what comes between.
package struct SessionSettings: Sendable, Equatable {
  /// What each role of other programs' streams does to the music. A call pauses it, all else is ignored.
  package var roles: [WatchedRole: RolePolicy] = [.phone: .pause]
  /// When a recording counts as a call: with an output of the same program.
  package var microphone = MicrophonePolicy.withOutput
  /// What is left of the stream's volume while it is ducked, as a fraction: 0.3.
  package var duckLevel = 0.3
  /// For how long a lost device that returns lets the music go on, if it was playing and nothing was touched since. Nil, as
  /// preset: never.
  package var resumeOnReturn: Duration?
  /// How long an uncorked stream may make no progress: 3 s.
  package var stallLimit = Duration.seconds(3)

  /// All as preset.
  package init() {}

  /// What a role does; roles that were not set are ignored.
  package func policy(for role: WatchedRole) -> RolePolicy { roles[role] ?? .ignore }
}
