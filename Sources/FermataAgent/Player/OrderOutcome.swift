// SPDX-License-Identifier: MIT
package import PlaybackLogic

/// The outcome of an order, for whoever gave it.
package struct OrderOutcome: Sendable, Hashable {
  /// Why it was not carried out; nil where it was.
  package private(set) var refusal: String?
  /// What playing waits for, if the order was accepted but nothing is heard yet.
  package private(set) var waiting: Interruption.Source?

  /// The refusal of an order to play while there is no output.
  static let noOutput = "there is no output that anyone could hear"

  init(_ effects: [PlayerEffect]) {
    for effect in effects {
      switch effect {
      case .refused(let refusal): self.refusal = refusal.rawValue
      case .session(.noOutput): refusal = Self.noOutput
      case .session(.waiting(let source)): waiting = source
      default: break
      }
    }
  }
}
