// SPDX-License-Identifier: MIT

/// Something that can be played, with the facts that are known about it.
package struct MediaItem: Sendable, Hashable {
  /// The library's ID of an item; it stays the same when the file is moved or its tags change.
  package struct ID: Sendable, Hashable, RawRepresentable {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
  }

  /// The item's ID; nil for an item that is not in the library.
  package var id: ID?
  package var location: MediaLocation
  /// The part of the file that the item is; nil for all of it.
  package var part: FilePart?
  package var tags: MediaTags
  /// The file with the item's picture; nil if there is none.
  package var artwork: FilePath?
  package var listening: ListeningRecord

  package init(
    id: ID? = nil, location: MediaLocation, part: FilePart? = nil, tags: MediaTags = MediaTags(),
    artwork: FilePath? = nil, listening: ListeningRecord = ListeningRecord()
  ) {
    (self.id, self.location, self.part, self.tags) = (id, location, part, tags)
    (self.artwork, self.listening) = (artwork, listening)
  }

  /// The file, or part of it, that the queue plays for this item; nil if the item is no file.
  package var source: ItemSource? {
    if case .file(let path) = location { ItemSource(path, part: part, album: tags.album) } else { nil }
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

/// The user's rating of an item, and how often it was played and skipped. This belongs to the item, and is not in the file's tags.
package struct ListeningRecord: Sendable, Hashable {
  /// The ratings that can be given; 0 means not rated.
  package static let ratings = 0...5
  /// The lengths in bytes that the key of a listener's note may have.
  package static let noteKeys = 1...256
  /// The most bytes of a note.
  package static let longestNote = 1 << 16

  package var rating = 0
  /// How many times the item was played.
  package var playCount = 0
  /// How many times the item was skipped.
  package var skipCount = 0
  /// When the item was last played, in seconds since 1970 in UTC; nil if never.
  package var lastPlayed: Int64?

  /// The record of an item that was never played and never rated.
  package init() {}
}

/// What the library alone knows of a sound: the number of its item there, and what the listener did with it.
package struct LibraryListing: Sendable, Hashable {
  package let id: MediaItem.ID
  package let listening: ListeningRecord

  package init(_ id: MediaItem.ID, _ listening: ListeningRecord) {
    (self.id, self.listening) = (id, listening)
  }
}
