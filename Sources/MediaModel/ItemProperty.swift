// SPDX-License-Identifier: MIT

/// A property of an item, such as its artist: a query may filter, sort and group by it. The raw value is the name that people and scripts write, the
/// same as in the item's JSON.
package enum ItemProperty: String, Sendable, Hashable, CaseIterable {
  case id, title, artist, album, albumArtist, composer, genre
  case duration, track, trackCount, disc, discCount
  case date, year, bpm, comment, lyrics, compilation, cloud, podcast, mediaType
  case albumID, artistID, albumArtistID, genreID, composerID, podcastID
  case url, artUrl
  case rating, playCount, skipCount, lastPlayed, added

  /// The type of a property's value.
  package enum Kind: Sendable, Hashable {
    /// Text. An item may have several values, such as two artists.
    case text
    /// A whole number or one with a fraction.
    case number
    /// A length of time, in seconds.
    case duration
    /// A date that may lack its day or its month.
    case date
    /// A moment, exact to the second, such as the time of the last play.
    case moment
    case flag
    /// A media type: whether the item is a song, a podcast or an audiobook.
    case mediaType
    /// An ID that the library gave to an item, or to a name that items share, such as an artist's.
    case identifier

    /// Whether the values are dates or moments; in a query, both are written as dates.
    package var isTime: Bool { self == .date || self == .moment }
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

  /// Whether a predicate may test this property. Pictures and lyrics are too large to be searched in each item.
  package var canFilter: Bool { self != .artUrl && self != .lyrics }

  /// Whether items can be sorted by this property. The IDs of names have no useful order.
  package var canSort: Bool {
    switch self {
    case .artUrl, .lyrics, .comment, .albumID, .artistID, .albumArtistID, .genreID, .composerID, .podcastID:
      false
    default: true
    }
  }

  /// The properties that a predicate may test, in the order in which people see their names.
  package static var filterable: [ItemProperty] { allCases.filter(\.canFilter) }
  package static var sortable: [ItemProperty] { allCases.filter(\.canSort) }
}
