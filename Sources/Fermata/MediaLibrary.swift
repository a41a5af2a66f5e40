// SPDX-License-Identifier: MIT
import AgentAccess
import CommandModel
import FaceModel
import LibraryQuery
import MediaModel
import PlaybackLogic

/// The music library of the desktop session's player.
public struct MediaLibrary: Sendable {
  package let core: PlayerCore

  /// The library of the player of the desktop session.
  public static let `default` = MediaLibrary(of: .system)

  /// The library that a player uses.
  package init(of player: MusicPlayer) { core = player.core }

  /// The numbers of items that were added, changed and removed.
  public struct Change: Sendable, Hashable {
    /// How many items were added.
    public let added: Int
    /// How many items have changed.
    public let changed: Int
    /// How many items were removed.
    public let removed: Int
  }

  /// The changes of the library, each when items were added, removed, retagged or rated. Changes within a quarter of a second come as one. Begin to read
  /// before you ask for what you show. Another player may have changed what nobody told: when one comes, a change without numbers is told.
  public var changes: Updates<Change> {
    core.events(whenAnotherComes: Change(added: 0, changed: 0, removed: 0)) { news in
      guard case .library(let added, let changed, let removed) = news else { return nil }
      return Change(added: added, changed: changed, removed: removed)
    }
  }

  /// Everything that is known of an item, its lyrics too.
  public func item(_ id: MediaItem.PersistentID) async throws(MusicError) -> MediaItem {
    try await core.ask { agent async throws(CommandError) in MediaItem(try await agent.item(id.model)) }
  }

  /// Rates an item with 1 to 5 stars; 0 removes the rating. The files are not changed. Throws for another number.
  public func setRating(_ rating: Int, of id: MediaItem.PersistentID) async throws(MusicError) {
    guard (0...5).contains(rating) else {
      throw MusicError(.invalidArgument, "rating \(rating)", "it is from 0 to 5")
    }
    try await core.ask { agent async throws(CommandError) in try await agent.rate(id.model, rating) }
  }

  /// The note that was stored with an item under a key, which may be any text; nil if there is none.
  public func note(forKey key: String, of id: MediaItem.PersistentID) async throws(MusicError) -> String? {
    let note = try await core.ask { agent async throws(CommandError) in
      try await agent.note(id.model, key: key)
    }
    return note.isEmpty ? nil : note
  }

  /// Stores a note with an item under a key, which may be any text; nil removes the note.
  public func setNote(
    _ text: String?, forKey key: String, of id: MediaItem.PersistentID
  ) async throws(MusicError) {
    try await core.ask { agent async throws(CommandError) in
      try await agent.setNote(id.model, key: key, text ?? "")
    }
  }

  /// The picture of an item as a `file:` URI, which fits into `size` times `size` pixels. If the item has none, one is drawn. Nil for the picture's own
  /// size; then an item without a picture is an error.
  ///
  /// The file may be deleted later, when newer pictures need its room: open it at once, or ask again.
  public func artworkURL(of id: MediaItem.PersistentID, size: Int? = nil) async throws(MusicError) -> String {
    try MusicError.check(artworkSize: size)
    return try await core.ask { agent async throws(CommandError) in
      try await agent.art(id.model, size: size).uri
    }
  }
}

/// A query: which items of the library, in which order, and how they are grouped.
public struct MediaQuery: Sendable {
  /// The property by which items are grouped into collections.
  public enum Grouping: String, Sendable, Hashable, CaseIterable {
    /// Each title is a collection of its own.
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

  /// The conditions that items must meet. If there are none, all items of the library are found.
  public var filterPredicates: [MediaPropertyPredicate]
  /// Words that an item must have in its title, names or genre, each as a part of a word; empty for none.
  public var searchText = ""
  /// The property by which `collections` groups the items.
  public var groupingType: Grouping
  /// The properties to sort by, the most important first. A collection is sorted by the smallest value among its items, or by the largest if the order
  /// is descending; by length and by counts it is sorted by the sum. Collections that are equal in all of them, or all if there is no property, stand in
  /// the order of their names.
  public var sortKeys: [SortKey] = []
  /// The most items or collections to return; nil for all.
  public var limit: Int?
  private let library: MediaLibrary

  /// A property to sort by, and the direction.
  public struct SortKey: Sendable, Hashable {
    let text: String

    /// Sorts from the smallest value to the largest.
    public static func ascending(_ property: MediaItem.Property) -> Self { Self(text: property.rawValue) }
    /// Sorts from the largest value to the smallest.
    public static func descending(_ property: MediaItem.Property) -> Self {
      Self(text: "-" + property.rawValue)
    }
  }

  /// A query to a library.
  public init(
    _ filterPredicates: [MediaPropertyPredicate] = [], search: String = "",
    groupedBy grouping: Grouping = .title,
    sortedBy sortKeys: [SortKey] = [], limit: Int? = nil, in library: MediaLibrary = .default
  ) {
    (self.filterPredicates, searchText, groupingType) = (filterPredicates, search, grouping)
    (self.sortKeys, self.limit, self.library) = (sortKeys, limit, library)
  }

  private init(_ list: LibraryList, _ grouping: Grouping, _ library: MediaLibrary) {
    let predicates = list.question.query.predicate.map { [MediaPropertyPredicate($0)] } ?? []
    self.init(predicates, groupedBy: grouping, in: library)
  }

