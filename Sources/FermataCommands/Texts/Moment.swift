// SPDX-License-Identifier: MIT
import Glibc

/// A moment in real (wall-clock) time.
struct Moment {
  private let time: timespec

  static var now: Moment {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Moment(time: time)
  }

  private init(time: timespec) { self.time = time }

  /// The moment so many milliseconds after the beginning of 1970 (UTC).
  init(milliseconds: Int) {
    time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
  }

  /// The time from another moment to this one; negative if the other is later.
  func time(since other: Moment) -> Duration {
    .seconds(time.tv_sec - other.time.tv_sec) + .nanoseconds(time.tv_nsec - other.time.tv_nsec)
  }

  /// The moment in the form of RFC 3339, in UTC, to the millisecond.
  var text: String {
    var (fields, seconds) = (tm(), time.tv_sec)
    gmtime_r(&seconds, &fields)
    return Self.date(fields) + "T" + Self.clock(fields) + "."
      + Self.digits(time.tv_nsec / 1_000_000, 3) + "Z"
  }

  /// The local time of day, in the form `hh:mm:ss`.
  var clock: String {
    var (fields, seconds) = (tm(), time.tv_sec)
    localtime_r(&seconds, &fields)
    return Self.clock(fields)
  }

  /// The local date, in the form `2024-05-20`.
  var day: String {
    var (fields, seconds) = (tm(), time.tv_sec)
    localtime_r(&seconds, &fields)
    return Self.date(fields)
  }

  private static func date(_ fields: tm) -> String {
    [
      digits(Int(fields.tm_year) + 1900, 4), digits(Int(fields.tm_mon) + 1), digits(Int(fields.tm_mday)),
    ].joined(separator: "-")
  }

  private static func clock(_ fields: tm) -> String {
    [fields.tm_hour, fields.tm_min, fields.tm_sec].map { digits(Int($0)) }.joined(separator: ":")
  }

  private static func digits(_ number: Int, _ count: Int = 2) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
}
