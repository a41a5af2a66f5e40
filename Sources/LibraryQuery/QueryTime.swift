// SPDX-License-Identifier: MIT
package import MediaModel

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
