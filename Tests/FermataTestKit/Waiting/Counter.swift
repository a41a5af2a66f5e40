// SPDX-License-Identifier: MIT
import Synchronization

/// A counter. Any thread may use it.
package final class Counter: Sendable {
  private let value = Atomic<Int>(0)

  /// A counter that starts at zero.
  package init() {}

  /// The current count.
  package var count: Int { value.load(ordering: .relaxed) }

  /// Adds one.
  package func increase() { value.add(1, ordering: .relaxed) }
}
