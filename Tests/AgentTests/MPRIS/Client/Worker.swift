// SPDX-License-Identifier: MIT
import Glibc
import Synchronization

/// A thread that does one thing while a test does another.
final class Worker: Sendable {
  private let body: @Sendable () -> Void
  private let done = Mutex(false)

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { pointer in
        if let pointer { Unmanaged<Worker>.fromOpaque(pointer).takeRetainedValue().run() }
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    precondition(failure == 0, "no thread: \(failure)")
    pthread_detach(thread)
  }

  var isDone: Bool { done.withLock { $0 } }

  private func run() {
    body()
    done.withLock { $0 = true }
  }
}
