// SPDX-License-Identifier: MIT

/// Why nothing is heard.
package enum SilenceReason: Sendable, Hashable {
  /// The music is paused, by this pauser.
  case paused(by: Intent.Pauser)
  /// There is no output that anyone could hear.
  case noOutput
  /// Music is wanted but interrupted. This is the interruption with the lowest rank, if there are several.
  case interrupted(by: Interruption.Source)
  /// Music plays, but a mute or a volume of zero keeps it from being heard.
  case inaudible(Inaudibility)

  /// Its name on D-Bus.
  package var text: String {
    switch self {
    case .paused(by: .user): "user"
    case .paused(by: .route): "route"
    case .paused(by: .sleep): "sleep"
    case .paused(by: .terminated): "terminated"
    case .paused(by: .restored): "restored"
    case .paused(by: .tool(let name)): "tool:\(name)"
    case .noOutput: "no-output"
    case .interrupted(let source): source.text
    case .inaudible(let cause): cause.rawValue
    }
  }
}
