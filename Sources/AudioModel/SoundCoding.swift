// SPDX-License-Identifier: MIT

/// The coding of a file's sound, such as FLAC with 44,100 frames a second and 16 bits, to be shown to people. The decoder tells it; facts that a
/// decoder does not know for certain are nil.
package struct SoundCoding: Sendable, Hashable {
  /// The name of the coding: "FLAC", "MP3".
  package let codec: String
  /// Decoded frames per second.
  package let rate: Int
  package let channels: Int
  /// How many bits a sample has; nil for lossy codings such as MP3, whose samples have no fixed size.
  package let bits: Int?
  /// The average number of bits per second, in whole thousands; nil if it follows from the other values, or cannot be known without reading the whole
  /// file.
  package let bitRate: Int?

  package init(_ codec: String, rate: Int, channels: Int, bits: Int? = nil, bitRate: Int? = nil) {
    (self.codec, self.rate, self.channels, self.bits, self.bitRate) = (codec, rate, channels, bits, bitRate)
  }

  /// The coding of a sound that is decoded to this format. `bitRate` is rounded, because the container's own bytes are included in it.
  package init(_ codec: String, _ format: AudioFormat, bits: Int? = nil, bitRate: Double? = nil) {
    let thousands = bitRate.flatMap { $0.isFinite && $0 < 1e9 ? Int(($0 / 1_000).rounded()) : nil } ?? 0
    self.init(
      codec, rate: format.rate, channels: format.channels, bits: bits,
      bitRate: thousands > 0 ? thousands * 1_000 : nil)
  }

  /// The coding in one line: "FLAC · 44.1 kHz · stereo · 16 bit".
  package var text: String {
    let parts = [
      codec, Self.kilohertz(rate), Self.channels(channels), bits.map { "\($0) bit" },
      bitRate.map { "\(($0 + 500) / 1_000) kb/s" },
    ]
    return parts.compactMap(\.self).joined(separator: " · ")
  }

  private static func kilohertz(_ rate: Int) -> String {
    let rest = rate % 1_000
    if rest == 0 { return "\(rate / 1_000) kHz" }
    // Three digits with leading zeros, but without zeros at the end.
    var digits = String(String(1_000 + rest).dropFirst())
    while digits.last == "0" { digits.removeLast() }
    return "\(rate / 1_000).\(digits) kHz"
  }

  private static func channels(_ count: Int) -> String {
    switch count {
    case 1: "mono"
    case 2: "stereo"
    default: "\(count) channels"
    }
  }
}
