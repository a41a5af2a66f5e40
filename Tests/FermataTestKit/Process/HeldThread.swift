// SPDX-License-Identifier: MIT
import CLinux
import Glibc

/// Stops one thread of another process while its other threads continue. To them it looks as if it hangs in a system
/// call.
///
/// The process must be a child of this one. Create, release and drop this object on the same thread. Its end releases
/// the stopped thread.
package final class HeldThread {
  private let thread: Int32
  private var isHeld = true

  /// Stops the first thread with this name. A thread begins with its first job, so this waits for one. Throws if none comes, or if the system doesn't
  /// allow it. Blocks until it has stopped.
  package init(named name: String, of process: Int32) throws {
    let deadline = Deadline.patient
    var found: Int32?
    while found == nil, !deadline.hasPassed {
      found = try Threads.of(process).first { Threads.name(of: $0, process) == name }
    }
    guard let thread = found else { throw KitError("process \(process) has no thread called \(name)") }
    self.thread = thread
    guard clinux_seize_thread(thread) == 0, clinux_interrupt_thread(thread) == 0 else {
      throw KitError("thread \(thread) cannot be held: errno \(errno)")
    }
    var status: Int32 = 0
    while unsafe waitpid(thread, &status, clinux_wait_all) < 0 && errno == EINTR {}
  }

  deinit { release() }

  /// Lets the thread continue where it was stopped.
  package func release() {
    if isHeld { clinux_release_thread(thread) }
    isHeld = false
  }
}
