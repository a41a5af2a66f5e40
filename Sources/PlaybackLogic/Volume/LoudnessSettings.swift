// SPDX-License-Identifier: MIT
package import MediaModel

/// How tracks of different loudness are brought to a similar level, by the gains in their tags.
package struct LoudnessSettings: Sendable, Equatable {
  /// Which of the gains in a file's tags is applied.
  package enum Mode: String, Sendable, CaseIterable {
    /// No gain: every file sounds as it is.
    case off
    /// The track's own gain.
    case track
    /// The album's gain, which keeps the differences in loudness within the album.
    case album
    /// The album's gain if the entry before or after in the play order is of the same album, otherwise the track's.
    case automatic = "auto"
  }

  /// Which gain is applied. Preset: `automatic`.
  package var mode = Mode.automatic
  /// A gain in dB that is added to every other gain.
  package var preamp: Float = 0
  /// Whether a gain is lowered so that the highest sample stays within full scale.
  package var preventsClipping = true

  package init() {}

  /// The range of gains that are applied, in dB, `preamp` included. A gain outside is a tagger's mistake and is brought into this
  /// range, to protect ears and speakers.
  private static let sane: ClosedRange<Float> = -51...20

  /// The factor to multiply a track's samples by: 1 if its loudness is not known or the mode is `off`. `besideItsAlbum` tells
  /// whether a neighbour in the play order is of the same album; it decides in `automatic` mode.
  package func factor(for loudness: Loudness, besideItsAlbum: Bool) -> Float {
    let usesAlbum = mode == .album || mode == .automatic && besideItsAlbum
    // If only one of the two gains is tagged, that one is used: it is better than none.
    let isAlbum = loudness.albumGain != nil && (usesAlbum || loudness.trackGain == nil)
    let gain = isAlbum ? loudness.albumGain : loudness.trackGain
    // The other peak is better than none: a track is not louder than its album, and most albums are not much louder than a track.
    let peak =
      isAlbum ? loudness.albumPeak ?? loudness.trackPeak : loudness.trackPeak ?? loudness.albumPeak
    guard mode != .off, let gain, gain.isFinite else { return 1 }
    let factor = Self.factor(decibels: min(max(gain + preamp, Self.sane.lowerBound), Self.sane.upperBound))
    guard preventsClipping, let peak, peak.isFinite, peak > 0 else { return factor }
    return min(factor, max(1 / peak, Self.factor(decibels: Self.sane.lowerBound)))
  }

  /// The factor by which samples are multiplied for a gain in decibels.
  static func factor(decibels: Float) -> Float { Float(Decibels.amplitude(Double(decibels))) }
}
