// SPDX-License-Identifier: MIT
package import MediaModel

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

/// The moment at which the library is asked something, and the time zone of whoever asks.
package struct QueryTime: Sendable {
  /// Seconds since 1970 in UTC.
  package var now: Int64
  /// Tells when the caller's clocks show a certain time, both in seconds since 1970: the moment in UTC, the time as the clocks show it. They may be further
  /// ahead of UTC in summer than in winter. "Since the 5th of May" begins at midnight by these clocks.
  let moment: @Sendable (_ shown: Int64) -> Int64

  /// Without `moment`, the caller's clocks show UTC.
  package init(now: Int64, moment: @escaping @Sendable (_ shown: Int64) -> Int64 = { $0 }) {
    (self.now, self.moment) = (now, moment)
  }
}

/// A range of time, in seconds since 1970 in UTC.
package struct TimeSpan: Sendable, Hashable {
  package let begin: Int64
  /// The first second after the range.
  package let end: Int64

  package init(begin: Int64, end: Int64) { (self.begin, self.end) = (begin, end) }

  /// The range of a whole year, month, day or second, in UTC if the date names no time zone.
  package init(_ date: MediaDate) {
    let start = Self.day(date.year, date.month ?? 1, date.day ?? 1) * 86_400
    guard let month = date.month else {
      self.init(begin: start, end: Self.day(date.year + 1, 1, 1) * 86_400)
      return
    }
    guard date.day != nil else {
      let (year, next) = month == 12 ? (date.year + 1, 1) : (date.year, month + 1)
      self.init(begin: start, end: Self.day(year, next, 1) * 86_400)
      return
    }
    guard let time = date.time else {
      self.init(begin: start, end: start + 86_400)
      return
    }
    let second = start + Int64(time.second) - Int64(time.offset ?? 0) * 60
    self.init(begin: second, end: second + 1)
  }

  /// The range that an operand means when it is compared with a date or, if `isMoment`, with a moment. Dates in tags have no time zone, so only
  /// moments are compared in the caller's time zone, unless the operand names another.
  package init?(_ operand: PropertyTest.Operand, isMoment: Bool, at time: QueryTime) {
    switch operand {
    case .date(let date):
      let span = TimeSpan(date)
      if isMoment, date.time?.offset == nil {
        self.init(begin: time.moment(span.begin), end: time.moment(span.end))
      } else {
        self = span
      }
    case .ago(let seconds): self.init(begin: time.now - seconds, end: time.now - seconds + 1)
    case .number, .text: return nil
    }
  }

  /// The number of days from 1 January 1970 to this day of the Gregorian calendar. The year is counted from March, so that the leap day comes last.
  private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
    let shifted = month > 2 ? year : year - 1
    let monthsFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthsFromMarch + 2) / 5 + day - 1
    let leapDays = shifted / 4 - shifted / 100 + shifted / 400
    return Int64(shifted * 365 + leapDays + dayOfYear - 719_468)
  }
}
