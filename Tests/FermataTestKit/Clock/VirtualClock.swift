// SPDX-License-Identifier: MIT

/// A clock that only moves when a test advances it. It belongs to the test that made it and to one thread.
package final class VirtualClock {
  /// Identifies a scheduled action, so that it can be cancelled.
  package struct Token: Hashable {
    fileprivate let number: Int
  }

  private struct Alarm {
    var time: Duration
    var token: Token
    var action: () -> Void
  }

  /// The current time; zero at first unless another start is given.
  package private(set) var now: Duration
  private var alarms: [Alarm] = []  // by time, then in the order in which they were made
  private var made = 0

  /// A clock that starts at this time.
  package init(at start: Duration = .zero) { now = start }

  /// The number of actions that are scheduled.
  package var pending: Int { alarms.count }

  /// Schedules an action to run once, this long from now.
  @discardableResult
  package func schedule(after span: Duration, _ action: @escaping () -> Void) -> Token {
    made += 1
    let alarm = Alarm(time: now + max(.zero, span), token: Token(number: made), action: action)
    alarms.insert(alarm, at: alarms.firstIndex { $0.time > alarm.time } ?? alarms.endIndex)
    return alarm.token
  }

  /// Cancels an action. Does nothing if it has already run.
  package func cancel(_ token: Token) { alarms.removeAll { $0.token == token } }

  /// Advances the time. The actions that are due run in order, each at its own time. An action that is scheduled
  /// meanwhile runs too if it is due by the end.
  package func advance(by span: Duration) {
    precondition(span >= .zero, "time does not go back")
    let end = now + span
    while let next = alarms.first, next.time <= end {
      alarms.removeFirst()
      now = next.time
      next.action()
    }
    now = end
  }
}
