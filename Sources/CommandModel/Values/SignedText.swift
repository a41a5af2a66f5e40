// SPDX-License-Identifier: MIT

/// A text split into its sign and the rest: `+30` moves, `30` sets.
package enum SignedText: Sendable, Hashable {
  /// No sign: the value itself.
  case absolute(String)
  /// A plus: an increase by this value.
  case more(String)
  /// A minus, or the typographic minus: a decrease by this value.
  case less(String)

  /// Splits off the sign, if the text begins with one.
  package init(_ text: String) {
    switch text.first {
    case "+": self = .more(String(text.dropFirst()))
    case "-", "−": self = .less(String(text.dropFirst()))
    default: self = .absolute(text)
    }
  }

  /// The text after the sign.
  package var magnitude: String {
    switch self {
    case .absolute(let text), .more(let text), .less(let text): text
    }
  }
}
