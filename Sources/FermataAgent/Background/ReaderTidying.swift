// SPDX-License-Identifier: MIT
import AgentLoop
import ReaderIO

/// Lets go of a reader's processes some time after they have ended. Its timer runs only while there are any.
@AgentLoop
final class ReaderTidying {
  private let reader: ReaderClient
  private var timer: LoopTimer?

  /// How long to wait before looking: longer than a process without work stays alive.
  private static let delay = Duration.seconds(35)

  init(_ reader: ReaderClient) {
    self.reader = reader
    reader.whenStarted { [weak self] in AgentLoop.task { self?.tidySoon() } }
    // The reader may have been used before, so its processes may be running already.
    if reader.tidy() { tidySoon() }
  }

  private func tidySoon() {
    guard timer == nil else { return }
    timer = AgentLoop.after(Self.delay) { [weak self] in
      self?.timer = nil
      if self?.reader.tidy() == true { self?.tidySoon() }
    }
  }
}
