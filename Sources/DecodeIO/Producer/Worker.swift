// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Synchronization

/// The producer's thread. Everything here may be called from the loop; `run` is the thread itself.
///
/// The thread holds a reference to its worker and lets go of it when it ends, which may be long after everybody else did.
final class Worker: Sendable {
  private struct Mailbox {
    var orders: [Production.Order] = []
    var events: [ProducerEvent] = []
    /// Counts the orders that drop everything before them. An event that belongs to an older count is dropped.
    var generation = 0
    var hasQuit = false
  }

  private let mailbox = Mutex(Mailbox())
  private let buffer: Duration
  private let notify: @Sendable () -> Void
  /// An eventfd that is readable when there is an order, or when there is room again after a wait.
  private let signal: Int32
  private let isAsleep = Atomic<Bool>(false)
  /// When the present piece of work began, in nanoseconds of the monotonic clock; 0 between pieces.
  private let busySince = Atomic<UInt64>(0)

  init(buffer: Duration, notify: @escaping @Sendable () -> Void) {
    self.buffer = buffer
    self.notify = notify
    signal = eventfd(0, Int32(EFD_CLOEXEC))
    precondition(signal >= 0, "no descriptor for the producer: errno \(errno)")
    start()
  }

  deinit { close(signal) }

  private func start() {
    var thread = pthread_t()
    let failure = unsafe pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer = unsafe pointer else { return nil }
        unsafe Unmanaged<Worker>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    precondition(failure == 0, "no thread for the producer: \(failure)")
    pthread_detach(thread)
  }

  // MARK: The loop's side

  /// Gives an order. One that is not urgent waits until the thread is woken, by `wake` or for another reason.
  func order(_ order: Production.Order, forgettingEvents: Bool = false, isUrgent: Bool = true) {
    mailbox.withLock { mailbox in
      if forgettingEvents {
        mailbox.orders.removeAll()
        mailbox.events.removeAll()
        mailbox.generation += 1
      }
      mailbox.orders.append(order)
    }
    if isUrgent { wake() }
  }

  func quit() {
    mailbox.withLock { mailbox in
      mailbox.hasQuit = true
      mailbox.events.removeAll()
    }
    wake()
  }

  func takeEvents() -> [ProducerEvent] {
    mailbox.withLock { mailbox in
      defer { mailbox.events.removeAll() }
      return mailbox.events
    }
  }

  /// Wakes the thread if it sleeps for lack of room; costs nothing otherwise.
  func resume() {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if isAsleep.load(ordering: .relaxed) { wake() }
  }

  func isStuck(for patience: Duration) -> Bool {
    let since = busySince.load(ordering: .relaxed)
    return since != 0 && .nanoseconds(Self.now() - since) > patience
  }

  func wake() {
    var one: UInt64 = 1
    // Fails only when the counter is full, and then the thread is awake.
    _ = unsafe write(signal, &one, MemoryLayout<UInt64>.size)
  }

  private static func now() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  // MARK: The thread

  private func run() {
    unsafe clinux_name_thread("decoder")
    var generation = 0
    let production = Production(buffer: buffer) { event in self.tell(event, generation) }
    while true {
      let (orders, hasQuit) = mailbox.withLock { mailbox in
        defer { mailbox.orders.removeAll(keepingCapacity: true) }
        generation = mailbox.generation
        return (mailbox.orders, mailbox.hasQuit)
      }
      if hasQuit { return }
      for order in orders { work { production.apply(order) } }
      if work({ production.step() }) == .waiting { sleepUntilWoken(production) }
    }
  }

  private func work<Result>(_ body: () -> Result) -> Result {
    busySince.store(Self.now(), ordering: .relaxed)
    defer { busySince.store(0, ordering: .relaxed) }
    return body()
  }

  private func sleepUntilWoken(_ production: Production) {
    isAsleep.store(true, ordering: .relaxed)
    defer { isAsleep.store(false, ordering: .relaxed) }
    // If the loop made room before it could see the flag, it woke nobody. So look again before going to sleep.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    guard work({ production.step() }) == .waiting else { return }
    var count: UInt64 = 0
    _ = unsafe read(signal, &count, MemoryLayout<UInt64>.size)
  }

  private func tell(_ event: ProducerEvent, _ generation: Int) {
    let isWanted = mailbox.withLock { mailbox in
      guard !mailbox.hasQuit, mailbox.generation == generation else { return false }
      mailbox.events.append(event)
      return true
    }
    if isWanted { notify() }
  }
}
