// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Synchronization

/// Starts threads beside the loop. Nobody waits for such a thread: whatever runs on it reports its own end, if that matters.
package enum WorkerThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on a new thread, which the program cannot do without. Traps if the system gives no more threads; otherwise like `begin`.
  package static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    precondition(begin(name, body), "no thread for '\(name)'")
  }

  /// Runs `body` on a new thread. `name` is what the system calls the thread, in 15 letters at most. If it `yields`, it and the programs
  /// that it starts get processor and disk when nobody else wants them. Returns false if the system gives no more threads. Any thread may call this.
  package static func begin(
    _ name: String, yields: Bool = false, _ body: @escaping @Sendable () -> Void
  ) -> Bool {
    let named = Body {
      unsafe name.withCString { unsafe clinux_name_thread($0) }
      if yields { clinux_yield_to_others() }
      body()
    }
    var thread = pthread_t()
    let kept = unsafe Unmanaged.passRetained(named)
    let failure = unsafe pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer = unsafe pointer else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, kept.toOpaque())
    guard failure == 0 else {
      unsafe kept.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}

extension WorkerThread {
  /// Makes the present thread give up the processor to others who want it for a moment. For work that takes long and is not urgent, yet must not wait
  /// until nobody else wants the processor.
  package static func takeLongTurns() { clinux_set_turn(20_000) }
}

/// Lets a thread sleep until another thread has work for it. Any thread may call `wake`; several calls before the thread sleeps
/// count as one. Put the work where the sleeper looks for it, then call `wake`. After `sleep`, look there.
@safe
package final class Wakeup: @unchecked Sendable {
  // Unchecked: a semaphore is made to be used by several threads. It is allocated, because its address must not change.
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  /// Whether the next `sleep` returns at once, because `wake` was called since the last one returned.
  private let isPosted = Atomic<Bool>(false)

  package init() { unsafe sem_init(semaphore, 0, 0) }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  /// Wakes the thread that sleeps. If none does, the next `sleep` returns at once.
  package func wake() {
    if !isPosted.exchange(true, ordering: .acquiringAndReleasing) { unsafe sem_post(semaphore) }
  }

  /// Blocks until `wake` is called. Returns at once if that happened since the last `sleep`.
  package func sleep() {
    while unsafe sem_wait(semaphore) != 0 {}
    // An exchange, and not a store. If a `wake` found `true` here, the work that was put down before it is then visible to
    // whoever looks after this.
    _ = isPosted.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// Blocks until `wake` is called, but no longer than this. Returns whether it was called. For a signal that comes once: a late `wake`
  /// may be noticed by the next `sleep`.
  package func wait(atMost time: Duration) -> Bool {
    var end = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &end)
    let (seconds, attoseconds) = time.components
    end.tv_sec += Int(seconds)
    end.tv_nsec += Int(attoseconds / 1_000_000_000)
    if end.tv_nsec >= 1_000_000_000 {
      (end.tv_sec, end.tv_nsec) = (end.tv_sec + 1, end.tv_nsec - 1_000_000_000)
    }
    while unsafe sem_clockwait(semaphore, CLOCK_MONOTONIC, &end) != 0 {
      if errno == ETIMEDOUT { return false }
    }
    _ = isPosted.exchange(false, ordering: .acquiringAndReleasing)
    return true
  }
}
