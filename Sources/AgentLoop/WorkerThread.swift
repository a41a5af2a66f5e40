// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Synchronization

/// Threads beside the loop. What runs on one says itself when it ends; nobody waits for it.
package enum WorkerThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on a new thread. `name` is what the system calls the thread, in 15 letters at most. Any thread may call this.
  package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let named = Body {
      unsafe name.withCString { unsafe clinux_name_thread($0) }
      body()
    }
    var thread = pthread_t()
    let failure = unsafe pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer = unsafe pointer else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(named).toOpaque())
    precondition(failure == 0, "no thread for '\(name)': \(failure)")
    pthread_detach(thread)
  }
}

/// What a thread sleeps on until another thread has something for it. Any thread may wake; however often that happens before the
/// thread sleeps, it wakes once. Whoever wakes puts the work into its place first; whoever slept looks there afterwards.
@safe
package final class Wakeup: @unchecked Sendable {
  // Unchecked: a semaphore is made to be used by several threads. It is allocated, because its address must not change.
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  /// Whether the semaphore is up.
  private let isPosted = Atomic<Bool>(false)

  package init() { unsafe sem_init(semaphore, 0, 0) }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  /// Has the thread go on that sleeps, or that sleeps next.
  package func wake() {
    if !isPosted.exchange(true, ordering: .acquiringAndReleasing) { unsafe sem_post(semaphore) }
  }

  /// Sleeps until somebody wakes.
  package func sleep() {
    while unsafe sem_wait(semaphore) != 0 {}
    // Exchanged, not stored: what was put into its place before a wake that saw `true` is then seen by whoever looks after this.
    _ = isPosted.exchange(false, ordering: .acquiringAndReleasing)
  }
}
