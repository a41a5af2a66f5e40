// SPDX-License-Identifier: MIT

/// Decides when folders are looked through again after something in them has changed.
///
/// An album that is copied or retagged makes hundreds of changes; they are worth one scan, when they are over. A program that writes
/// without end must not make scans without end: each waits many times as long as the last one took.
package struct RescanPace: Sendable {
  /// So long nothing may change before a scan begins.
  static let quiet = Duration.seconds(2)
  /// If changes don't end, a scan begins after this time all the same.
  static let patience = Duration.seconds(30)
  /// The least time between two scans.
  static let least = Duration.seconds(5)
  /// Scans take at most one part in so many of the time.
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

  /// Something has changed.
  package mutating func changed(at now: Duration) {
    firstChange = firstChange ?? now
    lastChange = now
  }

  /// A scan begins, which will find what has changed so far.
  package mutating func began() { firstChange = nil }

  /// A scan has ended that took so long.
  package mutating func ended(after time: Duration, at now: Duration) {
    notBefore = now + max(Self.least, time * Self.share)
  }
}
