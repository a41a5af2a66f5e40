// SPDX-License-Identifier: MIT

/// A text split into its sign and the rest: `+30` moves, `30` sets.
package enum SignedText: Sendable, Hashable {
  /// No sign: the value itself.
  case absolute(String)
  /// A plus: so much more.
  case more(String)
  /// A minus, also the typographic one: so much less.
  case less(String)

  /// Looks at the first letter.
  package init(_ text: String) {
    switch text.first {
    case "+": self = .more(String(text.dropFirst()))
    case "-", "−": self = .less(String(text.dropFirst()))
    default: self = .absolute(text)
    }
  }

  /// The text behind the sign.
  package var magnitude: String {
    switch self {
    case .absolute(let text), .more(let text), .less(let text): text
    }
  }
}
