// SPDX-License-Identifier: MIT

/// How a stretch of sound is laid out. Samples are always 32-bit floats in native order, interleaved.
public struct AudioFormat: Sendable, Hashable {
  /// Frames a second.
  public let rate: Int
  /// The channels of a frame, in order.
  public let layout: ChannelLayout

  /// The rates a sound may have here; a file outside them is refused by its decoder.
  public static let rates = 1_000...384_000
  /// The numbers of channels a sound may have here.
  public static let channelCounts = 1...8

  /// Samples in a frame.
  public var channels: Int { layout.count }
  /// Bytes in a frame.
  public var bytesPerFrame: Int { channels * MemoryLayout<Float>.size }
  /// Bytes in a second.
  public var bytesPerSecond: Int { rate * bytesPerFrame }

  /// A format. Traps outside `rates` and `channelCounts`: whoever reads a file checks them first.
  public init(rate: Int, layout: ChannelLayout) {
    precondition(Self.rates.contains(rate), "a sample rate of \(rate) Hz")
    precondition(Self.channelCounts.contains(layout.count), "\(layout.count) channels")
    self.rate = rate
    self.layout = layout
  }

  /// A format of as many channels in their usual order.
  public init(rate: Int, channels: Int) {
    self.init(rate: rate, layout: .usual(channels: channels))
  }

  /// Frames in a span of time, rounded down.
  public func frames(in time: Duration) -> Int {
    let (seconds, attoseconds) = time.components
    return Int(seconds) * rate + Int(attoseconds / 1_000_000_000) * rate / 1_000_000_000
  }

  /// How long a number of frames sounds, to the nanosecond.
  public func duration(ofFrames frames: Int) -> Duration {
    let (whole, rest) = frames.quotientAndRemainder(dividingBy: rate)
    return .seconds(whole) + .nanoseconds(rest * 1_000_000_000 / rate)
  }
}
