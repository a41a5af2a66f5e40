// SPDX-License-Identifier: MIT

/// The names by which a tagger wants an item sorted ("Beatles, The"), where they differ from those shown.
public struct SortNames: Sendable, Hashable {
  /// Instead of the title.
  public var title: String?
  /// Instead of the artists.
  public var artist: String?
  /// Instead of the album's title.
  public var album: String?
  /// Instead of the album's artists.
  public var albumArtist: String?
  /// Instead of the composers.
  public var composer: String?

  /// The given names; none unless given.
  public init(
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
