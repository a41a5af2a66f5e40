// SPDX-License-Identifier: MIT

/// The sample rate and the channels of a sound. Samples are always 32-bit floats in native byte order, interleaved.
package struct AudioFormat: Sendable, Hashable {
  /// Frames per second.
  package let rate: Int
  /// The channels of a frame, in order.
  package let layout: ChannelLayout

  /// The sample rates that are allowed here. A decoder refuses a file outside them.
  package static let rates = 1_000...384_000
  /// The numbers of channels that are allowed here.
  package static let channelCounts = 1...8

  /// Samples per frame.
  package var channels: Int { layout.count }
  /// Bytes per frame.
  package var bytesPerFrame: Int { channels * MemoryLayout<Float>.size }
  /// Bytes per second.
  package var bytesPerSecond: Int { rate * bytesPerFrame }

  /// A format with this rate and layout. Traps outside `rates` and `channelCounts`, so whoever reads a file has to
  /// check these first.
  package init(rate: Int, layout: ChannelLayout) {
    precondition(Self.rates.contains(rate), "a sample rate of \(rate) Hz")
    precondition(Self.channelCounts.contains(layout.count), "\(layout.count) channels")
    self.rate = rate
    self.layout = layout
  }

  /// A format with this number of channels in their usual order. Traps outside `rates` and `channelCounts`.
  package init(rate: Int, channels: Int) {
    self.init(rate: rate, layout: .usual(channels: channels))
  }

  /// Frames in a span of time, rounded down.
  package func frames(in time: Duration) -> Int {
    let (seconds, attoseconds) = time.components
    return Int(seconds) * rate + Int(attoseconds / 1_000_000_000) * rate / 1_000_000_000
  }

  /// How long this number of frames sounds, rounded down to the nanosecond.
  package func duration(ofFrames frames: Int) -> Duration {
    let (whole, rest) = frames.quotientAndRemainder(dividingBy: rate)
    return .seconds(whole) + .nanoseconds(rest * 1_000_000_000 / rate)
  }
}
