// SPDX-License-Identifier: MIT

/// Lengths and positions as people read them.
package enum DurationText {
  /// `h:mm:ss`, or `m:ss` below an hour; whole seconds, rounded towards zero.
  package static func clock(_ duration: Duration) -> String {
    let seconds = duration.components.seconds
    let sign = seconds < 0 ? "-" : ""
    let whole = seconds.magnitude
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    if hours == 0 { return "\(sign)\(minutes):\(twoDigits(rest))" }
    return "\(sign)\(hours):\(twoDigits(minutes)):\(twoDigits(rest))"
  }

  static func twoDigits(_ number: some BinaryInteger) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
