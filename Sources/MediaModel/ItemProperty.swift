// SPDX-License-Identifier: MIT

/// Something that can be asked of an item: what a query may filter by, sort by and group by. The raw value is the name
/// that people and scripts write, the same as in the item's JSON.
package enum ItemProperty: String, Sendable, Hashable, CaseIterable {
  case id, title, artist, album, albumArtist, composer, genre
  case duration, track, trackCount, disc, discCount
  case date, year, bpm, comment, lyrics, compilation, cloud, podcast, mediaType
  case albumID, artistID, albumArtistID, genreID, composerID, podcastID
  case url, artUrl
  case rating, playCount, skipCount, lastPlayed, added

  /// What kind of value a property has.
  package enum Kind: Sendable, Hashable {
    /// Words. An item may have several, such as two artists.
    case text
    /// A whole number or one with a fraction.
    case number
    /// A length of time, in seconds.
    case duration
    /// A date that may lack its day or its month.
    case date
    /// A second of history.
    case moment
    case flag
    /// One of the names of `MediaType`.
    case mediaType
    /// A number that the library gave to an item, or to a name that items bear.
    case identifier
  }

  package var kind: Kind {
    switch self {
    case .title, .artist, .album, .albumArtist, .composer, .genre, .comment, .lyrics, .podcast, .url, .artUrl:
      .text
    case .track, .trackCount, .disc, .discCount, .year, .bpm, .rating, .playCount, .skipCount: .number
    case .duration: .duration
    case .date: .date
    case .lastPlayed, .added: .moment
    case .compilation, .cloud: .flag
    case .mediaType: .mediaType
    case .id, .albumID, .artistID, .albumArtistID, .genreID, .composerID, .podcastID: .identifier
    }
  }

  /// Whether an item can have several values of it.
  package var isSeveral: Bool {
    switch self {
    case .artist, .albumArtist, .composer, .genre, .artistID, .albumArtistID, .composerID, .genreID: true
    default: false
    }
  }

  /// Whether a predicate may ask for it. Pictures and lyrics are too large to be looked through for each item.
  package var canFilter: Bool { self != .artUrl && self != .lyrics }

  /// Whether items can be put in order by it. The numbers that stand for names say nothing about their order.
  package var canSort: Bool {
    switch self {
    case .artUrl, .lyrics, .comment, .albumID, .artistID, .albumArtistID, .genreID, .composerID, .podcastID:
      false
    default: true
    }
  }

  /// Whether items can be gathered into collections by it.
  package var canGroup: Bool {
    switch self {
    case .title, .album, .artist, .albumArtist, .composer, .genre, .podcast: true
    default: false
    }
  }

  /// The properties that a predicate may ask for, in the order of the names people see.
  package static var filterable: [ItemProperty] { allCases.filter(\.canFilter) }
  package static var sortable: [ItemProperty] { allCases.filter(\.canSort) }
}
