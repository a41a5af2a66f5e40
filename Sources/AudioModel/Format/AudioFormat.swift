// SPDX-License-Identifier: MIT

/// How a stretch of sound is laid out. Samples are always 32-bit floats in native order, interleaved.
package struct AudioFormat: Sendable, Hashable {
  /// Frames a second.
  package let rate: Int
  /// The channels of a frame, in order.
  package let layout: ChannelLayout

  /// The rates a sound may have here; a file outside them is refused by its decoder.
  package static let rates = 1_000...384_000
  /// The numbers of channels a sound may have here.
  package static let channelCounts = 1...8

  /// Samples in a frame.
  package var channels: Int { layout.count }
  /// Bytes in a frame.
  package var bytesPerFrame: Int { channels * MemoryLayout<Float>.size }
  /// Bytes in a second.
  package var bytesPerSecond: Int { rate * bytesPerFrame }

  /// A format. Traps outside `rates` and `channelCounts`: whoever reads a file checks them first.
  package init(rate: Int, layout: ChannelLayout) {
    precondition(Self.rates.contains(rate), "a sample rate of \(rate) Hz")
    precondition(Self.channelCounts.contains(layout.count), "\(layout.count) channels")
    self.rate = rate
    self.layout = layout
  }

  /// A format of as many channels in their usual order.
  package init(rate: Int, channels: Int) {
    self.init(rate: rate, layout: .usual(channels: channels))
  }

  /// Frames in a span of time, rounded down.
  package func frames(in time: Duration) -> Int {
    let (seconds, attoseconds) = time.components
    return Int(seconds) * rate + Int(attoseconds / 1_000_000_000) * rate / 1_000_000_000
  }

  /// How long a number of frames sounds, to the nanosecond.
  package func duration(ofFrames frames: Int) -> Duration {
    let (whole, rest) = frames.quotientAndRemainder(dividingBy: rate)
    return .seconds(whole) + .nanoseconds(rest * 1_000_000_000 / rate)
  }
}
