// SPDX-License-Identifier: MIT
package import MediaModel

/// An order for tracks, such as the rows of the queue: by one property or by several, the most important first.
///
/// Each track gets a key of bytes that only have to be compared. So a hundred thousand tracks are sorted without keeping their tags in memory. Tracks
/// that are equal in all these properties keep their order. A track without a known value comes after the others, also in descending order. Tracks
/// that have not been read come last, in the order of their paths.
package struct TrackSort: Sendable, Hashable, CustomStringConvertible {
  package let keys: [SortKey]

  /// The most properties in one order.
  package static let mostKeys = 8

  /// The properties that tracks can be sorted by.
  package static let properties: [ItemProperty] = [
    .title, .artist, .album, .albumArtist, .composer, .genre, .track, .disc, .date, .year, .duration, .bpm,
    .rating,
    .playCount, .lastPlayed, .added, .url,
  ]

  /// The names of these properties, in the same order.
  package static let words = properties.map(word)

  /// The order by the album's artist, the album, the disc and the track.
  package static let byAlbum = TrackSort(keys: [try? SortKey(.album)].compactMap { $0 })

  private init(keys: [SortKey]) { self.keys = keys }

  /// The order that these words ask for: properties, each with a minus before it for descending order. A word may also be a list with commas. Without
  /// words it is the order by albums.
  ///
  /// - Throws: if there are too many, or if one of them can't be sorted by. The error suggests what was perhaps meant.
  package init(_ words: [String]) throws(PredicateError) {
    var keys: [SortKey] = []
    for word in words.lazy.flatMap({ $0.split(separator: ",") }) {
      guard keys.count < Self.mostKeys else {
        throw PredicateError("more than \(Self.mostKeys) properties are not looked at; name the first ones")
      }
      let isDescending = word.utf8.first == UInt8(ascii: "-")
      keys.append(try Self.key(String((isDescending ? word.dropFirst() : word).prefix(64)), isDescending))
    }
    self = keys.isEmpty ? Self.byAlbum : TrackSort(keys: keys)
  }

  private static func key(_ word: String, _ isDescending: Bool) throws(PredicateError) -> SortKey {
    let property = properties.first { Self.word($0) == word } ?? NameGuess.meant(by: word)
    guard let property, properties.contains(property) else {
      let advice =
        NameGuess.isRandom(word)
        ? "'fermata shuffle --now' puts rows into a random order"
        : NameGuess.nearest(to: word, among: properties).map { "did you mean '\(Self.word($0))'?" }
          ?? "allowed are \(words.joined(separator: ", "))"
      throw PredicateError("'\(word)' is nothing to sort by; \(advice)")
    }
    return try SortKey(property, isDescending: isDescending)
  }

  private static func word(_ property: ItemProperty) -> String {
    property == .url ? "path" : property.rawValue
  }

  /// The words that ask for this order.
  package var wordsOfKeys: [String] { keys.map { ($0.isDescending ? "-" : "") + Self.word($0.property) } }

  /// The order as people are shown it: `album`, or `artist, -year`.
  package var description: String { wordsOfKeys.joined(separator: ", ") }

  /// Whether sorting needs any facts about a track besides its path.
  package var needsFacts: Bool { keys.contains { $0.property != .url } }

  // MARK: Keys

  /// One value to compare, and the direction.
  private enum Term {
    case property(ItemProperty, isDescending: Bool)
    /// The album's place on the shelf: by its artist, then by its title.
    case shelf(isDescending: Bool)
  }

  /// The values to compare, in order. A property that many albums share is followed by the albums' order, and one that the tracks of an album share
  /// is followed by the tracks' order, unless the user asked for another.
  private var terms: [Term] {
    let asked = keys.flatMap { key -> [Term] in
      switch key.property {
      case .album: [.shelf(isDescending: key.isDescending)]
      case .track:
        [.property(.disc, isDescending: key.isDescending), .property(.track, isDescending: key.isDescending)]
      default: [.property(key.property, isDescending: key.isDescending)]
      }
    }
    let inAlbum = [Term.property(.disc, isDescending: false), .property(.track, isDescending: false)]
    switch keys.last?.property {
    case .artist, .albumArtist, .composer, .genre, .date, .year, .added:
      return asked + [.shelf(isDescending: false)] + inAlbum
    case .album: return asked + inAlbum
    default: return asked
    }
  }

  /// The bytes by which a track with these facts is sorted.
  package func key(of facts: TrackFacts, at path: [UInt8]) -> [UInt8] {
    var key = KeyBytes(isRead: true)
    for term in terms {
      switch term {
      case .shelf(let isDescending): key.append(facts.shelf, isDescending)
      case .property(let property, let isDescending): key.append(facts, property, at: path, isDescending)
      }
    }
    return key.bytes
  }

  /// The bytes by which a track is sorted whose tags have not been read: by its path, after all tracks whose tags have been.
  package func key(ofUnread path: [UInt8]) -> [UInt8] {
    guard needsFacts else { return key(of: TrackFacts(), at: path) }
    var key = KeyBytes(isRead: false)
    key.append(NaturalOrder.key(path), false)
    return key.bytes
  }

  /// The indices of these tracks' keys in ascending order. Equal keys keep their order.
  package static func order(_ keys: [[UInt8]]) -> [Int] {
    keys.indices.sorted { first, second in
      if keys[first] == keys[second] { return first < second }
      return keys[first].lexicographicallyPrecedes(keys[second])
    }
  }
}

