// SPDX-License-Identifier: MIT

/// Numbers of seconds as playlists write them: with a point and as many decimals as needed.
enum Decimals {
  /// A number of milliseconds, written in seconds.
  static func text(milliseconds: Int) -> String {
    let rest = milliseconds % 1_000
    if rest == 0 { return String(milliseconds / 1_000) }
    let digits = String(rest)
    return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - digits.count) + digits
  }

  /// Parses a plain number; nil for anything else, for infinities, and for more than 1e9, which no sound lasts.
  static func number(_ text: some StringProtocol) -> Double? {
    guard text.utf8.allSatisfy({ "+-.0123456789".utf8.contains($0) }), let value = Double(String(text)),
      abs(value) <= 1e9
    else { return nil }
    return value
  }

  /// A number of seconds as a duration, to the millisecond; nil if negative, which in playlists means "not known".
  static func duration(seconds: Double) -> Duration? {
    seconds < 0 ? nil : .milliseconds(Int((seconds * 1_000).rounded()))
  }

  /// The duration in milliseconds, rounded to the nearest.
  static func milliseconds(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    return Int(seconds) * 1_000 + Int((attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000)
  }
}
