// SPDX-License-Identifier: MIT

/// The facts in a file's tags. Texts are kept unchanged, with their control characters; the code that shows a text has to make it safe.
package struct MediaTags: Sendable, Hashable {
  package var title: String?
  package var artist: [String] = []
  package var album: String?
  package var albumArtist: [String] = []
  package var composer: [String] = []
  package var genre: [String] = []
  package var duration: Duration?
  /// The track's number on its disc, from 1.
  package var track: Int?
  /// How many tracks the disc has.
  package var trackCount: Int?
  /// The number of the disc, from 1.
  package var disc: Int?
  /// How many discs the album has.
  package var discCount: Int?
  /// When the item was released.
  package var date: MediaDate?
  package var bpm: Double?
  package var comment: String?
  package var lyrics: String?
  /// Whether the album gathers tracks of several artists.
  package var isCompilation = false
  package var mediaType = MediaType.music
  package var loudness = Loudness()
  package var sort = SortNames()

  /// Tags of which none is known.
  package init() {}
}

/// The texts by which a tagger wants an item sorted ("Beatles, The"), where they differ from the names shown.
package struct SortNames: Sendable, Hashable {
  package let title, artist, album, albumArtist, composer: String?

  package init(
    title: String? = nil, artist: String? = nil, album: String? = nil, albumArtist: String? = nil,
    composer: String? = nil
  ) {
    (self.title, self.artist, self.album) = (title, artist, album)
    (self.albumArtist, self.composer) = (albumArtist, composer)
  }
}

/// Whether an item is music, a podcast or an audiobook.
package enum MediaType: String, Sendable, Hashable {
  case music, podcast, audiobook
}

/// How much louder or softer an item should sound to match others.
///
/// Gains are in decibels and bring the sound to the reference loudness of ReplayGain 2, -18 LUFS. Peaks are those of the samples as stored; 1 is full
/// scale.
package struct Loudness: Sendable, Hashable {
  /// The gain that brings this item to the reference.
  package var trackGain: Float?
  /// The item's highest sample.
  package var trackPeak: Float?
  /// The gain that brings the album as a whole to the reference. It is the same for all tracks of the album, so that the differences between them
  /// stay.
  package var albumGain: Float?
  /// The album's highest sample.
  package var albumPeak: Float?

  package init(
    trackGain: Float? = nil, trackPeak: Float? = nil, albumGain: Float? = nil, albumPeak: Float? = nil
  ) {
    (self.trackGain, self.trackPeak) = (trackGain, trackPeak)
    (self.albumGain, self.albumPeak) = (albumGain, albumPeak)
  }
}

/// Where a track stands: on which album, and there on which disc and at which number, as far as its tags say.
package struct TrackPlace: Sendable, Hashable {
  package let album: String?
  package let disc: Int?
  package let track: Int?

  package init(album: String?, disc: Int?, track: Int?) {
    (self.album, self.disc, self.track) = (album, disc, track)
  }

  package init(_ tags: MediaTags) { self.init(album: tags.album, disc: tags.disc, track: tags.track) }
}
