// SPDX-License-Identifier: MIT
import AgentLoop

/// A position in a track that moves by itself while the track plays, so that the player need not be asked again and again.
struct Place: Sendable, Hashable {
  /// The position at `moment`.
  private var start: Duration
  private var moment: Duration
  private(set) var isMoving: Bool
  private var end: Duration?

  static var now: Duration { AgentLoop.now }

  init(_ position: Duration, at moment: Duration, isMoving: Bool, end: Duration?) {
    (start, self.isMoving, self.end) = (position, isMoving, end)
    // Two places that stand still at one position are equal, whenever they were made.
    self.moment = isMoving ? moment : .zero
  }

  func position(at now: Duration) -> Duration {
    let position = isMoving ? start + max(.zero, now - moment) : start
    return end.map { min($0, position) } ?? position
  }

  /// The same place, moving or standing still from now on.
  func moving(_ isMoving: Bool, at now: Duration) -> Place {
    Place(position(at: now), at: now, isMoving: isMoving, end: end)
  }

  /// Another position in the same track.
  func moved(to position: Duration, at now: Duration) -> Place {
    Place(position, at: now, isMoving: isMoving, end: end)
  }

  /// The same place in a track whose length has become known.
  func ending(at end: Duration?) -> Place { Place(start, at: moment, isMoving: isMoving, end: end) }
}
