// SPDX-License-Identifier: MIT

/// Why nothing is heard.
package enum SilenceReason: Sendable, Hashable {
  /// It is wanted so.
  case paused(by: Intent.Pauser)
  /// There is no output that anyone could hear.
  case noOutput
  /// It is not wanted so: the weightiest of what holds it up.
  case interrupted(by: Interruption.Source)
  /// It plays, and a mixer lets nothing of it through.
  case inaudible(Inaudibility)

  /// As the bus has it.
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