  /// All music, as single items.
  public static func songs(in library: MediaLibrary = .default) -> Self { Self(.songs, .title, library) }
  /// All music, grouped by albums.
  public static func albums(in library: MediaLibrary = .default) -> Self { Self(.albums, .album, library) }
  /// All music, grouped by artists.
  public static func artists(in library: MediaLibrary = .default) -> Self { Self(.artists, .artist, library) }
  /// All music, grouped by genres.
  public static func genres(in library: MediaLibrary = .default) -> Self { Self(.genres, .genre, library) }
  /// All music, grouped by composers.
  public static func composers(in library: MediaLibrary = .default) -> Self {
    Self(.composers, .composer, library)
  }
  /// Albums with tracks by several artists.
  public static func compilations(in library: MediaLibrary = .default) -> Self {
    Self(.compilations, .album, library)
  }
  /// All saved playlists.
  public static func playlists(in library: MediaLibrary = .default) -> Self {
    Self(.playlists, .playlist, library)
  }
  /// All podcasts.
  public static func podcasts(in library: MediaLibrary = .default) -> Self {
    Self(.podcasts, .podcastTitle, library)
  }
  /// All audiobooks.
  public static func audiobooks(in library: MediaLibrary = .default) -> Self {
    Self(.audiobooks, .title, library)
  }

  /// Adds a condition; items must then meet it as well.
  public mutating func addFilterPredicate(_ predicate: MediaPropertyPredicate) {
    filterPredicates.append(predicate)
  }

  // MARK: Asking

  /// The items that the query finds, in the order of `sortKeys`. Without any, that is the order of a shelf: by album artist, album, disc and track. Of
  /// a query of playlists they are the items of one playlist after the other.
  public var items: [MediaItem] {
    get async throws(MusicError) {
      if groupingType == .playlist { return try await itemsOfPlaylists() }
      let request = request
      return try await library.core.ask { agent async throws(CommandError) in
        try await agent.items(request).items.map { MediaItem($0) }
      }
    }
  }

  /// The items that the query finds, in groups such as albums.
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

  /// The IDs of the items that the query finds. They cost less than the items, and are enough to fill a queue.
  public var persistentIDs: [MediaItem.PersistentID] {
    get async throws(MusicError) {
      if groupingType == .playlist { return try await itemsOfPlaylists().compactMap(\.persistentID) }
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

  /// The items of the playlists that the query finds, one playlist after the other.
  private func itemsOfPlaylists() async throws(MusicError) -> [MediaItem] {
    var items: [MediaItem] = []
    for playlist in try await collections { items += try await playlist.items }
    return items
  }

  /// The items of one of this query's collections, in the order of a shelf. The limit and the order are those of the collections, not of the items in
  /// one.
  fileprivate func items(of collection: MediaItemCollection) async throws(MusicError) -> [MediaItem] {
    var all = self
    (all.limit, all.sortKeys) = (nil, [])
    if groupingType == .playlist { return try await all.items(ofPlaylist: collection.title) }
    guard let test = collection.test else { return [] }
    all.addFilterPredicate(try MediaPropertyPredicate(text: test))
    return try await all.items
  }

  /// The items of a playlist that the query finds, in the order of the playlist.
  private func items(ofPlaylist name: String) async throws(MusicError) -> [MediaItem] {
    let items = try await library.core.ask { agent async throws(CommandError) in
      try await agent.items(ofPlaylist: name).map { MediaItem($0) }
    }
    guard !filterPredicates.isEmpty || !searchText.isEmpty else { return items }
    var all = self
    all.groupingType = .title
    let found = Set(try await all.persistentIDs)
    return items.filter { $0.persistentID.map(found.contains) ?? false }
  }
}

/// Items that have a value in common, such as the tracks of an album.
public struct MediaItemCollection: Sendable, Hashable, Identifiable {
  /// Tells it from the other collections of the query, also from those with the same title.
  public var id: String { test ?? title }
  /// The value that the items have in common; empty for those without one.
  public let title: String
  /// The letter under which the collection appears in a list.
  public let section: String
  /// The number of items in the collection.
  public let count: Int
  /// The length of all items of the collection together.
  public let playbackDuration: Duration
  /// One of its items, to show its picture and its artist.
  public let representativeItem: MediaItem?
  /// The condition that only its items meet; nil if there is none.
  fileprivate let test: String?
  private let query: MediaQueryBox

  init(_ face: CollectionFace, of query: MediaQuery) {
    (title, section, count) = (face.title, face.section, face.count)
    (playbackDuration, representativeItem) = (face.duration, face.representative.map { MediaItem($0) })
    test = face.test(groupedBy: query.groupingType.rawValue)
    self.query = MediaQueryBox(query: query)
  }

  /// The items of the collection, as they are in the library now.
  public var items: [MediaItem] {
    get async throws(MusicError) { try await query.query.items(of: self) }
  }
}

/// Holds the query of a collection, and is equal to any other, so that two collections are compared by their values only.
private struct MediaQueryBox: Sendable, Hashable {
  let query: MediaQuery

  static func == (first: Self, second: Self) -> Bool { true }
  func hash(into hasher: inout Hasher) {}
}

extension MediaItem.PersistentID {
  fileprivate var model: MediaModel.MediaItem.ID { MediaModel.MediaItem.ID(rawValue: rawValue) }
}
