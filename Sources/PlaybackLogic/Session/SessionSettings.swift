// SPDX-License-Identifier: MIT

/// How the session deals with what comes between.
public struct SessionSettings: Sendable, Equatable {
  /// What each role of other programs' streams does to the music. A call pauses it, all else is ignored.
  public var roles: [WatchedRole: RolePolicy] = [.phone: .pause]
  /// When a recording counts as a call: with an output of the same program.
  public var microphone = MicrophonePolicy.withOutput
  /// What is left of the stream's volume while it is ducked, as a fraction: 0.3.
  public var duckLevel = 0.3
  /// For how long a lost device that returns lets the music go on, if it was playing and nothing was touched since. Nil, as
  /// preset: never.
  public var resumeOnReturn: Duration?
  /// How long an uncorked stream may make no progress: 3 s.
  public var stallLimit = Duration.seconds(3)

  /// All as preset.
  public init() {}

  /// What a role does; roles that were not set are ignored.
  public func policy(for role: WatchedRole) -> RolePolicy { roles[role] ?? .ignore }
}
