// SPDX-License-Identifier: MIT
package import MediaModel

/// How tracks of different loudness are brought together.
package struct LoudnessSettings: Sendable, Equatable {
  /// Whose gain is applied.
  package enum Mode: String, Sendable, CaseIterable {
    /// Nobody's: every file sounds as it is.
    case off
    /// Each track's own.
    case track
    /// Its album's, which keeps the differences within the album.
    case album
    /// The album's where a neighbour in the play order is of the same album, the track's otherwise.
    case automatic = "auto"
  }

  /// Whose gain is applied: by itself, as preset.
  package var mode = Mode.automatic
  /// Added to every gain that is applied, in dB.
  package var preamp: Float = 0
  /// Whether a gain is lowered so that the highest sample stays within full scale.
  package var preventsClipping = true

  /// All as preset.
  package init() {}

  /// Gains outside of this, in dB, are a tagger's mistake, and ears and speakers are not to suffer for it.
  private static let sane: ClosedRange<Float> = -51...20

  /// What a track's samples are multiplied by. A track of unknown loudness is left as it is.
  package func factor(for loudness: Loudness, besideItsAlbum: Bool) -> Float {
    let usesAlbum = mode == .album || mode == .automatic && besideItsAlbum
    // Half of the tags are better than none.
    let isAlbum = loudness.albumGain != nil && (usesAlbum || loudness.trackGain == nil)
    let (gain, peak) =
      isAlbum ? (loudness.albumGain, loudness.albumPeak) : (loudness.trackGain, loudness.trackPeak)
    guard mode != .off, let gain, gain.isFinite else { return 1 }
    let factor = Self.factor(decibels: min(max(gain + preamp, Self.sane.lowerBound), Self.sane.upperBound))
    guard preventsClipping, let peak, peak.isFinite, peak > 0 else { return factor }
    return min(factor, max(1 / peak, Self.factor(decibels: Self.sane.lowerBound)))
  }

  /// Ten to the power of a twentieth of it.
  static func factor(decibels: Float) -> Float { Float(Exponential.ofTen(Double(decibels) / 20)) }
}

/// The exponential function, which the standard library leaves to the system's.
private enum Exponential {
  static func ofTen(_ exponent: Double) -> Double {
    let natural = exponent * 2.302_585_092_994_046
    let doublings = (natural / 0.693_147_180_559_945_3).rounded()
    let rest = natural - doublings * 0.693_147_180_559_945_3
    // The rest is small: the series is exact to a double's last place after these terms.
    var term = 1.0
    var sum = 1.0
    for number in 1...18 {
      term *= rest / Double(number)
      sum += term
    }
    return sum * Double(sign: .plus, exponent: Int(doublings), significand: 1)
  }
}
