// SPDX-License-Identifier: MIT
import AgentLoop
package import AudioModel
import Glibc
import Synchronization

/// Decodes tracks on a thread of its own, ahead of the frame that is heard.
///
/// The agent's event loop owns it, gives orders and takes events; neither blocks, however slow the disk is. If the thread hangs while it reads a
/// source and another sound is ordered, a new thread takes over, and the old one ends when its source answers.
package final class SoundProducer {
  private let buffer: Duration
  private let notify: @Sendable () -> Void
  private var worker: ProducerWorker?

  private let patience: Duration
  /// Whether the thread is left asleep, and orders wait until `goOn` wakes it. True from the moment a prepared sound is played until its first frames are
  /// at the server: they are decoded already, and the thread would only take the processor from the loop, which sends them.
  private var isQuiet = false

  /// How much decoded sound a segment, the buffer between the thread and the loop, holds unless the caller says otherwise.
  package static let standardBuffer = Duration.milliseconds(2_500)

  /// A producer whose segments, the buffers of decoded sound, hold as much as `buffer`.
  ///
  /// - Parameters:
  ///   - patience: how long the thread may have been busy with one piece of work before an order to play something else
  ///     gets a new thread instead of waiting.
  ///   - notify: called on any thread when there are events to take; calls are few and may be spurious.
  package init(
    buffer: Duration = SoundProducer.standardBuffer, patience: Duration = .milliseconds(50),
    notify: @escaping @Sendable () -> Void
  ) {
    (self.buffer, self.patience, self.notify) = (buffer, patience, notify)
  }

  deinit { worker?.quit() }

  /// Drops everything and plays `request`. No more events come about the sounds before it.
  package func play(_ request: SoundRequest) {
    isQuiet = false
    freeWorker().order(.play(request), forgettingEvents: true)
  }

  /// Drops everything and plays a prepared sound, whose first frames are in the segment that is returned. The thread is
  /// not woken until `goOn`, so that the processors are free to make these frames heard.
  package func play(_ prepared: PreparedSound, as request: SoundRequest) -> SoundSegment {
    isQuiet = true
    let source = SoundSource(prepared.source, as: request)
    prepared.segment.append(source.part(behind: 0))
    freeWorker().order(.play(request, prepared), forgettingEvents: true, isUrgent: false)
    return prepared.segment
  }

  /// Wakes the thread after `play` of a prepared sound; it then carries out the orders that came since.
  package func goOn() {
    guard isQuiet else { return }
    isQuiet = false
    worker?.wake()
  }

  private func freeWorker() -> ProducerWorker {
    if let worker, worker.isStuck(for: patience) {
      worker.quit()
      self.worker = nil
    }
    let worker = worker ?? ProducerWorker(buffer: buffer, notify: notify)
    self.worker = worker
    return worker
  }

  /// Sets the sound that follows a track, which was ordered by `play` or has been begun since. It follows without a gap if its format is the same.
  /// Nil means that nothing follows. An order about any other track is ignored.
  package func follow(_ play: PlayID, with request: SoundRequest?) {
    worker?.order(.follow(play, with: request), isUrgent: !isQuiet)
  }

  /// Drops all sound and all events that wait, and ends the thread.
  package func stop() {
    worker?.quit()
    worker = nil
    isQuiet = false
  }

  /// Wakes the producer's thread if it waits for room. Call this after the loop has taken frames and left a segment half empty.
  package func resume() { if !isQuiet { worker?.resume() } }

  /// The events since the last call, in order.
  package func takeEvents() -> [ProducerEvent] { worker?.takeEvents() ?? [] }
}

/// What `SoundProducer` tells the event loop of the tracks that it decodes.
package enum ProducerEvent: Sendable {
  /// The decoding of a track began: its first frame is `part.start` of the segment.
  case began(SoundSegment.Part, in: SoundSegment)
  /// The segment has new frames, after it had none or fewer than the loop wanted.
  case more(SoundSegment)
  /// A track could not be opened, or ended without a single frame. Nothing of it is to be heard.
  case failed(play: PlayID, DecodeError)
  /// A track could not be decoded any further. The frames that were made until then are still to be heard; the failure
  /// comes after them.
  case broke(play: PlayID, DecodeError)
  /// A track's last frame was made, and nothing is known to follow it.
  case exhausted(play: PlayID)
  /// The frames of the segment from `at` on must not be heard: they belong to a track that was to follow there and was replaced or had no sound. The
  /// new follower, if there is one, begins in a segment of its own.
  case cut(SoundSegment, at: Int)
}

/// The producer's thread. `run` is what the thread does; all else here may be called from the loop.
///
/// The thread keeps a reference to its worker until it ends. That may be long after nobody else has one.
final class ProducerWorker: Sendable {
  private struct Mailbox {
    var orders: [Production.Order] = []
    var events: [ProducerEvent] = []
    /// Counts the orders that drop everything before them. An event from before the last such order is dropped.
    var generation = 0
    var hasQuit = false
  }

  private let mailbox = Mutex(Mailbox())
  private let buffer: Duration
  private let notify: @Sendable () -> Void
  /// For a new order, and for room after a wait.
  private let wakeup = Wakeup()
  private let isAsleep = Atomic<Bool>(false)
  /// When the present piece of work began, in nanoseconds of the monotonic clock; 0 between pieces.
  private let busySince = Atomic<UInt64>(0)

  init(buffer: Duration, notify: @escaping @Sendable () -> Void) {
    (self.buffer, self.notify) = (buffer, notify)
    WorkerThread.start("decoder") { self.run() }
  }

  // MARK: The loop's side

  /// Gives an order. If it is not urgent, it is carried out only when `wake` is called or another order wakes the thread. `forgettingEvents` drops
  /// the orders and events that wait.
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

  func wake() { wakeup.wake() }

  private static func now() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  // MARK: The thread

  private func run() {
    var generation = 0
    let production = Production(
      buffer: buffer, goesOn: { self.mailbox.withLock { !$0.hasQuit } }, send: { self.send($0, generation) })
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
    // The loop may have made room before it could see the flag, and then it woke nobody. So look once more before sleeping.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    guard work({ production.step() }) == .waiting else { return }
    wakeup.sleep()
  }

  private func send(_ event: ProducerEvent, _ generation: Int) {
    let isWanted = mailbox.withLock { mailbox in
      guard !mailbox.hasQuit, mailbox.generation == generation else { return false }
      mailbox.events.append(event)
      return true
    }
    if isWanted { notify() }
  }
}
