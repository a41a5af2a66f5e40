// SPDX-License-Identifier: MIT
import MediaModel

// The text form of predicates. Brackets stand only where the meaning needs them.

extension Predicate: CustomStringConvertible {
  package var description: String { text(inside: .or) }

  /// How tightly words bind: `not` before `and` before `or`.
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
    // A list within a list of the same kind keeps its brackets, so that reading gives back what was written.
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
    case .text(let text): Self.quoted(text)
    case .number(let number): Int64(exactly: number).map(String.init) ?? String(number)
    // A year alone would be taken for a number, and a time has signs of its own.
    case .date(let date): date.month == nil || date.time != nil ? "\"\(date)\"" : date.description
    case .ago(let seconds): (seconds < 0 ? "+" : "-") + TimeUnit.text(seconds: seconds.magnitude)
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }
}

/// The units of lengths of time.
enum TimeUnit: String, CaseIterable {
  case year = "y"
  case month = "mo"
  case week = "w"
  case day = "d"
  case hour = "h"
  case minute = "m"
  case second = "s"

  /// A month counts 30 days and a year 365: who asks for the last year does not ask for leap days.
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

  /// A length of time in the largest unit up to days that it has a whole number of. People count in days what they compare.
  static func text(seconds: UInt64) -> String {
    let unit =
      [day, .hour, .minute].first { seconds > 0 && seconds.isMultiple(of: UInt64($0.seconds)) } ?? .second
    return "\(seconds / UInt64(unit.seconds))\(unit.rawValue)"
  }

  static let words = "s, m (minutes), h, d, w, mo (30 days), y"
}
