// SPDX-License-Identifier: MIT
package import BusModel
import LibraryQuery
package import MediaModel

/// `org.fermata.Library1`: the music on disk, its folders, and questions to it.
///
/// Long answers come in pages, so that no answer grows with the library. Each page gives the number of all rows.
package enum AgentLibrary {
  private static let name: InterfaceName = "org.fermata.Library1"

  package static let description = InterfaceDescription(
    name, methods: Method.descriptions, signals: [libraryChanged.description], properties: [])

  /// The largest file that is imported, in bytes. It has room for what was said of some 300,000 sounds.
  package static let largestImport = 64 << 20

  // MARK: Methods

  /// A call of one of this D-Bus interface's methods, once its arguments are read and checked. Expressions are not checked here but by the library.
  package enum Call: Sendable, Hashable {
    /// Add this folder to the library and scan it.
    case add(FilePath)
    /// Remove this folder from the library.
    case remove(FilePath)
    /// Scan these folders for changes, or all if there are none.
    case scan([FilePath])
    /// Measure the loudness of the items that match an expression and have none in their tags; with `again`, also those that were measured before.
    case analyze(String, again: Bool)
    /// Answer with the library's folders, and how many items it has.
    case status
    /// Answer with the items that match an expression, or the collections, such as albums, that they make.
    case query(LibraryRequest)
    /// Answer with the items in which all words of a text are found, as `query` does with the option `search`. If the same caller searches again
    /// before the answer, the first search is cancelled. The request may have an expression as well.
    case search(String, LibraryRequest)
    /// Answer with the IDs of the items that match an expression, so that they can be queued.
    case numbers(LibraryRequest)
    /// Answer with everything that is known of an item.
    case item(MediaItem.ID)
    case rate(MediaItem.ID, Int)
    /// Answer with the note that the user has made on an item under this key.
    case note(MediaItem.ID, key: String)
    /// Set the note on an item under this key; an empty text removes the note.
    case setNote(MediaItem.ID, key: String, String)
    /// Write the user's ratings, notes, counts and smart playlists into this file.
    case export(FilePath, replacing: Bool)
    /// Import a file that `export` has written. If `replacing`, its values replace the library's where they differ.
    case take(from: FilePath, replacing: Bool)
  }

  /// The methods of this D-Bus interface, in the order in which it lists them.
  package enum Method: String, AgentMethod {
    package static var interface: InterfaceName { AgentLibrary.description.name }

    case add = "Add"
    case remove = "Remove"
    case scan = "Scan"
    case analyze = "Analyze"
    case status = "Status"
    case query = "Query"
    case search = "Search"
    case numbers = "Numbers"
    case item = "Item"
    case rate = "Rate"
    case note = "Note"
    case setNote = "SetNote"
    case export = "Export"
    case take = "Import"

    package var row: MethodRow<Call> {
      switch self {
      // The answer is the scan's job.
      case .add: .init("Uri", out: ["Job": "u"]) { .add($0) }
      case .remove: .init("Uri") { .remove($0) }
      case .scan: .init("Uris", out: ["Job": "u"]) { .scan($0) }
      // The answer is the job. An empty expression holds for all items.
      case .analyze:
        .init("Expression", "Options", out: ["Job": "u"]) { (expression: String, options: AnalyzeOptions) in
          .analyze(expression, again: options.isAgain)
        }
      case .status: .init(out: ["Status": "a{sv}"]) { .status }
      // An empty expression holds for all items. Rows are items, or collections if the option `group` is given.
      case .query:
        .init("Expression", "Options", out: ["Rows": "aa{sv}", "Total": "u"]) {
          (expression: String, options: LibraryRequest) in .query(options.asking(expression))
        }
      case .search:
        .init("Text", "Options", out: ["Rows": "aa{sv}", "Total": "u"]) {
          (text: String, options: SearchOptions) in .search(text, options.request)
        }
      // As `Query`, but with the items' numbers only, so a page may have `largestNumbers` rows.
      case .numbers:
        .init("Expression", "Options", out: ["Items": "ax", "Total": "u"]) {
          (expression: String, options: LibraryRequest) throws(BusError) in
          guard options.group == nil else {
            throw .invalidArguments("collections have no numbers; leave out the option group")
          }
          return .numbers(options.asking(expression))
        }
      case .item: .init("Item", out: ["Item": "a{sv}"]) { .item($0) }
      // From 1 to 5 stars; 0 removes the rating.
      case .rate:
        .init("Item", "Rating") { (item: MediaItem.ID, rating: UInt32) throws(BusError) in
          guard ListeningRecord.ratings.contains(Int(rating)) else {
            throw .invalidArguments("a rating is 0 to \(ListeningRecord.ratings.upperBound), not \(rating)")
          }
          return .rate(item, Int(rating))
        }
      // The answer is empty if there is no note.
      case .note:
        .init("Item", "Key", out: ["Note": "s"]) { (item: MediaItem.ID, key: NoteKey) in
          .note(item, key: key.text)
        }
      case .setNote:
        .init("Item", "Key", "Note") { (item: MediaItem.ID, key: NoteKey, text: String) throws(BusError) in
          guard text.utf8.count <= ListeningRecord.longestNote else {
            throw .invalidArguments("a note has at most \(ListeningRecord.longestNote) bytes")
          }
          return .setNote(item, key: key.text, text)
        }
      // The answer is the numbers of sounds and of smart playlists that were written.
      case .export:
        .init("Uri", "Options", out: ["Sounds": "u", "Playlists": "u"]) {
          (file: FilePath, options: SaveOptions) in .export(file, replacing: options.isReplacing)
        }
      case .take:
        .init("Uri", "Options", out: ["Report": "a{sv}"]) { (file: FilePath, options: SaveOptions) in
          .take(from: file, replacing: options.isReplacing)
        }
      }
    }
  }

  /// How many items or collections one answer holds at most.
  package static let largestPage = 500
  /// How many IDs one answer holds at most.
  package static let largestNumbers = 50_000
  /// The longest expression and the longest text to search for, in bytes.
  package static let longestExpression = 1 << 14

  /// The answer to `Query` and `Search` with these items.
  package static func reply(_ items: [ItemFace], total: Int) -> [WireValue] {
    page(items.map { $0.fields(inList: true) }, total)
  }

  /// The answer to `Query` and `Search` with these collections.
  package static func reply(_ collections: [CollectionFace], total: Int) -> [WireValue] {
    page(collections.map(\.fields), total)
  }

  /// The rows as an answer, as many as fit and at least one, because rows may have long texts. The client asks for the rest.
  private static func page(_ rows: [Fields], _ total: Int) -> [WireValue] {
    var (sent, size) = ([Fields](), 0)
    for row in rows {
      size += row.size
      if size > largestReply, !sent.isEmpty { break }
      sent.append(row)
    }
    return .arguments(sent, UInt32(clamping: total))
  }

  /// How many bytes of text an answer holds at most, roughly. With the overhead of the message it stays below a megabyte.
  static let largestReply = 1 << 19

  /// The answer to `Numbers`.
  package static func reply(_ items: [MediaItem.ID], total: Int) -> [WireValue] {
    .arguments(items.map(\.rawValue), UInt32(clamping: total))
  }

  /// Reads the answer to `Query` or `Search` as items. Rows that cannot be read are left out.
  package static func items(reply: [WireValue]) throws(BusError) -> (items: [ItemFace], total: Int) {
    let (rows, total) = try reply.decoded(as: [Fields].self, UInt32.self)
    return (rows.compactMap { ItemFace(wire: $0.wireValue) }, Int(total))
  }

  /// Reads the answer to `Query` or `Search` as collections. Rows that cannot be read are left out.
  package static func collections(
    reply: [WireValue]
  ) throws(BusError) -> (collections: [CollectionFace], total: Int) {
    let (rows, total) = try reply.decoded(as: [Fields].self, UInt32.self)
    return (rows.compactMap { CollectionFace(wire: $0.wireValue) }, Int(total))
  }

  /// Reads the answer to `Numbers`.
  package static func numbers(reply: [WireValue]) throws(BusError) -> (items: [MediaItem.ID], total: Int) {
    let (numbers, total) = try reply.decoded(as: [Int64].self, UInt32.self)
    return (numbers.map(MediaItem.ID.init), Int(total))
  }

  // MARK: Signals

  static let libraryChanged = SignalRow<UInt32, UInt32, UInt32>(
    "LibraryChanged", "Added", "Changed", "Removed")

  /// The signal that these numbers of items were added, changed and removed since the last such signal.
  package static func changed(added: Int, changed: Int, removed: Int) -> (MemberName, [WireValue]) {
    libraryChanged(UInt32(clamping: added), UInt32(clamping: changed), UInt32(clamping: removed))
  }
}

