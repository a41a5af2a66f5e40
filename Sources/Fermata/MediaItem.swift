// SPDX-License-Identifier: MIT
import FaceModel
import LibraryQuery
import MediaModel
import PlaybackLogic

/// Something that can be played, with the facts that are known about it.
///
/// An item that the library has, also a row that was queued from its file, has a ``persistentID``, by which it can be found again. Rows of
/// the player inside a program (`MusicPlayer.application`) have none.
public struct MediaItem: Sendable, Hashable {
  /// The ID of an item, an album, an artist and so on in the library. It stays the same when files are moved or their tags change.
  public struct PersistentID: Sendable, Hashable, CustomStringConvertible {
    /// The ID as a number.
    public let rawValue: Int64

    /// The ID with this number.
    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// The ID as text.
    public var description: String { String(rawValue) }
  }

  /// The kind of an item, which decides in which lists of the library it appears.
  public enum MediaType: String, Sendable, Hashable, CaseIterable {
    /// Music, and everything that does not state another kind.
    case music
    /// An episode of a podcast.
    case podcast
    /// A part of an audiobook.
    case audiobook
  }

  let face: ItemFace

  init(_ face: ItemFace) {
    var face = face
    // What belongs to a row of the queue is in `QueueEntry`: the same item is equal in two rows, and in the library.
    (face.entry, face.isCurrent, face.isMissing, face.unplayable) = (nil, false, false, nil)
    face.isUnread = false
    self.face = face
  }

  private var tags: MediaTags { face.item.tags }

  /// The item's ID in the library; nil if the library does not have it, or has not answered yet.
  public var persistentID: PersistentID? { Self.id(face.item.id?.rawValue) }
  /// The ID of the item's album in the library; nil if it has none there, and in the queue.
  public var albumPersistentID: PersistentID? { Self.id(face.names.album) }
  /// The ID of the first of the item's artists in the library; nil if it has none there, and in the queue.
  public var artistPersistentID: PersistentID? { Self.id(face.names.artist) }
  /// The ID of the first of the album's artists in the library; nil if it has none there, and in the queue.
  public var albumArtistPersistentID: PersistentID? { Self.id(face.names.albumArtist) }
  /// The ID of the first of the item's genres in the library; nil if it has none there, and in the queue.
  public var genrePersistentID: PersistentID? { Self.id(face.names.genre) }
  /// The ID of the first of the item's composers in the library; nil if it has none there, and in the queue.
  public var composerPersistentID: PersistentID? { Self.id(face.names.composer) }
  /// The ID of the item's podcast in the library; nil if it belongs to none there.
  public var podcastPersistentID: PersistentID? { Self.id(face.names.podcast) }

  private static func id(_ number: Int64?) -> PersistentID? { number.map(PersistentID.init(rawValue:)) }

  /// The kind of item; music if its tags state no other.
  public var mediaType: MediaType { MediaType(rawValue: tags.mediaType.rawValue) ?? .music }
  /// The title, or the name of the file if there is none: never empty.
  public var title: String { face.item.displayTitle }
  /// The title of the album; nil if the item names none.
  public var albumTitle: String? { tags.album }
  /// The podcast to which the item belongs; nil if it belongs to none.
  public var podcastTitle: String? { face.podcast }
  /// The artists, separated by commas; nil if the item names none.
  public var artist: String? { Self.joined(tags.artist) }
  /// The artists, as a list.
  public var artists: [String] { tags.artist }
  /// The artists of the album, separated by commas; nil if the item names none.
  public var albumArtist: String? { Self.joined(tags.albumArtist) }
  /// The album's artists, as a list.
  public var albumArtists: [String] { tags.albumArtist }
  /// The genres, separated by commas; nil if the item names none.
  public var genre: String? { Self.joined(tags.genre) }
  /// The genres, as a list.
  public var genres: [String] { tags.genre }
  /// The composers, separated by commas; nil if the item names none.
  public var composer: String? { Self.joined(tags.composer) }
  /// The composers, as a list.
  public var composers: [String] { tags.composer }

  private static func joined(_ names: [String]) -> String? {
    names.isEmpty ? nil : names.joined(separator: ", ")
  }

  /// The length; nil if it is not known yet.
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
  /// The tempo in beats per minute; nil if the tags have none.
  public var beatsPerMinute: Double? { tags.bpm }
  /// The comment in the file's tags.
  public var comments: String? { tags.comment }
  /// The lyrics. Items in lists come without them; ``MediaLibrary/item(_:)`` has them.
  public var lyrics: String? { tags.lyrics }
  /// Whether the sound would have to be fetched from a network service. No item of this player is of that kind.
  public var isCloudItem: Bool { false }
  /// The location of the sound, as a URI.
  public var assetURL: String { face.item.location.wireURI ?? "" }
  /// The location of the picture, as a URI; nil if none is known. ``MediaLibrary/artworkURL(of:size:)`` has one in a given size.
  public var artworkURL: String? { face.artURL }

  /// The user's rating, from 1 to 5; 0 means not rated.
  public var rating: Int { face.item.listening.rating }
  /// How many times the item was played.
  public var playCount: Int { face.item.listening.playCount }
  /// How many times the item was skipped.
  public var skipCount: Int { face.item.listening.skipCount }
  /// When the item was last played, in seconds since 1970 in UTC; nil if never.
  public var lastPlayed: Int64? { face.item.listening.lastPlayed }
}

/// One row of the queue. The same item may be in the queue twice; each row has an identity of its own.
public struct QueueEntry: Sendable, Hashable, Identifiable {
  /// The identity of a row. It stays the same when the row is moved, when an edit is undone and when the agent is restarted.
  public struct ID: Sendable, Hashable {
    /// The identity as a number.
    public let rawValue: UInt64

    /// The identity with this number.
    public init(rawValue: UInt64) { self.rawValue = rawValue }
  }

  /// The identity of the row.
  public let id: ID
  /// The item that the row plays.
  public let item: MediaItem

  /// Whether this is the current row: the one that plays, or would play.
  public let isCurrent: Bool
  /// Whether the file was found to be gone.
  public let isMissing: Bool
  /// Why the row can't be played, as found when it was tried; nil if it can be, or if nobody has tried.
  public let whyUnplayable: String?

  /// The row that the agent describes; nil if the description is of an item that is not in the queue.
  init?(_ face: ItemFace) {
    guard let entry = face.entry else { return nil }
    (id, item) = (ID(rawValue: entry.rawValue), MediaItem(face))
    (isCurrent, isMissing, whyUnplayable) = (face.isCurrent, face.isMissing, face.unplayable)
  }

  /// The current row, from a description that leaves out that it is.
  static func current(_ face: ItemFace) -> QueueEntry? {
    var current = face
    current.isCurrent = true
    return QueueEntry(current)
  }
}
