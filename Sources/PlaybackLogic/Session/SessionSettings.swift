// SPDX-License-Identifier: MIT

/// How the session handles interruptions, ducking and returning devices.
package struct SessionSettings: Sendable, Equatable {
  /// What each role of other programs' streams does to the music. By default a call pauses it and all else is ignored.
  package var roles: [WatchedRole: RolePolicy] = [.phone: .pause]
  /// When another program's recording counts as a call. By default, when the same program also plays something.
  package var microphone = MicrophonePolicy.withOutput
  /// The fraction of the stream's volume that is left while it is ducked; 0.3 by default.
  package var duckLevel = 0.3
  /// How long after its loss a returning device lets the music go on, if music was playing then and the user has done
  /// nothing since. Nil, the default, means never.
  package var resumeOnReturn: Duration?
  /// How long an uncorked stream may make no progress before it counts as stalled; 3 s by default.
  package var stallLimit = Duration.seconds(3)

  /// The default settings.
  package init() {}

  /// What a role does to the music. Roles that are not set are ignored.
  package func policy(for role: WatchedRole) -> RolePolicy { roles[role] ?? .ignore }
}
