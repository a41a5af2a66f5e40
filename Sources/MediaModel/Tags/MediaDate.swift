// SPDX-License-Identifier: MIT

/// A date as precise as a tag has it: a year, a month, a day or a moment.
package struct MediaDate: Sendable, Hashable {
  /// A time of day and how far its zone is ahead of UTC.
  package struct Time: Sendable, Hashable {
    /// Seconds since midnight, 0 to 86,399.
    package let second: Int
    /// Minutes ahead of UTC; 0 where the tag names no zone.
    package let offset: Int
  }

  /// 1 to 9999.
  package let year: Int
  /// 1 to 12, where known.
  package let month: Int?
  /// 1 to the month's last, where the month is known too.
  package let day: Int?
  /// Where the day is known too.
  package let time: Time?

  /// A date. Nil if no calendar has it, or if a part is given without the larger one, such as a day without a month.
  package init?(year: Int, month: Int? = nil, day: Int? = nil, time: Time? = nil) {
    guard (1...9999).contains(year), (1...12).contains(month ?? 1), month != nil || day == nil,
      day != nil || time == nil
    else { return nil }
    if let month, let day, !(1...Self.days(in: month, of: year)).contains(day) { return nil }
    self.year = year
    self.month = month
    self.day = day
    self.time = time
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

extension MediaDate: Comparable {
  /// Whether one date is before another; of two that may be the same, the less precise comes first.
  package static func < (first: MediaDate, second: MediaDate) -> Bool { first.key < second.key }

  private var key: (Int, Int, Int) {
    let precision = (month == nil ? 0 : 1) + (day == nil ? 0 : 1) + (time == nil ? 0 : 1)
    guard let time else { return (dayNumber * 86_400, precision, 0) }
    return (dayNumber * 86_400 + time.second - time.offset * 60, precision, time.offset)
  }

  /// Days since a fixed day long ago. Years are counted from March, so that the leap day comes last.
  private var dayNumber: Int {
    let month = month ?? 1
    let years = month > 2 ? year : year - 1
    let months = (month + 9) % 12
    return years * 365 + years / 4 - years / 100 + years / 400 + (months * 153 + 2) / 5 + (day ?? 1)
  }
}

extension MediaDate: CustomStringConvertible {
  /// `1997`, `1997-05`, `1997-05-20` or RFC 3339 to the second.
  package var description: String {
    let digits = String(year)
    var text = String(repeating: "0", count: 4 - digits.count) + digits
    for part in [month, day] {
      if let part { text += "-" + DurationText.twoDigits(part) }
    }
    guard let time else { return text }
    let (hour, minute, second) = (time.second / 3600, time.second / 60 % 60, time.second % 60)
    return text + "T" + [hour, minute, second].map(DurationText.twoDigits).joined(separator: ":") + time.zone
  }
}

extension MediaDate.Time {
  fileprivate var zone: String {
    if offset == 0 { return "Z" }
    let minutes = abs(offset)
    return (offset < 0 ? "-" : "+") + DurationText.twoDigits(minutes / 60) + ":"
      + DurationText.twoDigits(minutes % 60)
  }
}
