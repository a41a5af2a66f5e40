// SPDX-License-Identifier: MIT
import AudioModel

/// Opus in Ogg.
enum Opus: SndfileFormat {
  static let name = "Ogg Opus"
  /// The codec's own rate. libsndfile would take the rate that the sound had before it was encoded.
  static let rate: Int32? = 48_000
  /// 80 ms, as the format's own text asks for; libsndfile leaves them out near the beginning.
  static let runUp = 3_840

  static func recognises(_ content: Content) -> Bool { content.hasOggStream(Array("OpusHead".utf8)) }

  static func layout(channels: Int) -> ChannelLayout { .xiph(channels: channels) }
}
