// SPDX-License-Identifier: MIT

/// Something that can be played and what is known about it.
package struct MediaItem: Sendable, Hashable {
  /// The library's number of an item; it outlives moves and retagging of the file.
  package struct ID: Sendable, Hashable, RawRepresentable {
    /// The number itself.
    package let rawValue: Int64
    /// The number as the library has it.
    package init(rawValue: Int64) { self.rawValue = rawValue }
  }

  /// What is shown where nobody knows the artist.
  package static let unknownArtist = "Unknown artist"
  /// What is shown where nobody knows the album.
  package static let unknownAlbum = "Unknown album"

  /// Absent for what is not in the library.
  package var id: ID?
  /// Where its sound is.
  package var location: MediaLocation
  /// What its file says.
  package var tags: MediaTags
  /// A picture for it, as a file; absent where there is none.
  package var artwork: FilePath?
  /// What the user's listening left behind.
  package var listening: ListeningRecord

  /// An item at a place, with what is known.
  package init(
    id: ID? = nil, location: MediaLocation, tags: MediaTags = MediaTags(), artwork: FilePath? = nil,
    listening: ListeningRecord = ListeningRecord()
  ) {
    self.id = id
    self.location = location
    self.tags = tags
    self.artwork = artwork
    self.listening = listening
  }

  /// The title, or the name of the file without its extension: never empty.
  package var displayTitle: String { tags.title ?? nameOfLocation }

  /// The artists, separated by commas; else the album's artists, else a placeholder.
  package var displayArtist: String {
    let names = tags.artist.isEmpty ? tags.albumArtist : tags.artist
    return names.isEmpty ? Self.unknownArtist : names.joined(separator: ", ")
  }

  /// The album's title or a placeholder.
  package var displayAlbum: String { tags.album ?? Self.unknownAlbum }

  /// Whether this item belongs before another of its album: by disc, track, title and location, in this order. An item
  /// without a number comes before those that have one, because taggers leave the number out on an only disc.
  package func precedes(_ other: MediaItem) -> Bool {
    let place = (tags.disc ?? 0, tags.track ?? 0)
    let otherPlace = (other.tags.disc ?? 0, other.tags.track ?? 0)
    if place != otherPlace { return place < otherPlace }
    if displayTitle != other.displayTitle { return NaturalOrder.precedes(displayTitle, other.displayTitle) }
    return NaturalOrder.precedes(location.sortText, other.location.sortText)
  }

  private var nameOfLocation: String {
    switch location {
    case .file(let path): path.stem.isEmpty ? path.text : path.stem
    case .uri(let uri): Self.lastComponent(of: uri)
    }
  }

  private static func lastComponent(of uri: String) -> String {
    let path = uri.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    guard let last = path.split(separator: .slash).last, let bytes = PercentEncoding.decode(last),
      let name = FilePath(bytes)
    else { return uri }
    return name.stem
  }
}

extension MediaLocation {
  fileprivate var sortText: String {
    switch self {
    case .file(let path): path.text
    case .uri(let uri): uri
    }
  }
}

/// What the user's listening has left behind about an item. It belongs to the item, not to the file's tags.
package struct ListeningRecord: Sendable, Hashable {
  /// The ratings that can be given; 0 means not rated.
  package static let ratings = 0...5

  /// Stars.
  package var rating = 0
  /// How often it was heard to its end.
  package var playCount = 0
  /// How often it was left early.
  package var skipCount = 0
  /// When it was last heard to its end, in seconds since 1970 in UTC.
  package var lastPlayed: Int64?

  /// Never heard, never rated.
  package init() {}
}
