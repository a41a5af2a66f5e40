// SPDX-License-Identifier: MIT

/// Times as people write and read them: `1:02:03.5`, `4:56`, `90`.
package enum ClockText {
  // Nine digits of seconds are 31 years. No music is longer, and more digits could overflow.
  private static let digits = 9

  /// Parses `[H:]MM:SS[.mmm]` or `SECONDS[.mmm]`; nil for any other text, including one with a sign.
  package static func parse(_ text: String) -> Duration? {
    let halves = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fields = halves[0].split(separator: ":", omittingEmptySubsequences: false)
    guard let seconds = wholeSeconds(fields) else { return nil }
    guard halves.count == 2 else { return .seconds(seconds) }
    guard let fraction = number(halves[1]) else { return nil }
    let nanoseconds = (halves[1].count..<digits).reduce(fraction) { value, _ in value * 10 }
    return .seconds(seconds) + .nanoseconds(nanoseconds)
  }

  /// The time as `4:56` or `1:02:03`, rounded down to the second.
  package static func text(_ time: Duration) -> String {
    let total = max(0, time.components.seconds)
    let (minutes, seconds) = (total / 60 % 60, total % 60)
    guard total >= 3600 else { return "\(minutes):\(twoDigits(seconds))" }
    return "\(total / 3600):\(twoDigits(minutes)):\(twoDigits(seconds))"
  }

  private static func wholeSeconds(_ fields: [Substring]) -> Int? {
    guard (1...3).contains(fields.count), let first = number(fields[0]) else { return nil }
    return fields.dropFirst().reduce(first) { total, field in
      guard let total, field.utf8.count == 2, let next = number(field), next < 60 else { return nil }
      // Only the first field may be larger than on a clock: `90:00` is an hour and a half, but `1:90:00` is a
      // mistake.
      return total * 60 + next
    }
  }

  private static func number(_ text: Substring) -> Int? {
    guard (1...digits).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(text)
  }

  private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// The line that shows the position in a track: `1:23 ━━━━━━━━╸───────── 4:56`.
package enum ProgressLine {
  // A shorter bar says less than the numbers beside it.
  private static let shortestBar = 8
  private static let longestBar = 60

  /// The line for a position in a length, at most `width` columns wide. If the length isn't known or there is no room
  /// for a bar, only the times are shown.
  package static func text(position: Duration, length: Duration?, width: Int) -> StyledText {
    let position = max(.zero, position)
    guard let length, length > .zero else { return StyledText(ClockText.text(position)).truncated(to: width) }
    // The position is padded to the width of the length, so that the bar doesn't move while the track plays.
    let right = ClockText.text(length)
    let left = ClockText.text(min(position, length))
    let lead = String(repeating: " ", count: max(0, right.count - left.count)) + left
    let room = min(width - lead.count - right.count - 2, longestBar)
    guard room >= shortestBar else { return StyledText("\(left) / \(right)").truncated(to: width) }
    return StyledText(lead + " ") + bar(fraction(position, of: length), columns: room)
      + StyledText(" " + right)
  }

  /// A bar with this many columns, filled to a fraction between 0 and 1, in steps of half a column.
  package static func bar(_ fraction: Double, columns: Int) -> StyledText {
    let halves = Int((min(max(fraction, 0), 1) * Double(columns * 2)).rounded(.down))
    let filled = String(repeating: "━", count: halves / 2) + (halves % 2 == 1 ? "╸" : "")
    let rest = String(repeating: "─", count: columns - (halves + 1) / 2)
    return StyledText(filled, .bold) + StyledText(rest, .dim)
  }

  private static func fraction(_ position: Duration, of length: Duration) -> Double {
    min(1, position / length)
  }
}
