// SPDX-License-Identifier: MIT

/// A time on the monotonic clock by which something must have happened.
package struct Deadline: Sendable {
  /// The time on the monotonic clock.
  package let time: Duration

  /// The deadline this long from now.
  package static func after(_ span: Duration) -> Deadline { Deadline(time: Monotonic.now + span) }

  /// The usual deadline: `patience` from now.
  package static var patient: Deadline { .after(.patience) }

  /// The time that is left, never negative.
  package var remaining: Duration { max(.zero, time - Monotonic.now) }
  /// Whether it has passed.
  package var hasPassed: Bool { remaining == .zero }
  /// The time that is left in whole milliseconds for poll(2), rounded up so that a wait never ends early, and at most
  /// an hour.
  package var milliseconds: Int32 { Int32(min((remaining.nanoseconds + 999_999) / 1_000_000, 3_600_000)) }
}

extension Duration {
  /// How long a test waits for something that has to happen. Only a fault makes it wait that long, so the time is
  /// enough for a very busy machine. The time limits of suites are longer, so that the error of the wait comes first.
  package static var patience: Duration { .seconds(120) }

  /// The duration in nanoseconds.
  var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
  /// The duration in microseconds, libpulse's unit.
  var microseconds: UInt64 { UInt64(nanoseconds / 1000) }
}
