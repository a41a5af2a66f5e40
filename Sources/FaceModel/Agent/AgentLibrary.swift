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
