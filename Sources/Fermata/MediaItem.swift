// SPDX-License-Identifier: MIT
import FaceModel
import LibraryQuery
import MediaModel
import PlaybackLogic

/// Something that can be played, and what is known about it.
///
/// An item from the library has a ``persistentID``, by which it is found again. An item that was queued from a file has none.
public struct MediaItem: Sendable, Hashable {
  /// The number of an item, an album, an artist and so on in the library. It stays the same when files are moved or tagged anew.
  public struct PersistentID: Sendable, Hashable, CustomStringConvertible {
    /// The number itself.
    public let rawValue: Int64

    /// The identity with this number.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The number as text.
    public var description: String { String(rawValue) }
  }

  /// What an item is, which decides in which lists of the library it stands.
  public enum MediaType: String, Sendable, Hashable, CaseIterable {
    /// A piece of music, and whatever says nothing else of itself.
    case music
    /// An episode of a podcast.
    case podcast
    /// A part of an audiobook.
    case audiobook
  }

  let face: ItemFace

  init(_ face: ItemFace) { self.face = face }

  private var tags: MediaTags { face.item.tags }

  /// The item in the library; nil for one that was queued from a file.
  public var persistentID: PersistentID? { Self.id(face.item.id?.rawValue) }
  /// The album in the library.
  public var albumPersistentID: PersistentID? { Self.id(face.names.album) }
  /// The first of the artists in the library.
  public var artistPersistentID: PersistentID? { Self.id(face.names.artist) }
  /// The first of the album's artists in the library.
  public var albumArtistPersistentID: PersistentID? { Self.id(face.names.albumArtist) }
  /// The first of the genres in the library.
  public var genrePersistentID: PersistentID? { Self.id(face.names.genre) }
  /// The first of the composers in the library.
  public var composerPersistentID: PersistentID? { Self.id(face.names.composer) }
  /// The podcast in the library.
  public var podcastPersistentID: PersistentID? { Self.id(face.names.podcast) }

  private static func id(_ number: Int64?) -> PersistentID? { number.map(PersistentID.init(rawValue:)) }

  /// What the item is; music where nothing says otherwise.
  public var mediaType: MediaType { MediaType(rawValue: tags.mediaType.rawValue) ?? .music }
  /// The title, or the name of the file where it has none: never empty.
  public var title: String { face.item.displayTitle }
  /// The title of the album; nil if the item names none.
  public var albumTitle: String? { tags.album }
  /// The podcast to which the item belongs; nil if it belongs to none.
  public var podcastTitle: String? { face.podcast }
  /// The artists, separated by commas; nil if the item names none.
  public var artist: String? { Self.joined(tags.artist) }
  /// The artists, each by itself.
  public var artists: [String] { tags.artist }
  /// The artists of the album, separated by commas; nil if the item names none.
  public var albumArtist: String? { Self.joined(tags.albumArtist) }
  /// The artists of the album, each by itself.
  public var albumArtists: [String] { tags.albumArtist }
  /// The genres, separated by commas; nil if the item names none.
  public var genre: String? { Self.joined(tags.genre) }
  /// The genres, each by itself.
  public var genres: [String] { tags.genre }
  /// The composers, separated by commas; nil if the item names none.
  public var composer: String? { Self.joined(tags.composer) }
  /// The composers, each by itself.
  public var composers: [String] { tags.composer }

  private static func joined(_ names: [String]) -> String? {
    names.isEmpty ? nil : names.joined(separator: ", ")
  }

  /// How long it plays; nil if that is not known yet.
  public var playbackDuration: Duration? { tags.duration }
  /// The number of the track on its disc.
  public var albumTrackNumber: Int? { tags.track }
  /// How many tracks the disc has.
  public var albumTrackCount: Int? { tags.trackCount }
  /// The number of the disc in its set.
  public var discNumber: Int? { tags.disc }
  /// How many discs the set has.
  public var discCount: Int? { tags.discCount }
  /// Whether the album is by several artists.
  public var isCompilation: Bool { tags.isCompilation }
  /// The date of release as far as it is known: "1997", "1997-05" or "1997-05-21".
  public var releaseDate: String? { tags.date?.description }
  /// How fast it is.
  public var beatsPerMinute: Double? { tags.bpm }
  /// The comment in the file.
  public var comments: String? { tags.comment }
  /// The words that are sung. Items in lists come without them; ``MediaLibrary/item(_:)`` has them.
  public var lyrics: String? { tags.lyrics }
  /// Where the sound is, as a URI.
  public var assetURL: String { face.item.location.wireURI ?? "" }
  /// Where the picture is, as a URI; nil if none is known. ``MediaLibrary/artwork(of:size:)`` makes one in an asked size.
  public var artworkURL: String? { face.artURL }

  /// From 1 to 5; 0 means not rated.
  public var rating: Int { face.item.listening.rating }
  /// How many times it was heard to its end.
  public var playCount: Int { face.item.listening.playCount }
  /// How many times it was left before its end.
  public var skipCount: Int { face.item.listening.skipCount }
  /// When it was last heard to its end, in seconds since 1970 in UTC; nil if never.
  public var lastPlayed: Int64? { face.item.listening.lastPlayed }
}

/// One row of the queue. The same item may be in the queue twice; each row has an identity of its own.
public struct QueueEntry: Sendable, Hashable, Identifiable {
  /// The identity of a row. It stays the same when the row is moved, when an edit is undone and when the agent starts anew.
  public struct ID: Sendable, Hashable {
    /// The number itself.
    public let rawValue: UInt64

    /// The identity with this number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
  }

  /// The identity of the row.
  public let id: ID
  /// What the row plays.
  public let item: MediaItem

  /// Whether this is the one row that is marked: it plays, or would be the one to play.
  public var isCurrent: Bool { item.face.isCurrent }
  /// Whether the file was found to be gone.
  public var isMissing: Bool { item.face.isMissing }
  /// Why it can't be played, as far as anybody has found out; nil if it can.
  public var whyUnplayable: String? { item.face.unplayable }

  /// A row; nil if the item is not in the queue.
  init?(_ face: ItemFace) {
    guard let entry = face.entry else { return nil }
    (id, item) = (ID(rawValue: entry.rawValue), MediaItem(face))
  }
}
