// SPDX-License-Identifier: MIT
import CPulse

/// Volumes as fractions of the server's full volume, on the scale that volume sliders show.
enum Volume {
  /// The loudest volume that is ever asked for. A file or a bus peer may name any number, and it must not hurt
  /// anybody's ears.
  static let loudest = 1.5

  /// The volume of an output's loudest channel; nil if the server names no channels.
  static func known(_ volume: pa_cvolume) -> Double? { volume.channels == 0 ? nil : fraction(volume) }

  /// The volume of the loudest channel.
  static func fraction(_ volume: pa_cvolume) -> Double {
    var volume = volume
    return Double(unsafe pa_cvolume_max(&volume)) / Double(PA_VOLUME_NORM)
  }

  /// libpulse's record of one volume on every channel, bounded by zero and `loudest`. A volume that is not a number
  /// becomes silence.
  static func record(_ fraction: Double, channels: Int) -> pa_cvolume {
    var record = pa_cvolume()
    let bounded = fraction.isNaN ? 0 : min(max(fraction, 0), loudest)
    unsafe pa_cvolume_set(
      &record, UInt32(channels), pa_volume_t((bounded * Double(PA_VOLUME_NORM)).rounded()))
    return record
  }
}
