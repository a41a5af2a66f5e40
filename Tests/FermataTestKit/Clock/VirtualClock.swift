// SPDX-License-Identifier: MIT

/// Time that stands still until a test moves it on. Belongs to the test that made it, on one thread.
package final class VirtualClock {
  /// Names something that is to happen, to cancel it.
  package struct Token: Hashable {
    fileprivate let number: Int
  }

  private struct Alarm {
    var time: Duration
    var token: Token
    var action: () -> Void
  }

  /// The time now. Zero at first.
  package private(set) var now: Duration
  private var alarms: [Alarm] = []  // by time, then in the order in which they were made
  private var made = 0

  /// A clock that shows this time.
  package init(at start: Duration = .zero) { now = start }

  /// How many things are still to happen.
  package var pending: Int { alarms.count }

  /// Has something happen once, this long from now.
  @discardableResult
  package func schedule(after span: Duration, _ action: @escaping () -> Void) -> Token {
    made += 1
    let alarm = Alarm(time: now + max(.zero, span), token: Token(number: made), action: action)
    alarms.insert(alarm, at: alarms.firstIndex { $0.time > alarm.time } ?? alarms.endIndex)
    return alarm.token
  }

  /// Has it not happen. Does nothing when it already has.
  package func cancel(_ token: Token) { alarms.removeAll { $0.token == token } }

  /// Moves time on. What is due happens in order, each at its own time; what is scheduled meanwhile happens too
  /// when it is due by then.
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
