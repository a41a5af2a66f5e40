// SPDX-License-Identifier: MIT

/// What a file says about itself. Text is kept as it came, control characters included: whoever shows it makes
/// it safe for where it is shown.
package struct MediaTags: Sendable, Hashable {
  /// The item's own name.
  package var title: String?
  /// Who performs it.
  package var artist: [String] = []
  /// The album it belongs to.
  package var album: String?
  /// Who the album is by.
  package var albumArtist: [String] = []
  /// Who wrote it.
  package var composer: [String] = []
  /// Its styles.
  package var genre: [String] = []
  /// How long it sounds.
  package var duration: Duration?
  /// Its place on its disc, from 1.
  package var track: Int?
  /// How many items that disc has.
  package var trackCount: Int?
  /// The disc, from 1.
  package var disc: Int?
  /// How many discs the album has.
  package var discCount: Int?
  /// When it was released.
  package var date: MediaDate?
  /// Beats a minute.
  package var bpm: Double?
  /// A remark.
  package var comment: String?
  /// The words.
  package var lyrics: String?
  /// Whether the album gathers items of several artists.
  package var isCompilation = false
  /// What kind of listening it is for.
  package var mediaType = MediaType.music
  /// The gains and peaks by which it is brought to the loudness of others.
  package var loudness = Loudness()
  /// The names to sort it by, where they differ from those shown.
  package var sort = SortNames()

  /// Nothing known.
  package init() {}
}

/// The names by which a tagger wants an item sorted ("Beatles, The"), where they differ from those shown.
package struct SortNames: Sendable, Hashable {
  /// Instead of the title.
  package var title: String?
  /// Instead of the artists.
  package var artist: String?
  /// Instead of the album's title.
  package var album: String?
  /// Instead of the album's artists.
  package var albumArtist: String?
  /// Instead of the composers.
  package var composer: String?

  /// The given names; none unless given.
  package init(
    title: String? = nil, artist: String? = nil, album: String? = nil, albumArtist: String? = nil,
    composer: String? = nil
  ) {
    self.title = title
    self.artist = artist
    self.album = album
    self.albumArtist = albumArtist
    self.composer = composer
  }
}

/// What kind of listening an item is for.
package enum MediaType: String, Sendable, Hashable, CaseIterable {
  case music, podcast, audiobook
}

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
