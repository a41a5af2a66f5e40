// SPDX-License-Identifier: MIT
import Glibc

/// A moment of the world's clock.
struct Moment {
  private let time: timespec

  /// This one.
  static var now: Moment {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Moment(time: time)
  }

  private init(time: timespec) { self.time = time }

  /// So many milliseconds after the beginning of 1970.
  init(milliseconds: Int) {
    time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
  }

  /// How much later than another one it is.
  func time(since other: Moment) -> Duration {
    .seconds(time.tv_sec - other.time.tv_sec) + .nanoseconds(time.tv_nsec - other.time.tv_nsec)
  }

  /// As RFC 3339 has it, in UTC, to the millisecond.
  var text: String {
    var (fields, seconds) = (tm(), time.tv_sec)
    gmtime_r(&seconds, &fields)
    return Self.date(fields) + "T" + Self.clock(fields) + "."
      + Self.digits(time.tv_nsec / 1_000_000, 3) + "Z"
  }

  /// As a clock on the wall shows it.
  var clock: String {
    var (fields, seconds) = (tm(), time.tv_sec)
    localtime_r(&seconds, &fields)
    return Self.clock(fields)
  }

  /// The day as a calendar on the wall shows it.
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
