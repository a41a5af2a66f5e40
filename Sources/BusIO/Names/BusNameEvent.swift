// SPDX-License-Identifier: MIT
package import BusModel

/// A name came or went. The connection's own name comes first of all.
package enum BusNameEvent: Sendable, Hashable {
  /// It is ours from now on.
  case acquired(BusName)
  /// It is another's, or nobody's, from now on.
  case lost(BusName)

  init?(_ signal: BusSignal) {
    guard case .string(let text)? = signal.arguments.first, let name = BusName(text) else { return nil }
    switch signal.member.text {
    case "NameAcquired": self = .acquired(name)
    case "NameLost": self = .lost(name)
    default: return nil
    }
  }
}
