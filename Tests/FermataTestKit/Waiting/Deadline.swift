// SPDX-License-Identifier: MIT

/// A moment of the monotonic clock by which something has to have happened.
package struct Deadline: Sendable {
  /// The moment, as the clock counts.
  package let time: Duration

  /// The moment this long from now.
  package static func after(_ span: Duration) -> Deadline { Deadline(time: Monotonic.now + span) }

  /// By when what has to come must have come.
  package static var patient: Deadline { .after(.patience) }

  /// What is left until then, never negative.
  package var remaining: Duration { max(.zero, time - Monotonic.now) }
  /// Whether it is past.
  package var hasPassed: Bool { remaining == .zero }
  /// What is left for poll(2): whole milliseconds, rounded up so that a wait never ends early.
  package var milliseconds: Int32 { Int32(min((remaining.nanoseconds + 999_999) / 1_000_000, 3_600_000)) }
}

extension Duration {
  /// For how long a test waits for what has to come. Only a fault waits so long, so it is made for a machine that is very busy: the
  /// time limits of suites are longer, so that the wait's own error is the first.
  package static var patience: Duration { .seconds(120) }

  /// The whole span in nanoseconds.
  var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
  /// The whole span in microseconds, libpulse's unit.
  var microseconds: UInt64 { UInt64(nanoseconds / 1000) }
}
