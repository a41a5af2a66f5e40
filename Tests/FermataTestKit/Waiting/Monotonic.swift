// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// The clock that the kit, libpulse and recorders count by.
package enum Monotonic {
  /// The time since some moment before the test, by CLOCK_MONOTONIC.
  package static var now: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
