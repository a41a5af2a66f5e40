// SPDX-License-Identifier: MIT
package import BusModel

/// This connection gained or lost a name. The first event is that of its own unique name.
package enum BusNameEvent: Sendable, Hashable {
  /// It is ours from now on.
  case acquired(BusName)
  /// It belongs to another connection, or to none, from now on.
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
