// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Synchronization

/// A thread that runs the jobs that it is given, in order. It lasts as long as the process. Any thread may add jobs.
final class TestThread: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  /// Counts the waiting jobs. Only the thread itself reads it.
  private let bell: FileDescriptor

  init() {
    do {
      bell = try FileDescriptor(eventfd(0, Int32(EFD_CLOEXEC | EFD_SEMAPHORE)), "eventfd")
    } catch {
      preconditionFailure("no thread for tests: \(error)")
    }
    var thread = pthread_t()
    let box = unsafe Unmanaged.passRetained(self).toOpaque()
    // The thread never ends, so it never releases this reference.
    let failure = unsafe pthread_create(
      &thread, nil,
      { box in
        if let box = unsafe box { unsafe Unmanaged<TestThread>.fromOpaque(box).takeUnretainedValue().run() }
        return nil
      }, box)
    precondition(failure == 0, "no thread for tests: \(failure)")
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    precondition(eventfd_write(bell.number, 1) == 0, "cannot wake the thread for tests")
  }

  private func run() -> Never {
    unsafe "test-recording".withCString { unsafe clinux_name_thread($0) }
    while true {
      var count: eventfd_t = 0
      guard unsafe eventfd_read(bell.number, &count) == 0 else { continue }
      let job = jobs.withLock { $0.removeFirst() }
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
