// SPDX-License-Identifier: MIT
import CLinux
import Glibc
import Synchronization

/// Decodes on a thread of its own, ahead of what is heard.
///
/// Owned by the loop, which gives orders and takes events; neither blocks, whatever the disk does. If the thread hangs
/// while it reads a source and something else is to be played, it is left behind: another takes its place, and the old
/// one ends when its source answers.
package final class SoundProducer {
  private let buffer: Duration
  private let notify: @Sendable () -> Void
  private var worker: Worker?

  private let patience: Duration
  /// Whether orders do not wake the thread for now: from `play` of a prepared sound until `goOn`.
  private var isQuiet = false

  /// How much sound a segment holds.
  package static let standardBuffer = Duration.milliseconds(2_500)

  /// A producer whose segments hold `buffer` of sound.
  ///
  /// - Parameters:
  ///   - patience: how long the thread may have been busy with one piece of work before an order to play something else
  ///     gets a new thread instead of waiting.
  ///   - notify: called on any thread when there are events to take; calls are few and may be spurious.
  package init(
    buffer: Duration = SoundProducer.standardBuffer, patience: Duration = .milliseconds(50),
    notify: @escaping @Sendable () -> Void
  ) {
    self.buffer = buffer
    self.patience = patience
    self.notify = notify
  }

  deinit { worker?.quit() }

  /// Drops everything and plays `request`. No more events come about what was there before.
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

  /// Wakes the thread after `play` of a prepared sound: what was ordered since is done now.
  package func goOn() {
    guard isQuiet else { return }
    isQuiet = false
    worker?.wake()
  }

  private func freeWorker() -> Worker {
    if let worker, worker.isStuck(for: patience) {
      worker.quit()
      self.worker = nil
    }
    let worker = worker ?? Worker(buffer: buffer, notify: notify)
    self.worker = worker
    return worker
  }

  /// Says what comes after a track that was ordered by `play`, or that has been begun since. It follows without a gap
  /// if its format is the same. Nil takes back what was said before. For any other track the order is dropped.
  package func follow(_ track: UInt64, with request: SoundRequest?) {
    worker?.order(.follow(track, with: request), isUrgent: !isQuiet)
  }

  /// Drops everything, and the thread with it.
  package func stop() {
    worker?.quit()
    worker = nil
    isQuiet = false
  }

  /// Wakes the producer if it waits for room. Call this after the loop has taken frames and left a segment half empty.
  package func resume() { if !isQuiet { worker?.resume() } }

  /// The events since the last call, in order.
  package func takeEvents() -> [ProducerEvent] { worker?.takeEvents() ?? [] }
}
