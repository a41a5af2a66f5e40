// SPDX-License-Identifier: MIT
import Glibc

/// A thread beside the test's. Whoever makes it waits for its end with `join`.
@safe
package final class OtherThread {
  private var thread = pthread_t()

  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `run` on a new thread.
  package init(_ run: @escaping @Sendable () -> Void) {
    let body = unsafe Unmanaged.passRetained(Body(run)).toOpaque()
    let failure = unsafe pthread_create(
      &thread, nil,
      { body in
        if let body = unsafe body { unsafe Unmanaged<Body>.fromOpaque(body).takeRetainedValue().run() }
        return nil
      }, body)
    precondition(failure == 0, "no thread for a test: \(failure)")
  }

  /// Waits until it has ended.
  package func join() { pthread_join(thread, nil) }
}
