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
