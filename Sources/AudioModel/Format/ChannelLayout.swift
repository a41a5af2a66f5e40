// SPDX-License-Identifier: MIT

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

  /// One channel.
  package static let mono = ChannelLayout([.mono])
  /// Left, then right.
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
}
