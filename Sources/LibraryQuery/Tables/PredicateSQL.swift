// SPDX-License-Identifier: MIT
import MediaModel

/// Turns a predicate into a condition on a row of `item`.
///
/// In SQL, a comparison with a missing value is NULL. `WHERE` treats that as false, so it only matters inside a `not`: there each comparison is
/// wrapped so that NULL becomes false. Elsewhere it is not wrapped, so that an index can be used.
struct PredicateSQL {
  let time: QueryTime
  /// The column with the ID of an item's album. In a statement that goes through the albums it is the album's own ID, so that only the items of
  /// matching albums are read.
  var album = "item.album"

  func condition(_ predicate: Predicate, isBelowNot: Bool = false) -> SQLStatement {
    switch predicate {
    case .test(let test):
      let bare = condition(test)
      return isBelowNot ? "ifnull(" + bare + ", 0)" : bare
    case .not(let inner): return "NOT (" + condition(inner, isBelowNot: true) + ")"
    case .all(let parts): return joinDeepestFirst(parts, "AND", empty: "1", isBelowNot)
    case .any(let parts): return joinDeepestFirst(parts, "OR", empty: "0", isBelowNot)
    }
  }

  /// Joins the conditions, of which the one that nests deepest stands first. SQLite remembers all that it has read before a bracket until that is
  /// closed, and has room for a hundred such words. At the very beginning a bracket costs one of them.
  private func joinDeepestFirst(
    _ parts: [Predicate], _ word: String, empty: String, _ isBelowNot: Bool
  ) -> SQLStatement {
    let depths = parts.map(\.depth)
    guard let deepest = depths.max(), deepest > 0, parts.count > 1, let at = depths.firstIndex(of: deepest)
    else { return join(parts[...], word, empty: empty, isBelowNot) }
    var others = parts
    let first = condition(others.remove(at: at), isBelowNot: isBelowNot)
    return "(" + first + " \(word) " + join(others[...], word, empty: empty, isBelowNot) + ")"
  }

  /// Joins the conditions as a balanced tree: a chain would be nested as deep as it is long, and SQLite limits the depth.
  private func join(
    _ parts: ArraySlice<Predicate>, _ word: String, empty: String, _ isBelowNot: Bool
  ) -> SQLStatement {
    guard let first = parts.first else { return SQLStatement(empty) }
    guard parts.count > 1 else { return condition(first, isBelowNot: isBelowNot) }
    let middle = parts.startIndex + parts.count / 2
    let left = join(parts[..<middle], word, empty: empty, isBelowNot)
    let right = join(parts[middle...], word, empty: empty, isBelowNot)
    return "(" + left + " \(word) " + right + ")"
  }

  private func condition(_ test: PropertyTest) -> SQLStatement {
    let comparison = test.comparison
    switch test.property {
    case .cloud: return SQLStatement("0")
    case .compilation: return SQLStatement("item.compilation = 1")
    case .title: return Self.text(comparison, exact: "item.title", folded: "item.folded")
    case .comment: return Self.text(comparison, exact: "item.comment", folded: "item.folded_comment")
    case .url: return Self.uri(comparison)
    case .album: return album(Self.text(comparison, exact: "text", folded: "folded"))
    case .albumID: return album(number("id", comparison, scale: 1))
    case .artist, .artistID: return name(.artist, test)
    case .albumArtist, .albumArtistID: return name(.albumArtist, test)
    case .composer, .composerID: return name(.composer, test)
    case .genre, .genreID: return name(.genre, test)
    case .podcast, .podcastID: return name(.podcast, test)
    case .mediaType: return Self.mediaType(comparison)
    case .date: return span("item.date_begin", comparison, isMoment: false)
    case .added: return span("item.added", comparison, isMoment: true)
    case .lastPlayed: return span("item.last_played", comparison, isMoment: true)
    case .duration: return number("item.duration", comparison, scale: 1_000_000)
    case .id, .track, .trackCount, .disc, .discCount, .year, .bpm, .rating, .playCount, .skipCount:
      return number(Self.column(test.property), comparison, scale: 1)
    case .artUrl, .lyrics: return SQLStatement("0")  // no such test can be made
    }
  }

