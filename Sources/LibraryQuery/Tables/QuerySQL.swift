// SPDX-License-Identifier: MIT
import MediaModel

/// The result of the search for a query's words.
package enum FoundItems: Sendable, Hashable {
  /// The query has no words, so all items count.
  case all
  /// These items, which are few enough to be looked up one by one.
  case few([Int64])
  /// More items than that. `LibraryTables.foundFunction` tells for each item whether it was found.
  case many(count: Int)

  /// How many items count as few. With more of them, it is faster to go through all items in order until the page is full.
  package static let fewAtMost = 2_000
}

/// The SQL statements that answer a query.
package struct QuerySQL {
  private let query: ItemQuery
  private let found: FoundItems
  private let time: QueryTime

  package init(_ query: ItemQuery, found: FoundItems, at time: QueryTime) {
    (self.query, self.found, self.time) = (query, found, time)
  }

  /// Selects the IDs of the items that the query's limit and offset leave, in order.
  package var ids: SQLStatement {
    let isShelf = query.sort.isEmpty
    var statement = SQLStatement("SELECT item.id FROM ")
    if case .few = found {
      statement.add(items + (isShelf ? " JOIN album ON album.id = item.album" : ""))
    } else if isShelf {
      // Albums have an index in this order, so only the items of each album have to be sorted.
      statement.add("album CROSS JOIN item ON item.album = album.id")
    } else {
      statement.add(items)
    }
    statement.add(" WHERE " + conditions(album: isShelf ? "album.id" : "item.album"))
    statement.add(" ORDER BY " + (isShelf ? Self.shelf : order))
    statement.add(page)
    return statement
  }

  /// Counts the query's items; nil if the search for its words has given the number already.
  package var total: SQLStatement? {
    if query.predicate == nil, found != .all { return nil }
    return "SELECT count(*) FROM " + items + " WHERE " + conditions
  }

  /// Counts the items that the query finds, and sums their lengths in microseconds.
  package var extent: SQLStatement {
    "SELECT count(*), total(item.duration) FROM " + items + " WHERE " + conditions
  }

  /// Taggers number the discs of an album only if there are several, so a missing number counts as 1.
  private static let disc = "ifnull(item.disc, 1)"

  private static let shelf = "album.place, album.id, \(disc), item.track, item.unnumbered_key, item.id"

  private var items: SQLStatement {
    guard case .few(let ids) = found else { return SQLStatement("item") }
    let list = "[\(ids.map(String.init).joined(separator: ","))]"
    return SQLStatement("json_each(?) AS found CROSS JOIN item ON item.id = found.value", [.text(list)])
  }

  private var conditions: SQLStatement { conditions(album: "item.album") }

  private func conditions(album: String) -> SQLStatement {
    var conditions = SQLStatement("item.state = \(LibraryTables.State.shown.rawValue)")
    if case .many = found { conditions.add(" AND \(LibraryTables.foundFunction)(item.id)") }
    if let predicate = query.predicate {
      conditions.add(" AND " + PredicateSQL(time: time, album: album).condition(predicate))
    }
    return conditions
  }

  private var page: SQLStatement {
    SQLStatement(
      " LIMIT ? OFFSET ?",
      [.integer(query.limit.map { Int64(max(0, $0)) } ?? -1), .integer(Int64(max(0, query.offset)))])
  }

  // MARK: Order

  private var keys: ArraySlice<SortKey> { query.sort.prefix(8) }

  private var order: String {
    let asked = keys.map { Self.term(Self.column($0.property), $0) }
    return (asked + (tiesAreUsual ? [Self.placeOnShelf] : []) + ["item.id"]).joined(separator: ", ")
  }

  /// The order of the shelf, for items whose albums were not joined.
  private static let placeOnShelf =
    "(SELECT place FROM album WHERE id = item.album), item.album, \(disc), item.track, item.unnumbered_key"

  /// Whether many items have the same value in the last key. They are in the order of the shelf then, which takes time that other sorts don't need.
  private var tiesAreUsual: Bool {
    switch keys.last?.property {
    case .title, .id, .url, .duration, .lastPlayed: false
    default: true
    }
  }

  private static func term(_ column: String, _ key: SortKey) -> String {
    "\(column) \(key.isDescending ? "DESC" : "ASC") NULLS LAST"
  }

  private static func column(_ property: ItemProperty) -> String {
    switch property {
    case .title: "item.key"
    case .album: "(SELECT key FROM album WHERE id = item.album AND is_named)"
    case .artist: key(.artist)
    case .albumArtist: key(.albumArtist)
    case .composer: key(.composer)
    case .genre: key(.genre)
    case .podcast: key(.podcast)
    // What is not rated comes behind all that is.
    case .rating: "nullif(item.rating, 0)"
    // No item is in a cloud. A number would be taken for that of a column.
    case .cloud: "NULL"
    default: PredicateSQL.column(property)
    }
  }

  private static func key(_ kind: LibraryTables.NameKind) -> String {
    "(SELECT key FROM name WHERE id = item.\(kind.column))"
  }

  // MARK: Collections

  /// Selects the collections that the query's limit and offset leave: id, title, key, count, duration, the id of the representative item, and the
  /// number of all collections. Nil for playlists, which are no property of items.
  ///
  /// The representative's id gets a high bit if the item has no picture. So the smallest id is that of the first item with a picture, if there is
  /// one.
  ///
  /// Collections are sorted by the query's keys, and then by name. The value of a collection is the smallest of its items' values, or the largest if the
  /// order is turned round. Lengths and counts are summed.
  package func collections(_ grouping: Grouping) -> SQLStatement? {
    if grouping == .playlist { return nil }
    if grouping == .title { return titles }
    // The items are first counted by the IDs of their names, using the index alone. Only then are the names sorted.
    var statement = SQLStatement("SELECT id, text, key, count, duration, first, count(*) OVER () FROM (")
    if let kind = grouping.nameKind {
      statement.add(bearers(of: kind))
      statement.add(") JOIN name ON name.id = bearer ORDER BY \(order(then: "name.key, name.text"))")
    } else {
      statement.add(sums(by: "item.album", items))
      statement.add(") JOIN album ON album.id = bearer WHERE album.is_named ")
      statement.add("ORDER BY \(order(then: "album.key, album.place, album.id"))")
    }
    statement.add(page)
    return statement
  }

  /// Counts the collections into which a grouping gathers the items: the albums, or for example the artists or genres. The query's limit and offset
  /// do not matter. Much quicker than to list them, since nothing is summed or sorted. Nil for a grouping that is neither by album nor by a name.
  package func collectionCount(_ grouping: Grouping) -> SQLStatement? {
    if grouping == .album {
      return SQLStatement("SELECT count(*) FROM album WHERE is_named AND id IN (SELECT item.album FROM ")
        + items + " WHERE " + conditions + ")"
    }
    guard let kind = grouping.nameKind else { return nil }
    let column = "item.\(kind.column)"
    var statement = SQLStatement("SELECT count(*) FROM (SELECT DISTINCT \(column) FROM ")
    statement.add(items + " WHERE " + conditions + " AND \(column) IS NOT NULL")
    if kind == .podcast { return statement + ")" }
    statement.add(" UNION SELECT further.name FROM " + withFurther(kind) + " WHERE " + conditions)
    return statement + ")"
  }

  /// The query's items, with their further names of a kind.
  private func withFurther(_ kind: LibraryTables.NameKind) -> SQLStatement {
    let bit = kind.rawValue
    return items
      + " CROSS JOIN further ON item.further & \(bit) AND further.item = item.id AND further.kind = \(bit)"
  }

  private var titles: SQLStatement {
    var statement = SQLStatement("SELECT NULL, item.title, item.key, ")
    let values = sortValues { Self.column($1.property) }
    statement.add("\(Self.sums), count(*) OVER ()\(values) FROM " + items + " WHERE " + conditions)
    statement.add(" GROUP BY item.title ORDER BY \(order(then: "item.key, item.title"))")
    statement.add(page)
    return statement
  }

  /// For each name of a kind, counts the items that have it as their first or a further name, sums their lengths, and selects a representative item.
  private func bearers(of kind: LibraryTables.NameKind) -> SQLStatement {
    let first = sums(by: "item.\(kind.column)", items)
    if kind == .podcast { return first }
    var statement = SQLStatement(
      "SELECT bearer, sum(count) AS count, total(duration) AS duration, min(first) AS first")
    statement.add("\(sortValues { index, _ in Self.sortValue(index) }) FROM (")
    statement.add(first)
    statement.add(" UNION ALL ")
    statement.add(sums(by: "further.name", withFurther(kind)))
    statement.add(") GROUP BY bearer")
    return statement
  }

  /// For each value of the column `bearer`, counts the items, sums their lengths, and selects a representative item.
  private func sums(by bearer: String, _ items: SQLStatement) -> SQLStatement {
    let values = sortValues { Self.column($1.property) }
    return SQLStatement("SELECT \(bearer) AS bearer, \(Self.sums)\(values) FROM ") + items + " WHERE "
      + conditions + " AND \(bearer) IS NOT NULL GROUP BY \(bearer)"
  }

  /// Columns with the values that collections are sorted by, each made of a column of the rows that are gathered.
  private func sortValues(of column: (_ index: Int, SortKey) -> String) -> String {
    keys.enumerated().map { index, key in
      let function =
        switch key.property {
        case .duration, .playCount, .skipCount: "sum"
        default: key.isDescending ? "max" : "min"
        }
      return ", \(function)(\(column(index, key))) AS \(Self.sortValue(index))"
    }.joined()
  }

  private static func sortValue(_ index: Int) -> String { "sort\(index)" }

  private func order(then usual: String) -> String {
    (keys.enumerated().map { Self.term(Self.sortValue($0), $1) } + [usual]).joined(separator: ", ")
  }

  private static let sums =
    "count(*) AS count, total(item.duration) AS duration, min(item.id + iif(item.has_picture, 0, \(noPicture))) AS first"

  /// Added to the id of an item without a picture, so that the smallest id is one with a picture, if there is any.
  package static let noPicture: Int64 = 1 << 60
}

/// A value for a parameter of a statement.
package enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])
}

/// An SQL statement and the values of its parameters. Texts that people write become values and never part of the SQL, so that no title or search
/// word can be taken for SQL.
package struct SQLStatement: Sendable, Hashable {
  /// The text, with a question mark for each value.
  package private(set) var text: String
  /// The values, in the order of the question marks.
  package private(set) var values: [SQLValue]

  package init(_ text: String = "", _ values: [SQLValue] = []) { (self.text, self.values) = (text, values) }

  /// Adds text, and the values of the question marks in it.
  package mutating func add(_ text: String, _ values: [SQLValue] = []) {
    self.text += text
    self.values += values
  }

  package mutating func add(_ other: SQLStatement) { add(other.text, other.values) }

  static func + (first: SQLStatement, second: SQLStatement) -> SQLStatement {
    SQLStatement(first.text + second.text, first.values + second.values)
  }

  static func + (first: String, second: SQLStatement) -> SQLStatement { SQLStatement(first) + second }
  static func + (first: SQLStatement, second: String) -> SQLStatement { first + SQLStatement(second) }
}
