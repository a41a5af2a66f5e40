// SPDX-License-Identifier: MIT
import BusModel
import FaceModel
import JobLogic
import LibraryIO
import LibraryModel
import LibraryQuery
import MediaModel
import Synchronization

// Questions to the library, and the user's notes on its items.
extension LibraryService {
  // MARK: Questions

  /// Stands for one search, so that a later search of the same caller can cancel it. Safe on any thread.
  final class SearchTicket: Sendable {
    private let overtaken = Atomic<Bool>(false)
    var isOvertaken: Bool { overtaken.load(ordering: .relaxed) }
    func overtake() { overtaken.store(true, ordering: .relaxed) }
  }

  /// The answer to a query: items, or collections such as albums if it groups its items.
  func answer(_ request: LibraryRequest) async throws(BusError) -> [WireValue] {
    try await answer(request, nil)
  }

  /// The answer to a search. If the same caller makes another search before the answer is there, this one ends with an error.
  func search(_ text: String, _ request: LibraryRequest, by caller: BusName) async throws(BusError)
    -> [WireValue]
  {
    let ticket = SearchTicket()
    searches[caller]?.overtake()
    searches[caller] = ticket
    defer { if searches[caller] === ticket { searches[caller] = nil } }
    var request = request
    request.search = text
    return try await answer(request, ticket)
  }

  private func answer(_ request: LibraryRequest, _ ticket: SearchTicket?) async throws(BusError)
    -> [WireValue]
  {
    let rows = request.rows(atMost: AgentLibrary.largestPage)
    let query = try Self.query(request, rows)
    let isOvertaken: @Sendable () -> Bool = { ticket?.isOvertaken ?? false }
    guard let grouping = try Self.grouping(request) else {
      guard isThere else { return AgentLibrary.reply([ItemFace](), total: 0) }
      let page = try await use { try $0.page(of: query, at: Self.queryTime, isInterrupted: isOvertaken) }
      return AgentLibrary.reply(page.items.map(ItemFace.init), total: page.total)
    }
    if grouping == .playlist {
      let page = try await smart.collections(query, isInterrupted: isOvertaken)
      return AgentLibrary.reply(page.collections.map(CollectionFace.init), total: page.total)
    }
    guard isThere else { return AgentLibrary.reply([CollectionFace](), total: 0) }
    let page = try await use {
      try $0.collections(of: query, by: grouping, at: Self.queryTime, isInterrupted: isOvertaken)
    }
    return AgentLibrary.reply(
      page.collections.map(CollectionFace.init), total: page.total)
  }

  /// The IDs of the items that a query finds.
  func numbers(_ request: LibraryRequest) async throws(BusError) -> [WireValue] {
    let rows = request.rows(atMost: AgentLibrary.largestNumbers)
    let query = try Self.query(request, rows)
    guard isThere else { return AgentLibrary.reply([MediaItem.ID](), total: 0) }
    let (ids, total) = try await use { store in
      var first = query
      (first.limit, first.offset) = (0, 0)
      return (
        try store.ids(of: query, at: Self.queryTime), try store.page(of: first, at: Self.queryTime).total
      )
    }
    return AgentLibrary.reply(ids, total: total)
  }

  /// Measures the loudness of the items that match an expression. With `again`, items that were measured before are measured once more. Returns the
  /// job.
  func analyze(_ expression: String, again: Bool) async throws(BusError) -> JobID {
    var query = try Self.query(LibraryRequest(expression), 0..<1)
    query.limit = nil
    return try await analyze(query, again: again)
  }

  private static func query(_ request: LibraryRequest, _ rows: Range<Int>) throws(BusError) -> ItemQuery {
    for text in [request.expression, request.search] where text.utf8.count > AgentLibrary.longestExpression {
      throw .invalidArguments(
        "more than \(AgentLibrary.longestExpression) bytes are not looked at; ask for less")
    }
    do throws(PredicateError) {
      let isAll = request.expression.utf8.allSatisfy { $0 == UInt8(ascii: " ") }
      let predicate = isAll ? nil : try Predicate(request.expression)
      let sort = request.sort.isEmpty ? [] : try SortKey.list(request.sort.joined(separator: ","))
      return ItemQuery(
        predicate, search: request.search, sort: sort, limit: rows.count, offset: rows.lowerBound)
    } catch { throw .invalidArguments("\(error)") }
  }