  static func column(_ property: ItemProperty) -> String {
    switch property {
    case .trackCount: "item.track_count"
    case .discCount: "item.disc_count"
    case .playCount: "item.play_count"
    case .skipCount: "item.skip_count"
    case .lastPlayed: "item.last_played"
    case .date: "item.date_begin"
    case .mediaType: "item.media_type"
    case .url: "item.path"
    default: "item.\(property.rawValue)"
    }
  }

  // MARK: Texts

  private static func text(
    _ comparison: PropertyTest.Comparison, exact: String, folded: String
  ) -> SQLStatement {
    switch comparison {
    case .equals(.text(let text)): SQLStatement("\(exact) = ?", [.text(text)])
    case .contains(let text): SQLStatement("instr(\(folded), ?) > 0", [.text(TextFolding.fold(text))])
    // A text begins with another one if that is found at the first place.
    case .begins(let text): SQLStatement("instr(\(folded), ?) = 1", [.text(TextFolding.fold(text))])
    case .isAmong(let choices): list(folded, texts(choices).map { .text(TextFolding.fold($0)) })
    default: SQLStatement("0")
    }
  }

  private static func texts(_ choices: [PropertyTest.Choice]) -> [String] {
    choices.compactMap { if case .one(.text(let text)) = $0 { text } else { nil } }
  }

  private static func list(_ column: String, _ values: [SQLValue]) -> SQLStatement {
    if values.isEmpty { return SQLStatement("0") }
    let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
    return SQLStatement("\(column) IN (\(marks))", values)
  }

  private static func uri(_ comparison: PropertyTest.Comparison) -> SQLStatement {
    guard case .equals(.text(let text)) = comparison else {
      let uri = Self.text(comparison, exact: "", folded: "\(LibraryTables.uriFunction)(item.path)")
      guard texts(comparison.choices).contains(where: FilePath.hasWhatNoURIHas) else { return uri }
      // What no URI has, such as a space, is looked for in the path as people read it.
      let plain = Self.text(comparison, exact: "", folded: "\(LibraryTables.plainURIFunction)(item.path)")
      return "(" + uri + " OR " + plain + ")"
    }
    // Several spellings of a URI lead to one file, and only one of them is its stored URI.
    guard let path = try? FilePath(uri: text), path.uri == text else {
      return SQLStatement("0")
    }
    return SQLStatement("item.path = ?", [.bytes(path.bytes)])
  }

  private static func mediaType(_ comparison: PropertyTest.Comparison) -> SQLStatement {
    let names = texts(comparison.choices)
    return list("item.media_type", names.compactMap { MediaType(rawValue: $0) }.map { .integer($0.number) })
  }

  // MARK: Names

  private func album(_ condition: SQLStatement) -> SQLStatement {
    "\(album) IN (SELECT id FROM album WHERE is_named AND " + condition + ")"
  }

  /// The condition that at least one of an item's names of this kind matches.
  private func name(_ kind: LibraryTables.NameKind, _ test: PropertyTest) -> SQLStatement {
    let isNumber = test.property.kind == .identifier
    let condition =
      isNumber
      ? number("id", test.comparison, scale: 1) : Self.text(test.comparison, exact: "text", folded: "folded")
    let names = "SELECT id FROM name WHERE kind = \(kind.rawValue) AND " + condition
    let first = "item.\(kind.column) IN (" + names + ")"
    if kind == .podcast { return first }
    // The bit in `further` is checked separately, so that only items with several names are looked up there.
    return "(" + first
      + " OR item.further & \(kind.rawValue) AND item.id IN (SELECT item FROM further WHERE name IN ("
      + names + ")))"
  }

  // MARK: Numbers and times

