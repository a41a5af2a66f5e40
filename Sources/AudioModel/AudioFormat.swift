// SPDX-License-Identifier: MIT

/// The sample rate and the channels of a sound. Samples are always 32-bit floats in native byte order, interleaved.
package struct AudioFormat: Sendable, Hashable {
  package let rate: Int
  /// The channels of a frame, in order.
  package let layout: ChannelLayout

  /// The sample rates that this program plays, in Hz. A decoder refuses a file with any other rate.
  package static let rates = 1_000...384_000
  package static let channelCounts = 1...8

  package var channels: Int { layout.count }
  package var bytesPerFrame: Int { channels * MemoryLayout<Float>.size }

  /// A format with this rate and layout. Traps outside `rates` and `channelCounts`, so code that reads a file has to check these first.
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

  /// The number of frames that are played in this time, rounded down.
  package func frames(in time: Duration) -> Int {
    let (seconds, attoseconds) = time.components
    return Int(seconds) * rate + Int(attoseconds / 1_000_000_000) * rate / 1_000_000_000
  }

  /// How long it takes to play this number of frames, rounded down to the nanosecond.
  package func duration(ofFrames frames: Int) -> Duration {
    let (whole, rest) = frames.quotientAndRemainder(dividingBy: rate)
    return .seconds(whole) + .nanoseconds(rest * 1_000_000_000 / rate)
  }
}

/// The channels of a sound in the order in which their samples are interleaved.
package struct ChannelLayout: Sendable, Hashable {
  /// The position of each channel; never empty.
  package let positions: [ChannelPosition]

  /// How many channels there are, 1 or more.
  package var count: Int { positions.count }

  /// A layout with the given positions. Traps when there are none, because every sound has a channel.
  package init(_ positions: [ChannelPosition]) {
    precondition(!positions.isEmpty, "a channel layout needs a channel")
    self.positions = positions
  }

  package static let mono = ChannelLayout([.mono])
  /// Two channels: left, then right.
  package static let stereo = ChannelLayout([.frontLeft, .frontRight])

  /// The layout of a file that states only a number of channels: the order of WAV and FLAC. Beyond eight channels there
  /// is no such order, and they are `unplaced`.
  package static func usual(channels: Int) -> ChannelLayout {
    switch channels {
    case 1: mono
    case 2: stereo
    case 3: ChannelLayout([.frontLeft, .frontRight, .frontCenter])
    case 4: ChannelLayout([.frontLeft, .frontRight, .rearLeft, .rearRight])
    case 5: ChannelLayout([.frontLeft, .frontRight, .frontCenter, .rearLeft, .rearRight])
    case 6: ChannelLayout([.frontLeft, .frontRight, .frontCenter, .lowFrequency, .rearLeft, .rearRight])
    case 7:
      ChannelLayout([
        .frontLeft, .frontRight, .frontCenter, .lowFrequency, .rearCenter, .sideLeft, .sideRight,
      ])
    case 8:
      ChannelLayout([
        .frontLeft, .frontRight, .frontCenter, .lowFrequency, .rearLeft, .rearRight, .sideLeft, .sideRight,
      ])
    default: ChannelLayout(Array(repeating: .unplaced, count: channels))
    }
  }

  /// The layout that a mask states, with one bit for each channel in the order of WAV's header. If the bits do not fit the number of channels, it is
  /// the usual layout.
  package init(mask: UInt64, channels: Int) {
    let places: [ChannelPosition] = [
      .frontLeft, .frontRight, .frontCenter, .lowFrequency, .rearLeft, .rearRight, .frontLeftOfCenter,
      .frontRightOfCenter, .rearCenter, .sideLeft, .sideRight,
    ]
    let found = places.indices.filter { mask & 1 << UInt64($0) != 0 }.map { places[$0] }
    if channels == 1 {
      self = .mono
    } else if found.count == channels, mask >> UInt64(places.count) == 0 {
      self = ChannelLayout(found)
    } else {
      self = .usual(channels: channels)
    }
  }
}

/// The place in the room where a channel belongs.
package enum ChannelPosition: UInt8, Sendable, Hashable, CaseIterable {
  case mono
  case frontLeft, frontRight, frontCenter
  case lowFrequency
  case rearLeft, rearRight, rearCenter
  case frontLeftOfCenter, frontRightOfCenter
  case sideLeft, sideRight
  /// A channel whose place is not known, only its number in the layout.
  case unplaced
}

/// The number of one playing of a sound, which no other playing has: a repetition of the same track gets a new one. The player gives it, and the
/// parts that decode and play the sound name the playing by it in their reports.
package struct PlayID: Sendable, Hashable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  package init(integerLiteral value: UInt64) { self.init(rawValue: value) }

  package var description: String { "\(rawValue)" }
}