  private static func grouping(_ request: LibraryRequest) throws(BusError) -> Grouping? {
    guard let name = request.group else { return nil }
    do throws(PredicateError) { return try Grouping.named(name) } catch {
      throw .invalidArguments("\(error)")
    }
  }

  // MARK: Items

  /// Runs `body` with the databases for an item. Throws if there is no item with this ID.
  private func withItem<Answer: Sendable>(
    _ id: MediaItem.ID, _ body: @escaping @Sendable (LibraryStore) throws -> Answer?
  ) async throws(BusError) -> Answer {
    guard isThere, let answer = try await use(body) else {
      throw AgentError.noSuchItem("the library has no item \(id.rawValue)")
    }
    return answer
  }

  /// Everything that is known of an item.
  func item(_ id: MediaItem.ID) async throws(BusError) -> ItemFace {
    let (item, measured, notes) = try await withItem(id) {
      store -> (LibraryItem, Loudness?, [String: String])? in
      guard let item = try store.item(id), case .file(let path) = item.item.location else { return nil }
      return (item, try store.measuredGains(at: path), try store.notes(of: id))
    }
    var face = ItemFace(item)
    face.notes = notes
    face.gains =
      ItemGains(item.item.tags.loudness, from: .tags) ?? measured.flatMap { ItemGains($0, from: .measured) }
    return face
  }

  func rate(_ id: MediaItem.ID, _ rating: Int) async throws(BusError) {
    try await withItem(id) { try $0.rate(id, rating) ? () : nil }
    changed(ChangeCounts(changed: 1))
  }

  /// The note that the user has made on an item under a key; empty if there is none.
  func note(_ id: MediaItem.ID, key: String) async throws(BusError) -> String {
    try await withItem(id) { store in try store.item(id).map { _ in try store.notes(of: id)[key] ?? "" } }
  }

  /// Sets the note on an item under a key; an empty text removes the note.
  func setNote(_ id: MediaItem.ID, key: String, _ text: String) async throws(BusError) {
    try await withItem(id) { try $0.note(id, key, text.isEmpty ? nil : text) ? () : nil }
  }

  /// The files of items, or the parts of files that items are (a chapter, say), in the same order. Throws if one of the items is not in the library.
  func files(of ids: [MediaItem.ID]) async throws(BusError) -> [ItemSource] {
    var files: [ItemSource] = []
    for start in stride(from: 0, to: ids.count, by: AgentLibrary.largestPage) {
      // In parts, so that other callers' questions can run in between.
      let part = ids[start..<min(start + AgentLibrary.largestPage, ids.count)]
      let found =
        isThere ? try await use { store in try part.map { try store.item($0) } } : part.map { _ in nil }
      for (id, item) in zip(part, found) {
        guard let file = item?.item.source else {
          throw AgentError.noSuchItem("item:\(id.rawValue): the library has no such item; search anew")
        }
        files.append(file)
      }
    }
    return files
  }

  /// Stores that a file or a part of one was played or skipped at this time; `known` is its number when it began. Returns whether the library has it;
  /// otherwise nothing is stored.
  func store(
    _ count: ListeningMeter<ItemSource>.Count, known: MediaItem.ID?, at time: Int64
  ) async throws(BusError) -> Bool {
    try await use { store in
      switch count {
      case .played(let source): try store.countPlay(of: source, known: known, at: time)
      case .skipped(let source): try store.countSkip(of: source, known: known)
      }
    }
  }
}

extension CollectionFace {
  fileprivate init(_ collection: ItemCollection) {
    self.init(
      title: collection.title, section: collection.section, count: collection.count,
      duration: collection.duration, representative: collection.representative.map(ItemFace.init))
  }
}
