// SPDX-License-Identifier: MIT

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
