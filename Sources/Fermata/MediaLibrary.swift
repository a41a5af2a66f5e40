// SPDX-License-Identifier: MIT
import AgentAccess
import CommandModel
import FaceModel
import LibraryQuery
import MediaModel
import PlaybackLogic

/// The music on disk, as the player of the desktop session knows it.
public struct MediaLibrary: Sendable {
  package let core: PlayerCore

  /// The library of the session's player.
  public static let `default` = MediaLibrary(of: .system)

  /// The library of a player.
  package init(of player: MusicPlayer) { core = player.core }

  /// How many items came, changed and went.
  public struct Change: Sendable, Hashable {
    /// How many items are new.
    public let added: Int
    /// Of how many items something else is known.
    public let changed: Int
    /// How many items are gone.
    public let removed: Int
  }

  /// Comes when files were added, tagged anew or removed. Changes within a quarter of a second come as one.
  public var changes: Updates<Change> {
    core.events { news in
      guard case .library(let added, let changed, let removed) = news else { return nil }
      return Change(added: added, changed: changed, removed: removed)
    }
  }

  /// All that is known of an item, its lyrics too.
  public func item(_ id: MediaItem.PersistentID) async throws(MusicError) -> MediaItem {
    try await core.ask { agent async throws(CommandError) in MediaItem(try await agent.item(id.model)) }
  }

  /// Rates an item from 1 to 5; 0 takes the rating away. The files stay as they are.
  public func rate(_ id: MediaItem.PersistentID, _ rating: Int) async throws(MusicError) {
    guard (0...5).contains(rating) else {
      throw MusicError(.refused, "rating \(rating)", "it is from 0 to 5")
    }
    try await core.ask { agent async throws(CommandError) in try await agent.rate(id.model, rating) }
  }

  /// What was noted of an item under a key; nil if nothing was.
  public func note(_ id: MediaItem.PersistentID, key: String) async throws(MusicError) -> String? {
    let note = try await core.ask { agent async throws(CommandError) in
      try await agent.note(id.model, key: key)
    }
    return note.isEmpty ? nil : note
  }

  /// Notes something of an item; nil removes the note.
  public func setNote(
    _ id: MediaItem.PersistentID, key: String, _ text: String?
  ) async throws(MusicError) {
    try await core.ask { agent async throws(CommandError) in
      try await agent.setNote(id.model, key: key, text ?? "")
    }
  }

  /// The path of a file with the picture of an item, which fits into `size` times `size` pixels; nil for the picture's own size.
  public func artwork(of id: MediaItem.PersistentID, size: Int? = nil) async throws(MusicError) -> String {
    try await core.ask { agent async throws(CommandError) in
      try await agent.art(id.model, size: size).file.text
    }
  }
}

/// Which items of the library are wanted, in which order, and what they are grouped by.
public struct MediaQuery: Sendable {
  /// What makes items belong together.
  public enum Grouping: String, Sendable, Hashable, CaseIterable {
    /// Each title by itself.
    case title
    /// Albums, each with its artist.
    case album
    /// The artists of the tracks.
    case artist
    /// The artists of whole albums.
    case albumArtist
    /// Composers.
    case composer
    /// Genres.
    case genre
    /// Saved playlists, plain and smart ones.
    case playlist
    /// Podcasts.
    case podcastTitle = "podcast"
  }

  /// All of these have to be met. Without any, all items of the library are meant.
  public var filterPredicates: [MediaPropertyPredicate]
  /// Words that an item must have in its title, names or genre, each as a part of a word; empty for none.
  public var searchText = ""
  /// What `collections` gathers the items by.
  public var groupingType: Grouping
  /// The properties to sort by, the most important first.
  public var sortKeys: [SortKey] = []
  /// The most items or collections that are wanted; nil for all.
  public var limit: Int?
  private let library: MediaLibrary

  /// A property to sort by, and in which direction.
  public struct SortKey: Sendable, Hashable {
    let text: String

    /// From the smallest value to the largest.
    public static func ascending(_ property: MediaItem.Property) -> Self { Self(text: property.rawValue) }
    /// From the largest value to the smallest.
    public static func descending(_ property: MediaItem.Property) -> Self {
      Self(text: "-" + property.rawValue)
    }
  }

  /// A query of a library.
  public init(
    _ filterPredicates: [MediaPropertyPredicate] = [], groupedBy grouping: Grouping = .title,
    in library: MediaLibrary = .default
  ) {
    (self.filterPredicates, groupingType, self.library) = (filterPredicates, grouping, library)
  }

