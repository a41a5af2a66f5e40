// SPDX-License-Identifier: MIT

/// The orderly end of a program: what was started is stopped in the opposite order, within a deadline.
///
/// Each part adds its own end when it starts, so whatever it was built on ends after it. A part that is added while the
/// shutdown is under way is the next to be stopped: it began to start before the shutdown did.
@AgentLoop
package final class Shutdown {
  private struct Stage {
    let name: String
    let end: @AgentLoop () async -> Void
  }

  private let deadline: Duration
  private let overdue: @AgentLoop (String) -> Void
  private var stages: [Stage] = []
  private var current = ""

  /// Whether the end has begun. Nothing new should be started then.
  package var hasBegun: Bool { beginning != nil }

  /// When the end began; nil before.
  private var beginning: Duration?
  /// A call that comes later than this after the first is taken for a person's impatience.
  private static let onceMore = Duration.milliseconds(500)

  /// The exit code that replaces the one given to `begin`, if a part did not end well.
  package var failure: Int32?

  /// A shutdown that takes no longer than `deadline`. If a part hangs longer, `overdue` is called with its name, and the loop stops
  /// without it.
  package init(deadline: Duration = .seconds(5), overdue: @escaping @AgentLoop (String) -> Void) {
    self.deadline = deadline
    self.overdue = overdue
  }

  /// Adds an end to be called at the shutdown, before those that were added earlier. It should return soon; it is not cancelled.
  package func add(_ name: String, _ end: @escaping @AgentLoop () async -> Void) {
    stages.append(Stage(name: name, end: end))
  }

  /// Begins the shutdown; when it is done, `AgentLoop.run` returns `code`. A later call ends the loop at once, because a person who
  /// asks again does not want to wait. Calls right after the first say the same again: the end of a session may send two signals.
  package func begin(_ code: Int32) {
    if let beginning {
      if AgentLoop.now - beginning >= Self.onceMore { AgentLoop.stop(failure ?? code) }
      return
    }
    beginning = AgentLoop.now
    let limit = AgentLoop.after(deadline) { [self] in
      overdue(current)
      AgentLoop.stop(failure ?? code)
    }
    AgentLoop.task { [self] in
      await endStages()
      limit.cancel()
      AgentLoop.stop(failure ?? code)
    }
  }

  private func endStages() async {
    while let stage = stages.popLast() {
      current = stage.name
      await stage.end()
    }
  }
}

/// Says how long to wait before something that has failed is tried again. Each wait is twice as long as the one before, up to a limit;
/// after a success they begin anew.
package struct Backoff: Sendable, Equatable {
  private let first: Duration
  private let limit: Duration
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
