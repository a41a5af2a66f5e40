// SPDX-License-Identifier: MIT

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