// The calls that a client makes.
extension AgentCall {
  /// Adds a folder to the library and scans it. Traps for a relative path.
  package static func add(libraryFolder folder: FilePath) -> AgentCall {
    AgentCall(AgentLibrary.Method.add, folder)
  }
  /// Removes a folder from the library. Traps for a relative path.
  package static func remove(libraryFolder folder: FilePath) -> AgentCall {
    AgentCall(AgentLibrary.Method.remove, folder)
  }
  /// Scans these folders of the library for changes, or all if there are none. Traps for relative paths.
  package static func scan(_ folders: [FilePath] = []) -> AgentCall {
    AgentCall(AgentLibrary.Method.scan, folders)
  }
  /// Measures the loudness of the items that match an expression and have none in their tags. With `again`, also of those measured before.
  package static func analyze(_ expression: String = "", again: Bool = false) -> AgentCall {
    AgentCall(AgentLibrary.Method.analyze, expression, AnalyzeOptions(isAgain: again))
  }
  /// Asks for the folders of the library, and the numbers of items.
  package static let libraryStatus = AgentCall(AgentLibrary.Method.status)

  /// Asks for items, or for the collections that they make.
  package static func query(_ request: LibraryRequest) -> AgentCall {
    AgentCall(AgentLibrary.Method.query, request.expression, request)
  }
  /// Searches for words while they are typed. A later search by the same client cancels this one.
  package static func search(_ text: String, _ request: LibraryRequest = LibraryRequest()) -> AgentCall {
    AgentCall(AgentLibrary.Method.search, text, SearchOptions(request))
  }
  /// Asks for the IDs of items, in pages of `AgentLibrary.largestNumbers`.
  package static func numbers(_ request: LibraryRequest) -> AgentCall {
    AgentCall(AgentLibrary.Method.numbers, request.expression, request)
  }
  /// Asks for everything that is known of an item.
  package static func item(_ item: MediaItem.ID) -> AgentCall { AgentCall(AgentLibrary.Method.item, item) }
  package static func rate(_ item: MediaItem.ID, _ rating: Int) -> AgentCall {
    AgentCall(AgentLibrary.Method.rate, item, UInt32(clamping: rating))
  }
  /// Asks for the user's note on an item.
  package static func note(_ item: MediaItem.ID, key: String) -> AgentCall {
    AgentCall(AgentLibrary.Method.note, item, NoteKey(text: key))
  }
  /// Sets the user's note on an item; an empty text removes the note.
  package static func setNote(_ item: MediaItem.ID, key: String, _ text: String) -> AgentCall {
    AgentCall(AgentLibrary.Method.setNote, item, NoteKey(text: key), text)
  }
}

// The calls that carry ratings, notes, counts and smart playlists to another machine.
extension AgentCall {
  /// Writes ratings, notes, counts and smart playlists into a file. Traps for a relative path.
  package static func export(_ file: FilePath, replacing: Bool = false) -> AgentCall {
    AgentCall(AgentLibrary.Method.export, file, SaveOptions(isReplacing: replacing))
  }
  /// Imports a file that `export` has written. Traps for a relative path.
  package static func take(from file: FilePath, replacing: Bool = false) -> AgentCall {
    AgentCall(AgentLibrary.Method.take, file, SaveOptions(isReplacing: replacing))
  }
}

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
