// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// This process: what it was started with, and how it is set up.
package enum Process {
  /// The value of an environment variable; nil if it is not set. Bytes that are no text are replaced.
  package static func environment(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// The value of an environment variable as bytes, for paths that may not be valid text; nil if it is not set.
  package static func environmentBytes(_ name: String) -> [UInt8]? {
    unsafe getenv(name).map { unsafe Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
  }

  /// Prepares memory and signals for a process that runs for long. Call this before the second thread begins.
  package static func prepareForService() {
    // By itself the C library gives each thread a heap of its own, which keeps what that thread once needed. That is of no use to a few
    // threads that seldom ask for memory at the same time.
    mallopt(M_ARENA_MAX, 1)
    // A write beyond the limit on file sizes has to fail with an error, like a full disk. By default the signal would end the process.
    signal(SIGXFSZ, SIG_IGN)
    // Who asks something is answered at once. All threads have such turns but those that set longer ones.
    clinux_set_turn(100)
  }

  /// Gives freed memory back to the system. Takes some milliseconds: for the end of long work, and not on the loop. Safe on any thread.
  package static func returnMemory() { malloc_trim(0) }
}
