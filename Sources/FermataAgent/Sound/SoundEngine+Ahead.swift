// SPDX-License-Identifier: MIT
import AgentLoop
import DecodeIO

// Opens what is expected next and decodes its beginning before anybody asks for it, so that a Next is heard at once.
extension SoundEngine {
  /// How much is decoded ahead: a little more than a stream begins with.
  private nonisolated static let beginning = startLength + .milliseconds(10)
  /// How long to wait before preparing. By then the current track is decoded as far as it can be, and the processors are free.
  private static let patience = Duration.milliseconds(50)
  /// How long the producer waits when a prepared sound begins, so that the processors are free to bring it out.
  private static let quiet = Duration.milliseconds(5)

  /// Prepares what is expected, a little later: what plays comes first.
  func prepareSoon() {
    guard thread != nil, !isBeginning else { return }
    ahead.wait(for: Self.patience) { [weak self] in self?.prepare() }
  }

  private func prepare() {
    guard let thread, let wanted = ahead.begin() else { return }
    AgentLoop.task { [weak self] in
      let made = try? await thread.run { _ in PreparedSound(wanted, length: Self.beginning) }
      if let made { self?.ahead.keep(made) }
    }
  }

  /// Plays a prepared sound. It is written in this turn, before anything else is done about it.
  func begin(_ prepared: PreparedSound, as request: SoundRequest, by producer: SoundProducer) {
    let segment = producer.play(prepared, as: request)
    guard let output = outputs.first, output.format == segment.format else { return producer.goOn() }
    output.append(segment)
    output.refill()
    AgentLoop.after(Self.quiet) { [weak producer] in producer?.goOn() }
  }
}
