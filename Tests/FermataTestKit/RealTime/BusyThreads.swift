// SPDX-License-Identifier: MIT
import Glibc

/// The threads of this process on which the tests run that record nothing.
enum BusyThreads {
  /// Lets these threads, and the programs that they start from now on, wait for suites that record sound and for the servers of those. Root's servers
  /// have a priority that makes this needless; a user's PipeWire has none, and beside tests that compute it runs dry.
  ///
  /// They are the threads without a name of their own, which all have the program's. A thread cannot go back to what it was.
  static func giveWay() {
    let process = getpid()
    guard let own = Threads.name(of: process, process), let threads = try? Threads.of(process) else { return }
    for thread in threads where thread != process && Threads.name(of: thread, process) == own {
      setpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(thread), 10)
    }
  }
}
