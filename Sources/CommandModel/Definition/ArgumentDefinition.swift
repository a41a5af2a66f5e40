// SPDX-License-Identifier: MIT

/// One positional argument of a command.
package struct ArgumentDefinition: Sendable, Hashable {
  /// How many words an argument takes.
  package enum Arity: Sendable, Hashable {
    /// Exactly one.
    case one
    /// One or none.
    case optional
    /// One or more.
    case some
    /// Any number, also none.
    case any

    /// The fewest words that it needs.
    package var minimum: Int { self == .one || self == .some ? 1 : 0 }
    /// Whether it takes all the words that are left.
    package var repeats: Bool { self == .some || self == .any }
  }

  /// The name of its value, and what the value may be.
  package let value: ValueDefinition
  /// How many words it takes.
  package let arity: Arity
  /// What it means, as a phrase without a full stop.
  package let summary: String

  /// An argument.
  package init(_ value: ValueDefinition, _ arity: Arity = .one, summary: String) {
    self.value = value
    self.arity = arity
    self.summary = summary
  }

  /// How it is written: `SOURCE…`, `[ID]`, `[none|one|all]`.
  package var synopsis: String {
    let name = value.synopsis
    return switch arity {
    case .one: name
    case .optional: "[\(name)]"
    case .some: "\(name)…"
    case .any: "[\(name)…]"
    }
  }
}