  private init(_ list: LibraryList, _ grouping: Grouping, _ library: MediaLibrary) {
    let predicates = list.question.query.predicate.map { [MediaPropertyPredicate($0)] } ?? []
    self.init(predicates, groupedBy: grouping, in: library)
  }

  /// The music, one item after another.
  public static func songs(in library: MediaLibrary = .default) -> Self { Self(.songs, .title, library) }
  /// The music by albums.
  public static func albums(in library: MediaLibrary = .default) -> Self { Self(.albums, .album, library) }
  /// The music by artists.
  public static func artists(in library: MediaLibrary = .default) -> Self { Self(.artists, .artist, library) }
  /// The music by genres.
  public static func genres(in library: MediaLibrary = .default) -> Self { Self(.genres, .genre, library) }
  /// The music by composers.
  public static func composers(in library: MediaLibrary = .default) -> Self {
    Self(.composers, .composer, library)
  }
  /// The albums of several artists.
  public static func compilations(in library: MediaLibrary = .default) -> Self {
    Self(.compilations, .album, library)
  }
  /// The playlists.
  public static func playlists(in library: MediaLibrary = .default) -> Self {
    Self(.playlists, .playlist, library)
  }
  /// The podcasts.
  public static func podcasts(in library: MediaLibrary = .default) -> Self {
    Self(.podcasts, .podcastTitle, library)
  }
  /// The audiobooks.
  public static func audiobooks(in library: MediaLibrary = .default) -> Self {
    Self(.audiobooks, .title, library)
  }

  /// Adds a condition, which has to be met as well as those before.
  public mutating func addFilterPredicate(_ predicate: MediaPropertyPredicate) {
    filterPredicates.append(predicate)
  }

  // MARK: Asking

  /// The items that are meant.
  public var items: [MediaItem] {
    get async throws(MusicError) {
      let request = request
      return try await library.core.ask { agent async throws(CommandError) in
        try await agent.items(request).items.map { MediaItem($0) }
      }
    }
  }

  /// The items in groups: the albums, for example.
  public var collections: [MediaItemCollection] {
    get async throws(MusicError) {
      var request = request
      request.group = groupingType.rawValue
      let (query, asked) = (self, request)
      return try await library.core.ask { agent async throws(CommandError) in
        try await agent.collections(asked).collections.map { MediaItemCollection($0, of: query) }
      }
    }
  }

  /// The numbers of the items, which is cheaper than the items: for a queue they are enough.
  public var persistentIDs: [MediaItem.PersistentID] {
    get async throws(MusicError) {
      let request = request
      return try await library.core.ask { agent async throws(CommandError) in
        try await agent.numbers(request).map { MediaItem.PersistentID(rawValue: $0.rawValue) }
      }
    }
  }

  private var request: LibraryRequest {
    let predicate = Predicate.all(filterPredicates.map(\.predicate))
    return LibraryRequest(
      filterPredicates.isEmpty ? "" : predicate.description, search: searchText, sort: sortKeys.map(\.text),
      limit: limit)
  }

  /// The query for the items of one collection of this query.
  fileprivate func narrowed(to title: String) -> MediaQuery? {
    guard let property = MediaItem.Property(rawValue: groupingType.rawValue),
      let predicate = try? MediaPropertyPredicate(title, forProperty: property)
    else { return nil }
    var query = self
    query.addFilterPredicate(predicate)
    return query
  }
}

/// Items that belong together, such as an album.
public struct MediaItemCollection: Sendable, Hashable {
  /// The value that the items share; empty for those that have none.
  public let title: String
  /// The letter under which the title stands in a long list.
  public let section: String
  /// How many items it has.
  public let count: Int
  /// How long the items are together.
  public let playbackDuration: Duration
  /// One of the items, to show its picture and its artist.
  public let representativeItem: MediaItem?
  private let query: MediaQueryBox

  init(_ face: CollectionFace, of query: MediaQuery) {
    (title, section, count) = (face.title, face.section, face.count)
    (playbackDuration, representativeItem) = (face.duration, face.representative.map { MediaItem($0) })
    self.query = MediaQueryBox(query: query)
  }

  /// The items of the collection, as the library has them now.
  public var items: [MediaItem] {
    get async throws(MusicError) { try await query.query.narrowed(to: title)?.items ?? [] }
  }
}

/// Keeps the query of a collection out of the question whether two collections are the same.
private struct MediaQueryBox: Sendable, Hashable {
  let query: MediaQuery

  static func == (first: Self, second: Self) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}

extension MediaItem.PersistentID {
  fileprivate var model: MediaModel.MediaItem.ID { MediaModel.MediaItem.ID(rawValue: rawValue) }
}
