// SPDX-License-Identifier: MIT
import AudioModel
import CPulse

extension ChannelLayout {
  /// The layout as libpulse's channel map.
  var record: pa_channel_map {
    var record = pa_channel_map()
    record.channels = UInt8(count)
    unsafe withUnsafeMutableBytes(of: &record.map) { bytes in
      let map = unsafe bytes.bindMemory(to: pa_channel_position_t.self)
      for (channel, position) in positions.enumerated() {
        unsafe map[channel] = position.protocolPosition(channel: channel)
      }
    }
    return record
  }
}

extension ChannelPosition {
  fileprivate func protocolPosition(channel: Int) -> pa_channel_position_t {
    switch self {
    case .mono: PA_CHANNEL_POSITION_MONO
    case .frontLeft: PA_CHANNEL_POSITION_FRONT_LEFT
    case .frontRight: PA_CHANNEL_POSITION_FRONT_RIGHT
    case .frontCenter: PA_CHANNEL_POSITION_FRONT_CENTER
    case .lowFrequency: PA_CHANNEL_POSITION_LFE
    case .rearLeft: PA_CHANNEL_POSITION_REAR_LEFT
    case .rearRight: PA_CHANNEL_POSITION_REAR_RIGHT
    case .rearCenter: PA_CHANNEL_POSITION_REAR_CENTER
    case .frontLeftOfCenter: PA_CHANNEL_POSITION_FRONT_LEFT_OF_CENTER
    case .frontRightOfCenter: PA_CHANNEL_POSITION_FRONT_RIGHT_OF_CENTER
    case .sideLeft: PA_CHANNEL_POSITION_SIDE_LEFT
    case .sideRight: PA_CHANNEL_POSITION_SIDE_RIGHT
    case .unplaced: pa_channel_position_t(rawValue: PA_CHANNEL_POSITION_AUX0.rawValue + Int32(channel))
    }
  }
}
