// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// The clock that the kit, libpulse and recorders use.
package enum Monotonic {
  /// The current time of CLOCK_MONOTONIC, whose zero is some moment before the test.
  package static var now: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// How long a body takes.
  package static func time(_ body: () throws -> Void) rethrows -> Duration {
    let start = now
    try body()
    return now - start
  }
}
