// SPDX-License-Identifier: MIT

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