/// The facts about a track that sorting needs. Texts are given as order keys; facts that are not known are nil.
package struct TrackFacts: Sendable, Hashable {
  package var title, artist, albumArtist, composer, genre: [UInt8]?
  /// The order key of the track's album, from `ItemRow.Album.place`; nil if neither an album nor an artist is known.
  package var shelf: [UInt8]?
  package var track, disc, year: Int64?
  /// The beginning of the date, in seconds since 1970.
  package var date: Int64?
  /// The length in microseconds.
  package var duration: Int64?
  package var bpm: Double?
  /// The listener's rating and counts, which only the library knows.
  package var rating, playCount, lastPlayed, added: Int64?

  /// Makes facts of which none is known.
  package init() {}

  /// The facts by which a file that is not in the library is sorted, from its tags.
  package init(_ path: FilePath, _ tags: MediaTags) {
    let row = ItemRow(path, tags)
    title = row.titleKey
    (artist, albumArtist) = (row.names[0].first?.key, row.names[1].first?.key)
    (composer, genre) = (row.names[2].first?.key, row.names[3].first?.key)
    shelf = Self.known(shelf: row.album.place)
    (track, disc) = (tags.track.map(Int64.init), tags.disc.map(Int64.init))
    (year, date) = (tags.date.map { Int64($0.year) }, tags.date.map { TimeSpan($0).begin })
    duration = tags.duration.map { Int64($0 / .microseconds(1)) }
    bpm = tags.bpm
  }

  /// The album's order key; nil if it is the one that tracks without a known album and artist have.
  package static func known(shelf: [UInt8]) -> [UInt8]? {
    shelf == ItemRow.Album.placeOfUnknown ? nil : shelf
  }
}

/// Builds bytes whose order is that of the values put into them.
///
/// Each value begins with a 1, or is a 2 alone if it is not known. A text ends with two zeros, and a zero in it is followed by 255; so a text comes
/// before longer texts that begin with it. For descending order the value's bytes are complemented.
private struct KeyBytes {
  private(set) var bytes: [UInt8]

  init(isRead: Bool) { bytes = [isRead ? 0 : 1] }

  mutating func append(_ text: [UInt8]?, _ isDescending: Bool) {
    guard let text else { return bytes.append(2) }
    bytes.append(1)
    let start = bytes.count
    for byte in text {
      bytes.append(byte)
      if byte == 0 { bytes.append(0xff) }
    }
    bytes += [0, 0]
    if isDescending { complement(from: start) }
  }

  mutating func append(_ number: Int64?, _ isDescending: Bool) {
    guard let number else { return bytes.append(2) }
    bytes.append(1)
    let start = bytes.count
    // With the sign bit inverted, negative numbers come before the others.
    let bits = UInt64(bitPattern: number) ^ (1 << 63)
    for shift in stride(from: 56, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
    }
    if isDescending { complement(from: start) }
  }

  mutating func append(
    _ facts: TrackFacts, _ property: ItemProperty, at path: [UInt8], _ isDescending: Bool
  ) {
    switch property {
    case .title: append(facts.title, isDescending)
    case .artist: append(facts.artist, isDescending)
    case .albumArtist: append(facts.albumArtist, isDescending)
    case .composer: append(facts.composer, isDescending)
    case .genre: append(facts.genre, isDescending)
    // Taggers number the discs of an album only if there are several, so a missing number counts as 1.
    case .disc: append(facts.disc ?? 1, isDescending)
    case .track: append(facts.track, isDescending)
    case .date: append(facts.date, isDescending)
    case .year: append(facts.year, isDescending)
    case .duration: append(facts.duration, isDescending)
    case .bpm: append(facts.bpm.flatMap { Int64(exactly: ($0 * 1_000).rounded()) }, isDescending)
    case .rating: append(facts.rating, isDescending)
    case .playCount: append(facts.playCount, isDescending)
    case .lastPlayed: append(facts.lastPlayed, isDescending)
    case .added: append(facts.added, isDescending)
    case .url: append(NaturalOrder.key(path), isDescending)
    default: preconditionFailure("\(property) is nothing to sort by")
    }
  }

  private mutating func complement(from start: Int) {
    for index in start..<bytes.count { bytes[index] = ~bytes[index] }
  }
}
