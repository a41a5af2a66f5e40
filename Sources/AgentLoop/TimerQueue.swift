// SPDX-License-Identifier: MIT
import CPulse

/// The loop's timers, soonest first. There are few at any time, so a sorted array beats a heap.
///
/// A value: it calls nothing by itself. Timers that are due at the same instant fire in the order in which they were added.
struct TimerQueue {
  struct ID: Hashable, Sendable { let number: UInt64 }

  private struct Item {
    let due: Duration
    let id: ID
    let fire: () -> Void
  }

  private var items: [Item] = []
  private var lastNumber: UInt64 = 0

  var isEmpty: Bool { items.isEmpty }

  static func now() -> Duration { .microseconds(pa_rtclock_now()) }

  mutating func add(due: Duration, _ fire: @escaping () -> Void) -> ID {
    lastNumber += 1
    let item = Item(due: due, id: ID(number: lastNumber), fire: fire)
    items.insert(item, at: items.firstIndex { $0.due > due } ?? items.endIndex)
    return item.id
  }

  mutating func cancel(_ id: ID) {
    if let index = items.firstIndex(where: { $0.id == id }) { items.remove(at: index) }
  }

  mutating func popDue(at now: Duration) -> (() -> Void)? {
    guard let first = items.first, first.due <= now else { return nil }
    return items.removeFirst().fire
  }

  /// The timeout for the poll, in microseconds; −1 waits for ever. It is rounded up: waking too early would cost one more wake-up.
  func pollTimeout(at now: Duration) -> Int32 {
    guard let first = items.first else { return -1 }
    let wait = max(.zero, first.due - now)
    let (seconds, attoseconds) = wait.components
    let microseconds = seconds.multipliedReportingOverflow(by: 1_000_000)
    guard !microseconds.overflow, microseconds.partialValue < Int64(Int32.max) - 1_000_000 else {
      return Int32.max
    }
    return Int32(microseconds.partialValue + (attoseconds + 999_999_999_999) / 1_000_000_000_000)
  }
}
