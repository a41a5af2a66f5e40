// SPDX-License-Identifier: MIT

/// How long to wait before the next try of something that keeps failing: each time twice as long, up to a limit.
package struct Backoff: Sendable, Equatable {
  /// The first wait.
  package let first: Duration
  /// The longest wait.
  package let limit: Duration
  private var upcoming: Duration

  /// Waits of `first`, twice `first` and so on, none longer than `limit`.
  package init(first: Duration = .milliseconds(50), limit: Duration = .seconds(5)) {
    precondition(first > .zero && first <= limit, "a backoff from \(first) to \(limit)")
    self.first = first
    self.limit = limit
    upcoming = first
  }

  /// The wait before the next try.
  package mutating func next() -> Duration {
    defer { upcoming = min(upcoming * 2, limit) }
    return upcoming
  }

  /// Starts again with the first wait. Call it when a try succeeded.
  package mutating func reset() { upcoming = first }
}
