// SPDX-License-Identifier: MIT

/// Times as people write and read them: `1:02:03.5`, `4:56`, `90`.
package enum ClockText {
  // Nine digits of seconds are 31 years. No music is longer, and more digits could overflow.
  private static let digits = 9

  /// Parses `[H:]MM:SS[.mmm]` or `SECONDS[.mmm]`; nil for any other text, including one with a sign.
  package static func parse(_ text: String) -> Duration? {
    let halves = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fields = halves[0].split(separator: ":", omittingEmptySubsequences: false)
    guard let seconds = wholeSeconds(fields) else { return nil }
    guard halves.count == 2 else { return .seconds(seconds) }
    guard let fraction = number(halves[1]) else { return nil }
    let nanoseconds = (halves[1].count..<digits).reduce(fraction) { value, _ in value * 10 }
    return .seconds(seconds) + .nanoseconds(nanoseconds)
  }

  /// The time as `4:56` or `1:02:03`, rounded down to the second.
  package static func text(_ time: Duration) -> String {
    let total = max(0, time.components.seconds)
    let (minutes, seconds) = (total / 60 % 60, total % 60)
    guard total >= 3600 else { return "\(minutes):\(twoDigits(seconds))" }
    return "\(total / 3600):\(twoDigits(minutes)):\(twoDigits(seconds))"
  }

  private static func wholeSeconds(_ fields: [Substring]) -> Int? {
    guard (1...3).contains(fields.count), let first = number(fields[0]) else { return nil }
    return fields.dropFirst().reduce(first) { total, field in
      guard let total, field.utf8.count == 2, let next = number(field), next < 60 else { return nil }
      // Only the first field may be larger than on a clock: `90:00` is an hour and a half, but `1:90:00` is a
      // mistake.
      return total * 60 + next
    }
  }

  private static func number(_ text: Substring) -> Int? {
    text.isDigits && text.utf8.count <= digits ? Int(text) : nil
  }

  private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// A number of things as people read it: `1 track`, `2 tracks`, `3 entries`.
package enum CountText {
  /// The count with its noun, which is given for one thing.
  package static func text(_ count: Int, _ noun: String) -> String {
    guard count != 1 else { return "1 \(noun)" }
    return noun.hasSuffix("y") ? "\(count) \(noun.dropLast())ies" : "\(count) \(noun)s"
  }
}

/// A number as it is written for programs and people: decimal, without an exponent and without needless zeros.
package struct DecimalText: Sendable, Hashable {
  package let text: String

  package init(_ number: Int) { text = String(number) }

  /// A fraction, to six decimals. Nil if it isn't finite, or if it is so large (1e12) that readers would lose digits.
  package init?(_ number: Double) {
    guard number.isFinite, number.magnitude < 1e12 else { return nil }
    // The whole and the fractional part are scaled separately, because a large number times a million is no longer exact.
    let whole = number.rounded(.towardZero)
    text = Self.decimal(Int64(whole) * 1_000_000 + Int64(((number - whole) * 1_000_000).rounded()), places: 6)
  }

  /// A time in seconds, to the millisecond.
  package init(seconds time: Duration) {
    let (seconds, attoseconds) = time.components
    // A time that is too long to count in milliseconds is written in whole seconds.
    let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    let milliseconds =
      (attoseconds + (attoseconds < 0 ? -1 : 1) * 500_000_000_000_000) / 1_000_000_000_000_000
    let (total, carried) = scaled.addingReportingOverflow(milliseconds)
    text = overflow || carried ? String(seconds) : Self.decimal(total, places: 3)
  }

  // Writes a number that is counted in units of its last decimal place, with the decimal point.
  private static func decimal(_ count: Int64, places: Int) -> String {
    var digits = String(count.magnitude)
    digits = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
    var fraction = digits.suffix(places)
    while fraction.last == "0" { fraction.removeLast() }
    let whole = digits.dropLast(places)
    return (count < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : "." + fraction)
  }
}

/// A text split into its sign and the rest. With a sign, a number is a change (`+30`); without one, it is a value (`30`).
package struct SignedText: Sendable, Hashable {
  /// 1 for a plus, -1 for a minus or the typographic minus; nil if there is no sign.
  package let sign: Int?
  /// The text after the sign.
  package let magnitude: String

  package init(_ text: String) {
    switch text.first {
    case "+": sign = 1
    case "-", "−": sign = -1
    default: sign = nil
    }
    magnitude = sign == nil ? text : String(text.dropFirst())
  }
}

extension StringProtocol {
  /// Whether the text consists only of the digits 0 to 9 and has at least one. Digits of other scripts are never read as numbers.
  package var isDigits: Bool { !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}

/// Reads files that people write with an editor of their own.
package enum TextLines {
  /// The lines of a text, empty ones too, without what editors of Windows add: a byte order mark before the first line, and a carriage return at the end
  /// of each.
  package static func lines(of text: String) -> [Substring] {
    let hasMark = text.unicodeScalars.first == "\u{FEFF}"
    let start = hasMark ? text.unicodeScalars.index(after: text.startIndex) : text.startIndex
    return text[start...].split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }
}
