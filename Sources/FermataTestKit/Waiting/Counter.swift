// SPDX-License-Identifier: MIT
import Synchronization

/// Counts how often something was done. Any thread may use it.
public final class Counter: Sendable {
  private let value = Atomic<Int>(0)

  /// One that stands at nothing.
  public init() {}

  /// How often so far.
  public var count: Int { value.load(ordering: .relaxed) }

  /// Counts once more.
  public func increase() { value.add(1, ordering: .relaxed) }
}
