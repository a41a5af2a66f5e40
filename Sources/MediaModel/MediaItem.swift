// SPDX-License-Identifier: MIT

/// Something that can be played and what is known about it.
package struct MediaItem: Sendable, Hashable {
  /// The library's number of an item; it outlives moves and retagging of the file.
  package struct ID: Sendable, Hashable, RawRepresentable {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
  }

  /// Absent for what is not in the library.
  package var id: ID?
  package var location: MediaLocation
  package var tags: MediaTags
  /// A picture for it, as a file; absent where there is none.
  package var artwork: FilePath?
  package var listening: ListeningRecord

  package init(
    id: ID? = nil, location: MediaLocation, tags: MediaTags = MediaTags(), artwork: FilePath? = nil,
    listening: ListeningRecord = ListeningRecord()
  ) {
    (self.id, self.location, self.tags) = (id, location, tags)
    (self.artwork, self.listening) = (artwork, listening)
  }

  /// The title, or the name of the file without its extension: never empty.
  package var displayTitle: String { tags.title ?? nameOfLocation }

  /// The artists, separated by commas; else the album's artists, else a placeholder.
  package var displayArtist: String {
    let names = tags.artist.isEmpty ? tags.albumArtist : tags.artist
    return names.isEmpty ? "Unknown artist" : names.joined(separator: ", ")
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

/// What the user's listening has left behind about an item. It belongs to the item, not to the file's tags.
package struct ListeningRecord: Sendable, Hashable {
  /// The ratings that can be given; 0 means not rated.
  package static let ratings = 0...5

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
