// SPDX-License-Identifier: MIT
import AudioModel

extension ChannelLayout {
  /// The order in which Vorbis and Opus keep their channels.
  static func xiph(channels: Int) -> ChannelLayout {
    switch channels {
    case 3: ChannelLayout([.frontLeft, .frontCenter, .frontRight])
    case 5: ChannelLayout([.frontLeft, .frontCenter, .frontRight, .rearLeft, .rearRight])
    case 6: ChannelLayout([.frontLeft, .frontCenter, .frontRight, .rearLeft, .rearRight, .lowFrequency])
    case 7:
      ChannelLayout([
        .frontLeft, .frontCenter, .frontRight, .sideLeft, .sideRight, .rearCenter, .lowFrequency,
      ])
    case 8:
      ChannelLayout([
        .frontLeft, .frontCenter, .frontRight, .sideLeft, .sideRight, .rearLeft, .rearRight, .lowFrequency,
      ])
    default: .usual(channels: channels)
    }
  }
}