  private func number(_ column: String, _ comparison: PropertyTest.Comparison, scale: Double) -> SQLStatement
  {
    func value(_ operand: PropertyTest.Operand) -> SQLValue {
      guard case .number(let number) = operand else { return .null }
      let scaled = number * scale
      // 1.001 s in microseconds is 1000999.9999999999 as floating-point numbers are multiplied.
      let isWhole = scale > 1 && abs(scaled - scaled.rounded()) < 1e-3
      return Int64(exactly: isWhole ? scaled.rounded() : scaled).map { .integer($0) } ?? .real(scaled)
    }
    switch comparison {
    case .equals(let other): return SQLStatement("\(column) = ?", [value(other)])
    case .less(let other): return SQLStatement("\(column) < ?", [value(other)])
    case .lessOrEqual(let other): return SQLStatement("\(column) <= ?", [value(other)])
    case .greater(let other): return SQLStatement("\(column) > ?", [value(other)])
    case .greaterOrEqual(let other): return SQLStatement("\(column) >= ?", [value(other)])
    case .isAmong(let choices):
      return Self.choices(choices) { choice in
        switch choice {
        case .one(let other): SQLStatement("\(column) = ?", [value(other)])
        case .range(let low, let high): SQLStatement("\(column) BETWEEN ? AND ?", [value(low), value(high)])
        }
      }
    case .isTrue, .contains, .begins: return SQLStatement("0")
    }
  }

  private func span(
    _ column: String, _ comparison: PropertyTest.Comparison, isMoment: Bool
  ) -> SQLStatement {
    func compare(_ operand: PropertyTest.Operand, _ condition: (TimeSpan) -> SQLStatement) -> SQLStatement {
      TimeSpan(operand, isMoment: isMoment, at: time).map(condition) ?? SQLStatement("0")
    }
    func inside(_ first: PropertyTest.Operand, _ last: PropertyTest.Operand) -> SQLStatement {
      compare(first) { first in
        compare(last) { last in
          SQLStatement("(\(column) >= ? AND \(column) < ?)", [.integer(first.begin), .integer(last.end)])
        }
      }
    }
    switch comparison {
    case .equals(let other): return inside(other, other)
    case .less(let other): return compare(other) { SQLStatement("\(column) < ?", [.integer($0.begin)]) }
    case .lessOrEqual(let other): return compare(other) { SQLStatement("\(column) < ?", [.integer($0.end)]) }
    case .greater(let other): return compare(other) { SQLStatement("\(column) >= ?", [.integer($0.end)]) }
    case .greaterOrEqual(let other):
      return compare(other) { SQLStatement("\(column) >= ?", [.integer($0.begin)]) }
    case .isAmong(let choices):
      return Self.choices(choices) { choice in
        switch choice {
        case .one(let other): inside(other, other)
        case .range(let first, let last): inside(first, last)
        }
      }
    case .isTrue, .contains, .begins: return SQLStatement("0")
    }
  }

  private static func choices(
    _ choices: [PropertyTest.Choice], _ condition: (PropertyTest.Choice) -> SQLStatement
  ) -> SQLStatement {
    func join(_ part: ArraySlice<PropertyTest.Choice>) -> SQLStatement {
      guard let first = part.first else { return SQLStatement("0") }
      guard part.count > 1 else { return condition(first) }
      let middle = part.startIndex + part.count / 2
      return "(" + join(part[..<middle]) + " OR " + join(part[middle...]) + ")"
    }
    return join(choices[...])
  }
}

extension Predicate {
  /// How many predicates are in each other below this one.
  fileprivate var depth: Int {
    switch self {
    case .test: 0
    case .not(let inner): inner.depth + 1
    case .all(let parts), .any(let parts): (parts.map(\.depth).max() ?? 0) + 1
    }
  }
}

extension MediaType {
  /// The number for the type in the column `item.media_type`.
  package var number: Int64 {
    switch self {
    case .music: 0
    case .podcast: 1
    case .audiobook: 2
    }
  }

  /// The type with this number; music if there is none.
  package init(number: Int64) { self = number == 1 ? .podcast : number == 2 ? .audiobook : .music }
}
