// SPDX-License-Identifier: MIT
package import MediaModel

/// A question to the library: which of its items, in which order, and how many of them. Items whose files are missing are never in the answer.
package struct ItemQuery: Sendable, Hashable {
  /// The condition that items must meet; nil for all items.
  package var predicate: Predicate?
  /// Words that the user types to search, split by `TextFolding.words`. Each has to be in an item's title, artists, album, album artists, composers
  /// or genres.
  package var words: [String]
  /// The properties to sort by, the most important first. Without any, items are in the order of the shelf: by the album's artist, the album, the
  /// disc and the track; on no album, tracks with equal numbers, or none, are in the order of their titles.
  package var sort: [SortKey]
  /// How many items or collections the answer has at most; nil for all.
  package var limit: Int?
  /// How many items or collections are skipped at the beginning.
  package var offset: Int

  package init(
    _ predicate: Predicate? = nil, search: String = "", sort: [SortKey] = [], limit: Int? = nil,
    offset: Int = 0
  ) {
    (self.predicate, words, self.sort) = (predicate, Self.words(search), sort)
    (self.limit, self.offset) = (limit, offset)
  }

  /// The most words that are looked for. Further ones are ignored, so that somebody who pastes a whole page into the search field still gets an
  /// answer.
  private static let mostWords = 16

  /// The items that are asked for by their numbers, each once, if that is the only condition; nil otherwise. They can be looked up one by one, and no other
  /// item need be looked at.
  package var namedItems: [Int64]? {
    guard words.isEmpty, case .test(let test)? = predicate, test.property == .id else { return nil }
    let choices: [PropertyTest.Choice]
    switch test.comparison {
    case .equals(let value): choices = [.one(value)]
    case .isAmong(let values): choices = values
    default: return nil
    }
    var numbers: Set<Int64> = []
    for choice in choices {
      guard case .one(.number(let number)) = choice else { return nil }
      if let number = Int64(exactly: number) { numbers.insert(number) }
    }
    return numbers.sorted()
  }

  private static func words(_ search: String) -> [String] {
    Array(TextFolding.words(search).prefix(mostWords))
  }
}

