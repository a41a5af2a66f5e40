// SPDX-License-Identifier: MIT

/// The coding of a file's sound, such as FLAC with 44,100 frames a second and 16 bits, to be shown to people. It comes from the decoder,
/// and what a decoder does not know for certain is nil.
package struct SoundCoding: Sendable, Hashable {
  /// The name of the coding: "FLAC", "MP3".
  package let codec: String
  /// Frames a second, as they come out of the decoder.
  package let rate: Int
  package let channels: Int
  /// How many bits a sample has; nil for codings that lose something, such as MP3, because their samples have no certain size.
  package let bits: Int?
  /// Bits a second on average, in whole thousands; nil if that follows from the rest, or is not known without reading the whole file.
  package let bitRate: Int?

  package init(_ codec: String, rate: Int, channels: Int, bits: Int? = nil, bitRate: Int? = nil) {
    (self.codec, self.rate, self.channels, self.bits, self.bitRate) = (codec, rate, channels, bits, bitRate)
  }

  /// The coding of a sound that comes out in this format. `bitRate` is rounded: the container's own bytes make it no finer.
  package init(_ codec: String, _ format: AudioFormat, bits: Int? = nil, bitRate: Double? = nil) {
    let thousands = bitRate.flatMap { $0.isFinite && $0 < 1e9 ? Int(($0 / 1_000).rounded()) : nil } ?? 0
    self.init(
      codec, rate: format.rate, channels: format.channels, bits: bits,
      bitRate: thousands > 0 ? thousands * 1_000 : nil)
  }

  /// All of it in one line: "FLAC · 44.1 kHz · stereo · 16 bit".
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
    // Three digits with their zeros in front, and without those behind.
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
