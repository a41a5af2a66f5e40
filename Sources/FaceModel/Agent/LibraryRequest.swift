// SPDX-License-Identifier: MIT
package import BusModel
import LibraryQuery
package import MediaModel

/// A question to the library: which items, in which order, and which of the rows. The expression is sent as an argument of its own; the rest are
/// options.
package struct LibraryRequest: Sendable, Hashable, BusArgument {
  /// A text as a value in an expression.
  package static func quoted(_ text: String) -> String { text.quotedForQuery }

  /// The condition that items must meet, as the command line takes it; empty for all items.
  package var expression: String
  /// Words that an item must have; empty for none.
  package var search: String
  /// The properties to sort by, the most important first; one with a minus before it sorts downwards.
  package var sort: [String]
  /// The property whose values make collections; nil for the items themselves.
  package var group: String?
  /// The most rows that all pages of the answer have together; nil for no limit.
  package var limit: Int?
  /// The number of the first row that is asked for, counted from 1.
  package var first: Int
  /// How many rows are asked for; the answer may have fewer.
  package var count: Int

  package init(
    _ expression: String = "", search: String = "", sort: [String] = [], group: String? = nil,
    limit: Int? = nil, first: Int = 1, count: Int = AgentLibrary.largestPage
  ) {
    (self.expression, self.search, self.sort, self.group) = (expression, search, sort, group)
    (self.limit, self.first, self.count) = (limit, first, count)
  }

  // By their bytes: two names that differ only in how accents are composed are two names to the library.
  package static func == (one: LibraryRequest, other: LibraryRequest) -> Bool {
    one.texts == other.texts && one.numbers == other.numbers
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(texts) }

  private var texts: [[UInt8]?] { ([expression, search, group] + sort).map { $0.map { Array($0.utf8) } } }
  private var numbers: [Int?] { [limit, first, count] }

  /// This request with another expression.
  func asking(_ expression: String) -> LibraryRequest {
    var request = self
    request.expression = expression
    return request
  }

  /// The rows that are wanted, counted from 0, at most `largest` of them.
  package func rows(atMost largest: Int) -> Range<Int> {
    let end = limit ?? .max
    let start = min(first - 1, end)
    return start..<(start + max(0, min(count, largest, end - start)))
  }

  /// The options that differ from their defaults, as a message carries them.
  package var argument: [String: WireValue] {
    var options: [String: WireValue] = [:]
    if !search.isEmpty { options["search"] = .string(search) }
    if !sort.isEmpty { options["sort"] = sort.wireValue }
    options["group"] = group.map { .string($0) }
    options["limit"] = limit.map { .uint32(UInt32(clamping: $0)) }
    if first != 1 { options["first"] = .uint32(UInt32(clamping: first)) }
    if count != AgentLibrary.largestPage { options["count"] = .uint32(UInt32(clamping: count)) }
    return options
  }

  package static func reading(_ argument: [String: WireValue]) throws(BusError) -> Self {
    var options = Options(argument)
    var request = Self()
    request.search = try options.remove("search") ?? ""
    request.sort = try options.remove("sort") ?? []
    request.group = try options.remove("group")
    request.limit = try (options.remove("limit") as UInt32?).map(Int.init)
    request.first = try (options.remove("first") as Row?)?.number ?? 1
    request.count = try (options.remove("count") as UInt32?).map(Int.init) ?? AgentLibrary.largestPage
    try options.checkForOthers(taken: "count, first, group, limit, search and sort")
    guard request.sort.count <= mostKeys else {
      throw .invalidArguments("items are sorted by \(mostKeys) properties at most")
    }
    return request
  }

  /// The largest number of properties to sort by. More would make no difference that anybody sees.
  private static let mostKeys = 16
}

/// The options of a search: those of a query, and `expression`, which a query has as an argument.
struct SearchOptions: BusArgument {
  let request: LibraryRequest

  init(_ request: LibraryRequest) { self.request = request }

  var argument: [String: WireValue] {
    var options = request.argument
    if !request.expression.isEmpty { options["expression"] = .string(request.expression) }
    return options
  }

  static func reading(_ argument: [String: WireValue]) throws(BusError) -> Self {
    var rest = argument
    let expression = rest.removeValue(forKey: "expression")
    let request = try LibraryRequest.reading(rest)
    guard let expression else { return Self(request) }
    guard let text = String(wire: expression) else {
      throw .invalidArguments("the option expression is a text")
    }
    return Self(request.asking(text))
  }
}

struct AnalyzeOptions: BusArgument {
  /// Whether items that were measured before are measured again.
  var isAgain: Bool

  var argument: [String: WireValue] { isAgain ? ["again": .boolean(true)] : [:] }

  static func reading(_ argument: [String: WireValue]) throws(BusError) -> Self {
    var options = Options(argument)
    let read = Self(isAgain: try options.remove("again") ?? false)
    try options.checkForOthers(taken: "again")
    return read
  }
}

extension MediaItem.ID: BusArgument {
  package var argument: Int64 { rawValue }
  package static func reading(_ argument: Int64) -> Self { Self(rawValue: argument) }
}

/// The key under which a user makes a note on an item.
struct NoteKey: BusArgument {
  let text: String

  var argument: String { text }
  static func reading(_ argument: String) throws(BusError) -> Self {
    guard ListeningRecord.noteKeys.contains(argument.utf8.count) else {
      throw .invalidArguments("the key of a note has 1 to \(ListeningRecord.noteKeys.upperBound) bytes")
    }
    return Self(text: argument)
  }
}
