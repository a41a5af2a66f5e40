// SPDX-License-Identifier: MIT
package import BusModel
package import LibraryQuery

/// `org.fermata.Playlists1`: the smart playlists. They are queries, so their items change when the library does.
///
/// Plain playlists are files in a folder, and MPRIS shows both kinds. A source `playlist:NAME` plays one of either kind.
package enum AgentPlaylists {
  private static let name: InterfaceName = "org.fermata.Playlists1"

  package static let description = InterfaceDescription(
    name, methods: Method.descriptions, signals: [], properties: [])

  /// A call of one of this D-Bus interface's methods, once its arguments are read. Expressions are not checked here but by the library.
  package enum Call: Sendable, Hashable {
    case list
    /// Save a query under a name.
    case save(String, SmartOptions)
    case delete(String)
    /// Answer with the items of a playlist, at most `count` of them, from the one with number `from` on, counted from 1.
    case items(String, from: Int, count: Int)
  }

  /// The methods of this D-Bus interface, in the order in which it lists them.
  package enum Method: String, AgentMethod {
    package static var interface: InterfaceName { AgentPlaylists.description.name }

    case list = "List"
    case save = "Save"
    case delete = "Delete"
    case items = "Items"

    package var row: MethodRow<Call> {
      switch self {
      case .list: .init(out: ["Playlists": "aa{sv}"]) { .list }
      case .save:
        .init("Name", "Expression", "Options") { (name: String, expression: String, options: SmartOptions) in
          .save(name, options.asking(expression))
        }
      case .delete: .init("Name") { .delete($0) }
      case .items:
        .init("Name", "First", "Count", out: ["Rows": "aa{sv}", "Total": "u"]) {
          (name: String, first: Row, count: UInt32) in
          .items(name, from: first.number, count: min(Int(count), AgentLibrary.largestPage))
        }
      }
    }
  }

  /// At most this many smart playlists can be saved, because each is queried again when the library changes.
  package static let most = 1_000

  /// The answer to `List`.
  package static func reply(_ playlists: [SmartPlaylistFace]) -> WireValue {
    playlists.map(\.fields).wireValue
  }

  /// Reads the answer to `List`. Playlists that cannot be read are left out.
  package static func playlists(reply: [WireValue]) throws(BusError) -> [SmartPlaylistFace] {
    try reply.decoded(as: [Fields].self).compactMap { SmartPlaylistFace(wire: $0.wireValue) }
  }
}

// The calls that a client makes.
extension AgentCall {
  package static let smartPlaylists = AgentCall(AgentPlaylists.Method.list)
  /// Saves a query under a name.
  package static func save(smart name: String, _ options: SmartOptions) -> AgentCall {
    AgentCall(AgentPlaylists.Method.save, name, options.expression, options)
  }
  package static func delete(smart name: String) -> AgentCall {
    AgentCall(AgentPlaylists.Method.delete, name)
  }
  /// Asks for items of a playlist, in pages of `AgentLibrary.largestPage`.
  package static func items(ofPlaylist name: String, from first: Int) -> AgentCall {
    AgentCall(
      AgentPlaylists.Method.items, name, Row(number: first), UInt32(clamping: AgentLibrary.largestPage))
  }
}

/// The query of a smart playlist. The expression is sent as an argument of its own; the rest are options.
package struct SmartOptions: Sendable, Hashable, BusArgument {
  package var expression: String
  /// The properties to sort by, as the command line takes them; empty for the order of artist, album, disc and track.
  package var sort: [String]
  /// How many items the playlist has at most; nil for all.
  package var limit: Int?
  /// Whether a smart playlist of the same name is replaced. Otherwise the call is refused if there is one.
  package var replaces: Bool

  package init(_ expression: String = "", sort: [String] = [], limit: Int? = nil, replaces: Bool = false) {
    (self.expression, self.sort, self.limit, self.replaces) = (expression, sort, limit, replaces)
  }

  func asking(_ expression: String) -> SmartOptions {
    var options = self
    options.expression = expression
    return options
  }

  /// The options that differ from their defaults, as a message carries them.
  package var argument: [String: WireValue] {
    var options: [String: WireValue] = [:]
    if !sort.isEmpty { options["sort"] = sort.wireValue }
    options["limit"] = limit.map { .uint32(UInt32(clamping: $0)) }
    if replaces { options["replace"] = .boolean(true) }
    return options
  }

  package static func reading(_ argument: [String: WireValue]) throws(BusError) -> Self {
    var options = Options(argument)
    var read = Self()
    read.sort = try options.remove("sort") ?? []
    read.limit = try (options.remove("limit") as UInt32?).map(Int.init)
    read.replaces = try options.remove("replace") ?? false
    try options.checkForOthers(taken: "limit, replace and sort")
    guard read.limit != 0 else {
      throw .invalidArguments("a limit of 0 leaves nothing; leave it out for all")
    }
    guard read.sort.count <= 16 else { throw .invalidArguments("items are sorted by 16 properties at most") }
    return read
  }
}

/// A smart playlist, as our own interfaces show it: an `a{sv}` with the same keys as the command line's JSON.
package struct SmartPlaylistFace: Sendable, Hashable {
  package var name: String
  /// The number of the playlist's items now, and how long they last together.
  package var count: Int
  package var duration: Duration
  /// The condition that the playlist's items meet.
  package var query: String
  package var sort: [String]
  package var limit: Int?

  package init(_ playlist: SmartPlaylist, count: Int, duration: Duration) {
    (name, self.count, self.duration) = (playlist.name, count, duration)
    query = playlist.predicate.description
    sort = playlist.sort.map(\.description)
    limit = playlist.limit
  }

  /// Reads a playlist from a dictionary; nil if that has no name.
  init?(wire: WireValue) {
    guard let fields = FieldReader(wire), let name: String = fields("name") else { return nil }
    (self.name, query, sort) = (name, fields("query") ?? "", fields.list("sort"))
    (count, duration) = (max(0, fields("count") ?? 0), fields("duration") ?? .zero)
    limit = fields("limit")
  }

  package var fields: Fields {
    var fields = Fields()
    fields.add("name", name)
    fields.add("count", count)
    fields.add("duration", duration)
    fields.add("smart", true)
    fields.add("query", query)
    fields.add("sort", sort)
    fields.add("limit", limit)
    return fields
  }
}
