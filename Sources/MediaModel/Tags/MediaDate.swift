// SPDX-License-Identifier: MIT

/// A date with the precision that a tag has: a year, a month, a day or a moment.
package struct MediaDate: Sendable, Hashable {
  /// A time of day, and the time zone's distance from UTC.
  package struct Time: Sendable, Hashable {
    /// Seconds since midnight, 0 to 86,399.
    package let second: Int
    /// Minutes ahead of UTC; nil if the text names no time zone.
    package let offset: Int?
  }

  /// The year, 1 to 9999.
  package let year: Int
  /// The month, 1 to 12; nil if not known.
  package let month: Int?
  /// The day, 1 to the month's last day; nil if it or the month is not known.
  package let day: Int?
  /// The time of day; nil if it or the day is not known.
  package let time: Time?

  /// A date. Nil if the date does not exist, or if a part is given without the larger one, such as a day without a month.
  package init?(year: Int, month: Int? = nil, day: Int? = nil, time: Time? = nil) {
    guard (1...9999).contains(year), (1...12).contains(month ?? 1), month != nil || day == nil,
      day != nil || time == nil
    else { return nil }
    if let month, let day, !(1...Self.days(in: month, of: year)).contains(day) { return nil }
    (self.year, self.month, self.day, self.time) = (year, month, day, time)
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension MediaDate: CustomStringConvertible {
  /// The date as text: `1997`, `1997-05`, `1997-05-20` or RFC 3339 to the second, whose time zone is left out if it is not known.
  package var description: String {
    let digits = String(year)
    var text = String(repeating: "0", count: 4 - digits.count) + digits
    for part in [month, day] {
      if let part { text += "-" + part.twoDigits }
    }
    guard let time else { return text }
    let (hour, minute, second) = (time.second / 3600, time.second / 60 % 60, time.second % 60)
    return text + "T" + [hour, minute, second].map(\.twoDigits).joined(separator: ":") + time.zone
  }
}

extension MediaDate.Time {
  fileprivate var zone: String {
    guard let offset else { return "" }
    if offset == 0 { return "Z" }
    let minutes = abs(offset)
    return (offset < 0 ? "-" : "+") + (minutes / 60).twoDigits + ":"
      + (minutes % 60).twoDigits
  }
}

extension MediaDate {
  /// A date as taggers write it: `1997`, `1997-05`, `1997-05-20`, `19970520`, `1997/05/20`, RFC 3339 and its shorter forms; or as people do: `Oct 3,
  /// 1995`, `3 October 1995`, `25/12/1995`. Zeros for a month or a day mean "not known". If the part besides the year can't be read, or can be read
  /// in two ways, only the year is taken.
  package init?(text: String) {
    guard let date = Self(beginningWithYear: text) ?? Self(words: text) else { return nil }
    self = date
  }

  /// A date that is written as `description` writes it; the seconds may be left out, and a blank may stand for the T. Nil for any other text, and for a
  /// date that does not exist.
  package init?(exactly text: String) {
    var rest = Scanner(text)
    guard let year = rest.number(digits: 4) else { return nil }
    let month = rest.part(after: "-")
    let day = month == nil ? nil : rest.part(after: "-")
    var time: Time?
    if day != nil, rest.next != nil {
      time = Time(exactly: &rest)
      if time == nil { return nil }
    }
    guard rest.next == nil else { return nil }
    self.init(year: year, month: month, day: day, time: time)
  }

  private init?(beginningWithYear text: String) {
    var rest = Scanner(text)
    rest.skip { $0 == " " }
    guard let year = rest.number(digits: 4) else { return nil }
    let compact = rest.next.map { ("0"..."9").contains($0) } ?? false
    let month = rest.part(after: compact ? nil : "-/.", mayBeShort: !compact)
    let day = month == nil ? nil : rest.part(after: compact ? nil : "-/.", mayBeShort: !compact)
    let time = day == nil ? nil : Time(&rest)
    for parts in [(month, day, time), (month, day, nil), (month, nil, nil), (nil, nil, nil)] {
      if let date = MediaDate(year: year, month: parts.0, day: parts.1, time: parts.2) {
        self = date
        return
      }
    }
    return nil
  }
}

extension MediaDate {
  /// Reads a text that has one year of four digits among other words, or in brackets, or behind a sign such as ℗ or a c.
  private init?(words text: String) {
    let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }.prefix(8).map {
      ["c", "p"].contains($0.first) && $0.utf8.count == 5 ? $0.dropFirst() : $0
    }
    let years = words.filter { $0.utf8.count == 4 }.compactMap { Int($0) }
    // "-1997" is no year of ours.
    guard years.count == 1, let year = years.first, words.count > 1 || !text.hasPrefix("-") else {
      return nil
    }
    let months = words.compactMap(Self.month)
    // "3rd" counts as a number too.
    let numbers = words.filter { $0.utf8.count < 5 && $0.first?.isNumber == true }
      .map { $0.prefix { $0.isNumber } }.filter { $0.utf8.count < 3 }.compactMap { Int($0) }
    let (month, day) =
      months.count == 1
      ? (months[0], numbers.first)
      : words.count == 2 && numbers.count == 1 ? (numbers[0], nil) : Self.order(numbers, text)
    if let date = MediaDate(year: year, month: month, day: day) ?? MediaDate(year: year, month: month) {
      self = date
    } else {
      self.init(year: year)
    }
  }

  /// Takes two numbers as a month and a day; nil for both if either order is possible. The day comes first if there are
  /// dots between the numbers. A number above 12 is the day.
  private static func order(_ numbers: [Int], _ text: String) -> (month: Int?, day: Int?) {
    guard numbers.count == 2, numbers.allSatisfy({ $0 > 0 }) else { return (nil, nil) }
    let (first, second) = (numbers[0], numbers[1])
    if text.contains(".") || first > 12 || first == second { return (second, first) }
    return second > 12 ? (first, second) : (nil, nil)
  }

  private static func month(_ word: Substring) -> Int? {
    let names = [
      "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
      "november", "december",
    ]
    guard word.utf8.count >= 3 else { return nil }
    return names.firstIndex { $0.hasPrefix(word) || word == "sept" && $0 == "september" }.map { $0 + 1 }
  }
}

extension MediaDate.Time {
  /// Reads `T07:08` or `T07:08:09`, followed by `Z` or an offset; fractions of a second are ignored.
  fileprivate init?(_ rest: inout Scanner) {
    guard rest.skip(oneOf: "Tt "), let hour = rest.number(digits: 2), hour < 24, rest.skip(oneOf: ":"),
      let minute = rest.number(digits: 2), minute < 60
    else { return nil }
    var second = 0
    if rest.skip(oneOf: ":") { second = min(rest.number(digits: 2) ?? 0, 59) }
    if rest.skip(oneOf: ".") { rest.skip { ("0"..."9").contains($0) } }
    self.init(second: (hour * 60 + minute) * 60 + second, offset: Self.offset(&rest))
  }

  /// Reads the same, if each part is a number that there is; a zone has a colon.
  fileprivate init?(exactly rest: inout Scanner) {
    guard rest.skip(oneOf: "Tt "), let hour = rest.number(digits: 2), hour < 24, rest.skip(oneOf: ":"),
      let minute = rest.number(digits: 2), minute < 60
    else { return nil }
    var second = 0
    if rest.skip(oneOf: ":") {
      guard let number = rest.number(digits: 2), number < 60 else { return nil }
      second = number
      // Fractions are read over.
      if rest.skip(oneOf: ".") {
        guard rest.next.map({ ("0"..."9").contains($0) }) == true else { return nil }
        rest.skip { ("0"..."9").contains($0) }
      }
    }
    let time = (hour * 60 + minute) * 60 + second
    if rest.skip(oneOf: "Zz") {
      self.init(second: time, offset: 0)
      return
    }
    let isBehind = rest.next == "-"
    guard rest.skip(oneOf: "+-") else {
      self.init(second: time, offset: nil)
      return
    }
    guard let hours = rest.number(digits: 2), hours < 24, rest.skip(oneOf: ":"),
      let minutes = rest.number(digits: 2), minutes < 60
    else { return nil }
    self.init(second: time, offset: (hours * 60 + minutes) * (isBehind ? -1 : 1))
  }

  private static func offset(_ rest: inout Scanner) -> Int? {
    if rest.skip(oneOf: "Zz") { return 0 }
    let isBehind = rest.next == "-"
    guard rest.skip(oneOf: "+-"), let hours = rest.number(digits: 2) else { return nil }
    _ = rest.skip(oneOf: ":")
    let minutes = min(hours, 23) * 60 + min(rest.number(digits: 2) ?? 0, 59)
    return isBehind ? -minutes : minutes
  }
}

/// Reads a text from front to end.
private struct Scanner {
  private var rest: Substring.UnicodeScalarView

  init(_ text: String) { rest = text[...].unicodeScalars }

  var next: Unicode.Scalar? { rest.first }

  mutating func skip(while isSkipped: (Unicode.Scalar) -> Bool) { rest = rest.drop(while: isSkipped) }

  mutating func skip(oneOf characters: String) -> Bool {
    guard let next = rest.first, characters.unicodeScalars.contains(next) else { return false }
    rest.removeFirst()
    return true
  }

  /// Takes exactly this many digits as a number; returns nil and takes nothing if there are fewer.
  mutating func number(digits: Int) -> Int? {
    let taken = rest.prefix(digits)
    guard taken.count == digits, taken.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
    rest = rest[taken.endIndex...]
    return Int(String(taken))
  }

  /// Takes two digits, after one of the characters of `separator` if that is given. Nil for zero, or if something else follows.
  mutating func part(after separator: String?, mayBeShort: Bool = false) -> Int? {
    if let separator, !skip(oneOf: separator) { return nil }
    guard let number = number(digits: 2) ?? (mayBeShort ? number(digits: 1) : nil), number > 0 else {
      return nil
    }
    return number
  }
}

extension BinaryInteger {
  /// The number as text with a zero before a single digit. It must not be negative.
  package var twoDigits: String { self < 10 ? "0\(self)" : "\(self)" }
}

/// Converts points in time to the text form that programs exchange, RFC 3339, and back.
package enum MomentText {
  /// A point in time, given in seconds since 1970, as RFC 3339 text in UTC; nil outside the years 1 to 9999.
  package static func text(_ seconds: Int64) -> String? {
    guard (-62_135_596_800...253_402_300_799).contains(seconds) else { return nil }
    let (days, second) = (floor(seconds, 86_400), seconds - floor(seconds, 86_400) * 86_400)
    let (year, month, day) = date(ofDay: days)
    return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + "T" + padded(second / 3600, 2)
      + ":" + padded(second / 60 % 60, 2) + ":" + padded(second % 60, 2) + "Z"
  }

  /// The point in time that an RFC 3339 text gives, in seconds since 1970; nil if it is no such text, or lacks the day or the time. Without a time zone
  /// it is in UTC.
  package static func seconds(_ text: String) -> Int64? {
    guard let date = MediaDate(text: text), let month = date.month, let day = date.day, let time = date.time
    else { return nil }
    let year = month > 2 ? date.year : date.year - 1
    let ofYear = ((month + 9) % 12 * 153 + 2) / 5 + day - 1
    let days = year * 365 + year / 4 - year / 100 + year / 400 + ofYear - 719_468
    return Int64(days * 86_400 + time.second - (time.offset ?? 0) * 60)
  }

  /// The date of a day counted from 1970-01-01. It computes with years that begin in March, so that a leap day comes last.
  private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719_468
    let era = floor(shifted, 146_097)
    let ofEra = shifted - era * 146_097
    let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let fromMarch = (5 * ofYear + 2) / 153
    let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * fromMarch + 2) / 5 + 1)
  }

  private static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
    number / divisor - (number % divisor < 0 ? 1 : 0)
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
