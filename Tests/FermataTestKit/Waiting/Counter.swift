// SPDX-License-Identifier: MIT
import Synchronization

/// Counts how often something was done. Any thread may use it.
package final class Counter: Sendable {
  private let value = Atomic<Int>(0)

  /// One that stands at nothing.
  package init() {}

  /// How often so far.
  package var count: Int { value.load(ordering: .relaxed) }

  /// Counts once more.
  package func increase() { value.add(1, ordering: .relaxed) }
}
