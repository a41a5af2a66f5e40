// SPDX-License-Identifier: MIT
package import MediaModel

/// A question to the library: which of its items, in which order, and how many of them. Items whose files are missing
/// are never among them.
package struct ItemQuery: Sendable, Hashable {
  /// Nil for every item.
  package var predicate: Predicate?
  /// Words that are typed to search, as `TextFolding.words` cuts them. Each has to be somewhere in an item's title, artists,
  /// album, album artists, composers or genres.
  package var words: [String]
  /// What the order depends on, the most important first. Without any, items stand as in a shelf of albums: by the
  /// album's artist, the album, the disc and the track.
  package var sort: [SortKey]
  /// How many items or collections are given; nil for all.
  package var limit: Int?
  /// How many are left out at the beginning.
  package var offset: Int

  package init(
    _ predicate: Predicate? = nil, search: String = "", sort: [SortKey] = [], limit: Int? = nil,
    offset: Int = 0
  ) {
    (self.predicate, words, self.sort) = (predicate, Self.words(search), sort)
    (self.limit, self.offset) = (limit, offset)
  }

  /// The most words that are looked for; whoever pastes a page into the search field gets an answer all the same.
  private static let mostWords = 16

  private static func words(_ search: String) -> [String] {
    Array(TextFolding.words(search).prefix(mostWords))
  }
}

/// A property by which items are put in order.
package struct SortKey: Sendable, Hashable, CustomStringConvertible {
  package let property: ItemProperty
  package let isDescending: Bool

  /// - Throws: if nothing can be sorted by the property. The error names those that are allowed.
  package init(_ property: ItemProperty, isDescending: Bool = false) throws(PredicateError) {
    guard property.canSort else {
      throw PredicateError(
        "can't sort by \(property.rawValue): it has no order; allowed are \(ItemProperty.names(ItemProperty.sortable))"
      )
    }
    (self.property, self.isDescending) = (property, isDescending)
  }

  package var description: String { (isDescending ? "-" : "") + property.rawValue }

  /// The keys of a list such as `year,-title`, where a minus turns the order round.
  /// - Throws: if a name is unknown or has no order. The error points at it.
  package static func list(_ text: String) throws(PredicateError) -> [SortKey] {
    var keys: [SortKey] = []
    var offset = 0
    for part in text.split(separator: ",", omittingEmptySubsequences: false).prefix(32) {
      let isDescending = part.utf8.first == UInt8(ascii: "-")
      let name = String(isDescending ? part.dropFirst() : part)
      guard let property = ItemProperty(rawValue: name) else {
        throw PredicateError(
          "there is no property \(name)\(NameGuess.hint(for: name, among: ItemProperty.sortable))", in: text,
          at: offset)
      }
      do throws(PredicateError) { keys.append(try SortKey(property, isDescending: isDescending)) } catch {
        throw PredicateError(error.message, in: text, at: offset)
      }
      offset += part.utf8.count + 1
    }
    return keys
  }
}

/// What items are gathered by into collections.
package enum Grouping: String, Sendable, Hashable, CaseIterable {
  case title, album, artist, albumArtist, composer, genre, playlist, podcast

  /// The grouping of this name.
  /// - Throws: an error that names those there are.
  package static func named(_ name: String) throws(PredicateError) -> Grouping {
    if let grouping = Grouping(rawValue: name) { return grouping }
    let names = allCases.map(\.rawValue).joined(separator: ", ")
    throw PredicateError("can't group by \(name); allowed are \(names)", in: name)
  }

  /// The kind of name that the collections have; nil for titles, albums and playlists.
  var nameKind: LibraryTables.NameKind? {
    switch self {
    case .artist: .artist
    case .albumArtist: .albumArtist
    case .composer: .composer
    case .genre: .genre
    case .podcast: .podcast
    case .title, .album, .playlist: nil
    }
  }
}

/// The lists that every music program has, by their names on the command line.
package enum LibraryList: String, Sendable, CaseIterable {
  case list, albums, artists, songs, genres, composers, compilations, playlists, podcasts, audiobooks

  /// What the list asks, and what it gathers the items by; nil if it is a list of items.
  package var question: (query: ItemQuery, grouping: Grouping?) {
    switch self {
    case .list: (ItemQuery(), nil)
    case .songs: (ItemQuery(Self.only(.music), sort: Self.byTitle), nil)
    case .albums: (ItemQuery(Self.only(.music)), .album)
    case .artists: (ItemQuery(Self.only(.music)), .artist)
    case .genres: (ItemQuery(Self.only(.music)), .genre)
    case .composers: (ItemQuery(Self.only(.music)), .composer)
    case .compilations: (ItemQuery((try? PropertyTest(.compilation, .isTrue)).map(Predicate.test)), .album)
    case .playlists: (ItemQuery(), .playlist)
    case .podcasts: (ItemQuery(Self.only(.podcast)), .podcast)
    case .audiobooks: (ItemQuery(Self.only(.audiobook)), nil)
    }
  }

  // Both are made of properties that allow it, so neither is ever missing.
  private static let byTitle = [try? SortKey(.title)].compactMap { $0 }
  private static func only(_ type: MediaType) -> Predicate? {
    (try? PropertyTest(.mediaType, .equals(.text(type.rawValue)))).map(Predicate.test)
  }
}

/// An item as the library knows it.
package struct LibraryItem: Sendable, Hashable {
  /// The numbers of names that an item bears; of the first where it bears several.
  package struct NameIDs: Sendable, Hashable {
    package var album, artist, albumArtist, composer, genre, podcast: Int64?

    package init() {}
  }

  package var item: MediaItem
  package var names: NameIDs
  /// The podcast to which the item belongs; nil for music.
  package var podcast: String?
  /// When the library got it, in seconds since 1970 in UTC.
  package var added: Int64
  package var hasPicture: Bool
  /// Why the file could not be read the last time; nil if it could.
  package var failure: String?

  package init(
    _ item: MediaItem, names: NameIDs = NameIDs(), podcast: String? = nil, added: Int64 = 0,
    hasPicture: Bool = false, failure: String? = nil
  ) {
    (self.item, self.names, self.podcast) = (item, names, podcast)
    (self.added, self.hasPicture, self.failure) = (added, hasPicture, failure)
  }
}

/// A part of a query's items, and how many there are in all.
package struct ItemPage: Sendable, Hashable {
  package var items: [LibraryItem]
  package var total: Int

  package init(items: [LibraryItem] = [], total: Int = 0) { (self.items, self.total) = (items, total) }
}

/// Items that have a name in common.
package struct ItemCollection: Sendable, Hashable {
  /// The number of the album or the name; nil for titles and playlists.
  package var id: Int64?
  package var title: String
  /// The letter below which it stands in a list.
  package var section: String
  package var count: Int
  package var duration: Duration
  /// An item that stands for all, with a picture if one of them has one.
  package var representative: LibraryItem?

  package init(
    id: Int64? = nil, title: String, section: String, count: Int, duration: Duration,
    representative: LibraryItem? = nil
  ) {
    (self.id, self.title, self.section, self.count) = (id, title, section, count)
    (self.duration, self.representative) = (duration, representative)
  }
}

package struct CollectionPage: Sendable, Hashable {
  package var collections: [ItemCollection]
  package var total: Int

  package init(collections: [ItemCollection] = [], total: Int = 0) {
    (self.collections, self.total) = (collections, total)
  }
}