/// A property to sort items by, and the direction.
package struct SortKey: Sendable, Hashable, CustomStringConvertible {
  package let property: ItemProperty
  package let isDescending: Bool

  /// The key that sorts by this property. If nothing can be sorted by it, throws an error that names the properties that are allowed.
  package init(_ property: ItemProperty, isDescending: Bool = false) throws(PredicateError) {
    guard property.canSort else {
      throw PredicateError(
        "can't sort by \(property.rawValue): it has no order; allowed are \(ItemProperty.names(ItemProperty.sortable))"
      )
    }
    (self.property, self.isDescending) = (property, isDescending)
  }

  package var description: String { (isDescending ? "-" : "") + property.rawValue }

  /// The keys in a list such as `year,-title`, where a minus means descending order.
  ///
  /// - Throws: if a name is unknown or can't be sorted by. The error points at it.
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

/// The properties by which items are gathered into collections.
package enum Grouping: String, Sendable, Hashable, CaseIterable {
  case title, album, artist, albumArtist, composer, genre, playlist, podcast

  /// The grouping with this name.
  ///
  /// - Throws: an error that lists the possible names.
  package static func named(_ name: String) throws(PredicateError) -> Grouping {
    if let grouping = Grouping(rawValue: name) { return grouping }
    let names = allCases.map(\.rawValue).joined(separator: ", ")
    throw PredicateError("can't group by \(name); allowed are \(names)", in: name)
  }

  /// The kind of name in the library's table `name` by which items are gathered; nil for titles, albums and playlists, which are not in it.
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

/// The lists that every music program has, such as the albums, by their names on the command line.
package enum LibraryList: String, Sendable, CaseIterable {
  case list, albums, artists, songs, genres, composers, compilations, playlists, podcasts, audiobooks

  /// The query for the list, and the property by which its items are gathered into collections; nil if the items themselves are listed.
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

  // Neither `try?` ever gives nil, as titles can be sorted by and media types tested.
  private static let byTitle = [try? SortKey(.title)].compactMap { $0 }
  private static func only(_ type: MediaType) -> Predicate? {
    (try? PropertyTest(.mediaType, .equals(.text(type.rawValue)))).map(Predicate.test)
  }
}

/// An item with the facts that the library has about it.
package struct LibraryItem: Sendable, Hashable {
  /// The IDs that the library has for an item's album, artist and so on; if it has several artists, for example, the ID of the first.
  package struct NameIDs: Sendable, Hashable {
    package var album, artist, albumArtist, composer, genre, podcast: Int64?

    package init() {}
  }

  package var item: MediaItem
  package var names: NameIDs
  /// The podcast to which the item belongs; nil for music.
  package var podcast: String?
  /// When the item was added to the library, in seconds since 1970 in UTC.
  package var added: Int64
  package var hasPicture: Bool
  /// Why the last reading of the file failed; nil if it did not.
  package var failure: String?

  package init(
    _ item: MediaItem, names: NameIDs = NameIDs(), podcast: String? = nil, added: Int64 = 0,
    hasPicture: Bool = false, failure: String? = nil
  ) {
    (self.item, self.names, self.podcast) = (item, names, podcast)
    (self.added, self.hasPicture, self.failure) = (added, hasPicture, failure)
  }
}

/// A part of the items that a query finds, and the number of all of them.
package struct ItemPage: Sendable, Hashable {
  package var items: [LibraryItem]
  package var total: Int

  package init(items: [LibraryItem] = [], total: Int = 0) { (self.items, self.total) = (items, total) }
}

/// Items that have a value in common, such as an album.
package struct ItemCollection: Sendable, Hashable {
  /// The library's ID of the album, artist or other name that the items have in common; nil for titles and playlists.
  package var id: Int64?
  package var title: String
  /// The letter under which the collection is listed.
  package var section: String
  package var count: Int
  package var duration: Duration
  /// An item that represents the collection: one with a picture if there is one.
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

/// A query that was saved under a name. Its items are queried each time, so it is never out of date.
package struct SmartPlaylist: Sendable, Hashable {
  package var name: String
  /// The condition that the playlist's items meet.
  package var predicate: Predicate
  /// The order of the playlist's items; if empty, by the album's artist, the album, the disc and the track.
  package var sort: [SortKey]
  /// How many items the playlist has at most; nil for all. Together with an order this makes lists such as the fifty that were played last.
  package var limit: Int?

  package init(_ name: String, _ predicate: Predicate, sort: [SortKey] = [], limit: Int? = nil) {
    (self.name, self.predicate, self.sort, self.limit) = (name, predicate, sort, limit)
  }

  /// Reads a smart playlist from the texts that people write and that are stored. `sort` is a list such as `-year,title`, or empty.
  ///
  /// - Throws: if the expression or the order is not valid; the error points at the place.
  package init(_ name: String, expression: String, sort: String, limit: Int?) throws(PredicateError) {
    self.init(
      name, try Predicate(expression), sort: sort.isEmpty ? [] : try SortKey.list(sort), limit: limit)
  }

  /// The order as text, which `init` can read.
  package var sortText: String { sort.map(\.description).joined(separator: ",") }

  /// The query for the playlist's items. `rows` selects a range of them, counted from 0; nil for all.
  package func query(rows: Range<Int>? = nil) -> ItemQuery {
    let end = limit ?? .max
    guard let rows else { return ItemQuery(predicate, sort: sort, limit: limit) }
    let start = min(rows.lowerBound, end)
    return ItemQuery(
      predicate, sort: sort, limit: min(rows.count, end - start), offset: start)
  }

  /// How many items the playlist has if `count` items meet the predicate.
  package func count(ofAll count: Int) -> Int { min(count, limit ?? .max) }
}
