// SPDX-License-Identifier: MIT
import MediaModel

// The text form of predicates. It has parentheses only where they are needed.

extension Predicate: CustomStringConvertible {
  package var description: String { text(inside: .or) }

  /// How strongly a word binds, which tells where parentheses are needed: `not` more than `and`, and `and` more than `or`.
  private enum Binding: Int { case or, and, not }

  private func text(inside outer: Binding) -> String {
    switch self {
    case .test(let test): test.description
    case .not(.test(let test)) where test.isEquality: test.text(of: "!=")
    case .not(let inner): "not \(inner.text(inside: .not))"
    case .all(let parts): Self.join(parts, .and, "and", empty: "not id in []", inside: outer)
    case .any(let parts): Self.join(parts, .or, "or", empty: "id in []", inside: outer)
    }
  }

  private static func join(
    _ parts: [Predicate], _ binding: Binding, _ word: String, empty: String, inside outer: Binding
  ) -> String {
    guard parts.count > 1 else { return parts.first?.text(inside: outer) ?? empty }
    // A list inside a list of the same kind keeps its parentheses, so that the text is read back as the same predicate.
    let next = binding == .or ? Binding.and : .not
    let text = parts.map { $0.text(inside: next) }.joined(separator: " \(word) ")
    return outer.rawValue > binding.rawValue ? "(\(text))" : text
  }
}

extension PropertyTest: CustomStringConvertible {
  package var description: String {
    switch comparison {
    case .isTrue: property.rawValue
    case .equals: text(of: "==")
    case .contains: text(of: "contains")
    case .begins: text(of: "begins")
    case .isAmong: text(of: "in")
    case .less: text(of: "<")
    case .lessOrEqual: text(of: "<=")
    case .greater: text(of: ">")
    case .greaterOrEqual: text(of: ">=")
    }
  }

  fileprivate var isEquality: Bool { if case .equals = comparison { true } else { false } }

  fileprivate func text(of sign: String) -> String { "\(property.rawValue) \(sign) \(valueText)" }

  private var valueText: String {
    switch comparison {
    case .isAmong(let choices):
      if choices.count == 1, case .range = choices[0] { return choices[0].text }
      return "[\(choices.map(\.text).joined(separator: ", "))]"
    default: return comparison.choices.first?.text ?? ""
    }
  }
}

extension PropertyTest.Choice {
  fileprivate var text: String {
    switch self {
    case .one(let value): value.text
    case .range(let first, let last): "\(first.text)..\(last.text)"
    }
  }
}

extension PropertyTest.Operand {
  fileprivate var text: String {
    switch self {
    case .text(let text): text.quotedForQuery
    case .number(let number): Int64(exactly: number).map(String.init) ?? String(number)
    // A date is quoted if it would be read as something else: a year alone looks like a number, and a time has signs in it.
    case .date(let date): date.month == nil || date.time != nil ? "\"\(date)\"" : date.description
    case .ago(let seconds): (seconds < 0 ? "+" : "-") + TimeUnit.text(seconds: seconds.magnitude)
    }
  }
}

extension String {
  /// The text as a value in a predicate: in quotes, and with a backslash before each quote and backslash in it.
  package var quotedForQuery: String {
    var quoted = String.UnicodeScalarView("\"".unicodeScalars)
    // By scalars: a quote that a combining sign follows is another character, and yet ends the text.
    for scalar in unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }
}

/// The units in which a predicate's text writes lengths of time, such as `30d`.
enum TimeUnit: String, CaseIterable {
  case year = "y"
  case month = "mo"
  case week = "w"
  case day = "d"
  case hour = "h"
  case minute = "m"
  case second = "s"

  /// The length of the unit. A month counts as 30 days and a year as 365, because a user who asks for the last year does not think of leap days.
  var seconds: Int64 {
    switch self {
    case .year: 365 * 86_400
    case .month: 30 * 86_400
    case .week: 7 * 86_400
    case .day: 86_400
    case .hour: 3_600
    case .minute: 60
    case .second: 1
    }
  }

  /// A length of time in the largest unit up to days that divides it without a remainder. Weeks and longer units are not used, because people compare
  /// days.
  static func text(seconds: UInt64) -> String {
    let unit =
      [day, .hour, .minute].first { seconds > 0 && seconds.isMultiple(of: UInt64($0.seconds)) } ?? .second
    return "\(seconds / UInt64(unit.seconds))\(unit.rawValue)"
  }

  static let words = "s, m (minutes), h, d, w, mo (30 days), y"
}
