// SPDX-License-Identifier: MIT
import MediaModel

/// Converts times into the forms that messages use, and back.
enum WireTime {
  /// Whole microseconds, rounded towards zero. A time that does not fit becomes the largest or smallest number.
  static func microseconds(_ time: Duration) -> Int64 {
    let (seconds, attoseconds) = time.components
    let (whole, isTooMuch) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, overflows) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
    return isTooMuch || overflows ? (seconds < 0 ? .min : .max) : sum
  }

  /// Seconds as a number, for our own interfaces and the command line's JSON.
  static func seconds(_ time: Duration) -> Double {
    let (seconds, attoseconds) = time.components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  /// A time of this many seconds; nil if it is not a number, or longer than any track (10⁹ seconds).
  static func duration(seconds: Double) -> Duration? {
    seconds.magnitude <= 1e9 ? .microseconds(Int64((seconds * 1_000_000).rounded())) : nil
  }

  /// A point in time, given in seconds since 1970, as RFC 3339 text in UTC; nil outside the years 1 to 9999.
  static func moment(_ seconds: Int64) -> String? { MomentText.text(seconds) }

  /// The point in time that an RFC 3339 text gives, in seconds since 1970; nil if it is no such text, or lacks the day or the time.
  static func seconds(ofMoment text: String) -> Int64? { MomentText.seconds(text) }
}
