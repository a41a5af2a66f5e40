// SPDX-License-Identifier: MIT

/// Seconds as playlists write them, with a point and as many decimals as needed.
enum Decimals {
  /// The text of a number of milliseconds in seconds.
  static func text(milliseconds: Int) -> String {
    let rest = milliseconds % 1_000
    if rest == 0 { return String(milliseconds / 1_000) }
    let digits = String(rest)
    return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - digits.count) + digits
  }

  /// A plain number; nil for what is none, for infinities and for what no sound lasts.
  static func number(_ text: some StringProtocol) -> Double? {
    guard text.utf8.allSatisfy({ "+-.0123456789".utf8.contains($0) }), let value = Double(String(text)),
      abs(value) <= 1e9
    else { return nil }
    return value
  }

  /// So many seconds, to the millisecond; nil below zero, which playlists write for "not known".
  static func duration(seconds: Double) -> Duration? {
    seconds < 0 ? nil : .milliseconds(Int((seconds * 1_000).rounded()))
  }

  /// Whole milliseconds, rounded to the nearest.
  static func milliseconds(_ duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    return Int(seconds) * 1_000 + Int((attoseconds + 500_000_000_000_000) / 1_000_000_000_000_000)
  }
}
