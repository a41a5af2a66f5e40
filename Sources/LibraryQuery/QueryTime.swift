// SPDX-License-Identifier: MIT
package import MediaModel

/// The moment at which a question is asked, and how far the clocks of the one who asks are ahead of UTC.
package struct QueryTime: Sendable, Hashable {
  /// Seconds since 1970 in UTC.
  package var now: Int64
  /// Seconds ahead of UTC. "Since the 5th of May" begins at midnight of these clocks.
  package var ahead: Int64

  package init(now: Int64, ahead: Int64 = 0) { (self.now, self.ahead) = (now, ahead) }
}

/// From when to when something lasts, in seconds since 1970 in UTC.
package struct TimeSpan: Sendable, Hashable {
  package let begin: Int64
  /// The first second that no longer belongs to it.
  package let end: Int64

  package init(begin: Int64, end: Int64) { (self.begin, self.end) = (begin, end) }

  /// All of a year, a month, a day or a second in UTC.
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
    let second = start + Int64(time.second) - Int64(time.offset) * 60
    self.init(begin: second, end: second + 1)
  }

  /// What an operand means that is compared with a date or, if `isMoment`, with a moment. Dates in tags name no clock, so
  /// only moments are compared by the clocks of the one who asks.
  package init?(_ operand: PropertyTest.Operand, isMoment: Bool, at time: QueryTime) {
    switch operand {
    case .date(let date):
      let span = TimeSpan(date)
      let shift = isMoment && date.time == nil ? time.ahead : 0
      self.init(begin: span.begin - shift, end: span.end - shift)
    case .ago(let seconds): self.init(begin: time.now - seconds, end: time.now - seconds + 1)
    case .number, .text: return nil
    }
  }

  /// Days from 1 January 1970 to this day of the Gregorian calendar. The year is counted from March, so that the leap day
  /// is its last one.
  private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
    let shifted = month > 2 ? year : year - 1
    let monthsFromMarch = (month + 9) % 12
    let dayOfYear = (153 * monthsFromMarch + 2) / 5 + day - 1
    let leapDays = shifted / 4 - shifted / 100 + shifted / 400
    return Int64(shifted * 365 + leapDays + dayOfYear - 719_468)
  }
}
