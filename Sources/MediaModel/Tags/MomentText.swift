// SPDX-License-Identifier: MIT

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
