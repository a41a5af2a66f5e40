// SPDX-License-Identifier: MIT

/// How much louder or softer an item should sound to match the others.
///
/// Gains are decibels towards the reference of ReplayGain 2, -18 LUFS. Opus files count in 1/256 dB towards
/// -23 LUFS instead; `init(r128TrackGain:albumGain:)` converts. Peaks are of the samples as stored, 1 being full
/// scale.
package struct Loudness: Sendable, Hashable {
  /// The gain that brings this item to the reference.
  package var trackGain: Float?
  /// The item's highest sample.
  package var trackPeak: Float?
  /// The gain that brings the whole album to the reference and keeps its items' differences.
  package var albumGain: Float?
  /// The album's highest sample.
  package var albumPeak: Float?

  /// What is known; nothing unless given.
  package init(
    trackGain: Float? = nil, trackPeak: Float? = nil, albumGain: Float? = nil, albumPeak: Float? = nil
  ) {
    self.trackGain = trackGain
    self.trackPeak = trackPeak
    self.albumGain = albumGain
    self.albumPeak = albumPeak
  }

  /// The R128 gains of an Opus file: 256ths of a decibel towards -23 LUFS, which is 5 dB below the reference here.
  package init(r128TrackGain: Int16?, albumGain: Int16?) {
    self.init(trackGain: r128TrackGain.map(Self.fromR128), albumGain: albumGain.map(Self.fromR128))
  }

  /// Whether nothing is known.
  package var isEmpty: Bool { self == Loudness() }

  private static func fromR128(_ gain: Int16) -> Float { Float(gain) / 256 + 5 }
}
