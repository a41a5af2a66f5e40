// SPDX-License-Identifier: MIT
import CPulse

/// Volumes as fractions of the server's full volume, on the scale that volume sliders show.
enum Volume {
  /// The most that is ever asked for: a file or a bus peer may say anything, ears may not be hurt.
  static let loudest = 1.5

  /// The loudest channel of an output; nil where the server names no channels.
  static func known(_ volume: pa_cvolume) -> Double? { volume.channels == 0 ? nil : fraction(volume) }

  /// The loudest channel of a stream.
  static func fraction(_ volume: pa_cvolume) -> Double {
    var volume = volume
    return Double(unsafe pa_cvolume_max(&volume)) / Double(PA_VOLUME_NORM)
  }

  /// The same volume on every channel. What is no number is silence.
  static func record(_ fraction: Double, channels: Int) -> pa_cvolume {
    var record = pa_cvolume()
    let bounded = fraction.isNaN ? 0 : min(max(fraction, 0), loudest)
    unsafe pa_cvolume_set(
      &record, UInt32(channels), pa_volume_t((bounded * Double(PA_VOLUME_NORM)).rounded()))
    return record
  }
}
