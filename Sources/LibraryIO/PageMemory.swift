// SPDX-License-Identifier: MIT
import LibraryQuery
import SQLiteIO

/// Remembers the last long list that was asked for page by page, so that its pages are cut from one answer. Without it each page of a sorted list
/// would sort all items again.
///
/// A list is stored when its second page is asked for, because most people see the first page only. It is dropped with every change of the library,
/// and after a minute, because a condition such as "in the last hour" changes with time.
struct PageMemory {
  private struct Asked: Hashable {
    var query: ItemQuery
    var grouping: Grouping?

    init(_ query: ItemQuery, _ grouping: Grouping?) {
      (self.query, self.grouping) = (query, grouping)
      (self.query.limit, self.query.offset) = (nil, 0)
    }
  }

  /// A collection, such as an album, while the item that represents it is known by its ID only.
  struct Group {
    var id: Int64?
    var title: String
    var section: String
    var count: Int
    var duration: Duration
    var representative: Int64
  }

  private enum List {
    /// The first page was asked for, and no second one yet.
    case begun
    case tooLong
    case items([Int64])
    case groups([Group])
  }

  /// Longer lists are not stored: this many items take 2 MB. Collections take ten times as much each, but to gather them anew for each page takes so long
  /// that the list would never be read to its end.
  static let mostItems = 250_000
  static let mostGroups = 250_000
  private static let patience: Int64 = 60

  private var asked: Asked?
  private var since: Int64 = 0
  private var list = List.begun

  /// Call when the library has changed, or when the memory is needed.
  mutating func forget() { (asked, list) = (nil, .begun) }

  /// The IDs of all items of the list to which this page belongs, in order; nil if the page has to be queried alone. `whole` queries the list, up to
  /// a limit.
  mutating func items(
    _ query: ItemQuery, at now: Int64, _ whole: (_ most: Int) throws(StoreError) -> [Int64]
  ) throws(StoreError) -> [Int64]? {
    guard isNext(Asked(query, nil), query, now) else { return nil }
    if case .begun = list {
      let ids = try whole(Self.mostItems + 1)
      list = ids.count > Self.mostItems ? .tooLong : .items(ids)
    }
    if case .items(let ids) = list { return ids }
    return nil
  }

  /// All collections of the list to which this page belongs, in order; nil if the page has to be queried alone. `whole` queries the list, up to a
  /// limit.
  mutating func groups(
    _ query: ItemQuery, _ grouping: Grouping, at now: Int64,
    _ whole: (_ most: Int) throws(StoreError) -> [Group]
  ) throws(StoreError) -> [Group]? {
    guard isNext(Asked(query, grouping), query, now) else { return nil }
    if case .begun = list {
      let groups = try whole(Self.mostGroups + 1)
      list = groups.count > Self.mostGroups ? .tooLong : .groups(groups)
    }
    if case .groups(let groups) = list { return groups }
    return nil
  }

  /// Whether a page belongs to the list that was begun before; if not, it begins one.
  private mutating func isNext(_ page: Asked, _ query: ItemQuery, _ now: Int64) -> Bool {
    if asked == page, query.offset > 0, (0..<Self.patience).contains(now - since) { return true }
    (asked, since, list) = (page, now, .begun)
    return false
  }
}

extension ItemQuery {
  /// The query for the whole list, up to a limit.
  func whole(atMost most: Int) -> ItemQuery {
    var whole = self
    (whole.offset, whole.limit) = (0, most)
    return whole
  }
}

extension Array {
  /// The part of a list that a query's limit and offset ask for.
  func page(of query: ItemQuery) -> ArraySlice<Element> {
    let rest = dropFirst(Swift.max(0, query.offset))
    return rest.prefix(query.limit.map { Swift.max(0, $0) } ?? rest.count)
  }
}
