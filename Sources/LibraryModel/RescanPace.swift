// SPDX-License-Identifier: MIT

/// Decides when folders are scanned again after a change in them.
///
/// An album that is copied or retagged makes hundreds of changes; one scan after the last of them is enough. A program that writes all the time must
/// not cause endless scans, so each scan waits many times as long as the last one took.
package struct RescanPace: Sendable {
  /// A scan begins when nothing has changed for this long.
  static let quiet = Duration.seconds(2)
  /// If changes don't end, a scan begins after this time all the same.
  static let patience = Duration.seconds(30)
  /// The least time between two scans.
  static let least = Duration.seconds(5)
  /// Scans take at most 1/20 of the time.
  static let share = 20

  private var firstChange: Duration?
  private var lastChange = Duration.zero
  private var notBefore = Duration.zero

  package init() {}

  /// When the next scan is due; nil if nothing has changed.
  package var due: Duration? {
    guard let firstChange else { return nil }
    return max(min(lastChange + Self.quiet, firstChange + Self.patience), notBefore)
  }

  /// Call when something in the watched folders has changed.
  package mutating func changed(at now: Duration) {
    firstChange = firstChange ?? now
    lastChange = now
  }

  /// Call when a scan begins; it will find all changes so far.
  package mutating func began() { firstChange = nil }

  /// Call when a scan has ended that took this long.
  package mutating func ended(after time: Duration, at now: Duration) {
    notBefore = now + max(Self.least, time * Self.share)
  }
}
