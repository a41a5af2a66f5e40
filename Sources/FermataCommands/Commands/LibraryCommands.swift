// SPDX-License-Identifier: MIT
import AgentAccess
import CommandModel
import FaceModel
import FileIO
import LibraryQuery
import MediaModel
import PlaybackLogic
import UserFiles

/// `fermata library`, which has commands of its own.
enum LibraryCommands {
  /// The properties that an expression may name, for the help.
  private static let properties = ItemProperty.allCases.filter(\.canFilter).map { "`\($0.rawValue)`" }.joined(
    separator: ", ")

  static let definition = CommandDefinition(
    "library", summary: "Keep folders of music in mind, and ask for what is in them",
    discussion: [
      """
      The agent reads the tags of all files in these folders once, and notices what changes. An EXPR says what has to hold: \
      `artist == "Nina Simone" and year in 1960..1969 and rating >= 4`. Operators are `== != < <= > >= contains begins in`, joined \
      by `and`, `or`, `not` and parentheses; `contains`, `begins` and `in` ignore case and accents. Dates may be relative: \
      `added > -30d`.
      """,
      "The properties are \(properties).",
    ],
    groups: [
      .init(
        "Folders",
        [
          LibraryOverviewCommand.definition, LibraryAddCommand.definition, LibraryRemoveCommand.definition,
          LibraryScanCommand.definition, LibraryAnalyzeCommand.definition,
        ]),
      .init("Lists", LibraryListCommand.definitions),
      .init("Questions", [LibrarySearchCommand.definition, LibraryQueryCommand.definition]),
      .init(
        "Items",
        [LibraryShowCommand.definition, LibraryRateCommand.definition, LibraryNoteCommand.definition]
      ),
      .init("Elsewhere", [LibraryExportCommand.definition, LibraryImportCommand.definition]),
    ],
    standard: "status",
    examples: [
      ("fermata library add ~/Music", "Read a folder, and follow its changes"),
      ("fermata library albums --limit 20", "The first twenty albums"),
      (
        "fermata library query 'genre in [\"Jazz\"] and playCount == 0' --ids | fermata add -",
        "Queue what was never heard"
      ),
    ])

  /// The argument with which commands name an item.
  fileprivate static let item = ArgumentDefinition(
    ValueDefinition("ID"), summary: "The number of an item, as lists show it, or `current` for what plays")
}

/// An item of the library as the user of a command names it: by its number, or as what plays.
enum NamedItem: Equatable {
  case id(MediaItem.ID)
  /// The current track of the queue, wherever it was queued from.
  case current

  /// The item's number. Throws if nothing is current, or if what is current is not in the library.
  func id(_ agent: AgentClient) async throws(CommandError) -> MediaItem.ID {
    if case .id(let id) = self { return id }
    guard let track = try await agent.playerStatus().current?.item else {
      throw CommandError(
        .refused, "current", Refusal.nothingCurrent.rawValue, "'fermata library list' lists items")
    }
    guard let id = try await agent.item(at: track.location.wireURI ?? "", part: track.part) else {
      throw CommandError(
        .refused, "current", "'\(track.displayTitle)' is not in the library",
        "'fermata library add DIR' adds its folder")
    }
    return id
  }
}

extension ParsedCommand {
  fileprivate func item(_ argument: ArgumentDefinition) throws(CommandError) -> NamedItem {
    let word = required(argument)
    if word == "current" { return .current }
    return .id(MediaItem.ID(rawValue: Int64(try number(word, named: "item", in: 1...Int.max))))
  }

  fileprivate func folders(_ argument: ArgumentDefinition) throws(CommandError) -> [FilePath] {
    var folders: [FilePath] = []
    for word in values(argument) { folders.append(try FilePath.typedForAgent(Array(word.utf8))) }
    return folders
  }
}

// MARK: Folders

/// `fermata library status`.
struct LibraryOverviewCommand: Command {
  let json: Bool

  static let definition = CommandDefinition(
    "status", summary: "Show the folders, and how much there is", options: [.json],
    read: { LibraryOverviewCommand(json: $0.has(.json)) })

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      let status = try await agent.libraryStatus()
      try Printer.write(LibraryText.json(status), if: json) {
        LibraryText.lines(status, music: UserFolders.music, width: $0)
      }
    }
  }
}

/// `fermata library add`.
struct LibraryAddCommand: Command {
  let folder: FilePath
  let following: JobFollowing

  private static let folder = ArgumentDefinition(
    ValueDefinition("DIR", completion: .files), summary: "A folder of music")

  static let definition = CommandDefinition(
    "add", summary: "Read a folder, and follow its changes",
    discussion: [JobFollowing.discussion], arguments: [folder], options: JobFollowing.options, read: Self.init
  )

  init(_ parsed: ParsedCommand) throws(CommandError) {
    folder = try parsed.folders(Self.folder)[0]
    following = JobFollowing(parsed)
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    guard !folder.isMissing else {
      throw CommandError(.noSuchFile, "'\(folder)'", "no such folder", "name one that exists")
    }
    return try following.run(name) { agent throws(CommandError) in try await agent.add(libraryFolder: folder)
    }
  }
}

/// `fermata library remove`.
struct LibraryRemoveCommand: Command {
  let folder: FilePath

  private static let folder = ArgumentDefinition(
    ValueDefinition("DIR", completion: .files), summary: "A folder of the library")

  static let definition = CommandDefinition(
    "remove", summary: "Take a folder out of the library",
    discussion: ["No file is touched. Ratings and counts are kept for when it comes back."],
    arguments: [folder], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) { folder = try parsed.folders(Self.folder)[0] }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in try await agent.remove(libraryFolder: folder) }
  }
}

/// `fermata library scan`.
struct LibraryScanCommand: Command {
  let folders: [FilePath]
  let following: JobFollowing

  private static let folders = ArgumentDefinition(
    ValueDefinition("DIR", completion: .files), .any,
    summary: "Folders of the library; all of them if left out")

  static let definition = CommandDefinition(
    "scan", summary: "Look for changes", discussion: [JobFollowing.discussion],
    arguments: [folders], options: JobFollowing.options, read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    folders = try parsed.folders(Self.folders)
    following = JobFollowing(parsed)
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try following.run(name) { agent throws(CommandError) in try await agent.scan(folders) }
  }
}

/// `fermata library analyze`.
struct LibraryAnalyzeCommand: Command {
  /// The condition that items must meet; empty for all items.
  let expression: String
  let again: Bool
  let following: JobFollowing

  private static let expression = ArgumentDefinition(
    ValueDefinition("EXPR"), .optional, summary: "What has to hold for an item; all of them if left out")
  private static let again = OptionDefinition("again", summary: "Also what was measured before")

  static let definition = CommandDefinition(
    "analyze", summary: "Measure how loud items sound, where no tag says it",
    discussion: [
      """
      Decodes each of them once, as EBU R 128 has it, when nobody else wants the processor. The gains are kept in the library and never \
      written to files. What is cut short goes on with the next call. A file that can't be decoded is left alone until it changes.
      """,
      JobFollowing.discussion,
    ], arguments: [expression], options: [again] + JobFollowing.options,
    examples: [("fermata library analyze 'added > -7d'", "What came in the last week")], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    expression = try parsed.value(Self.expression).map(LibrarySelection.checked) ?? ""
    again = parsed.has(Self.again)
    following = JobFollowing(parsed, verb: "measured")
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try following.run(name) { agent throws(CommandError) in try await agent.analyze(expression, again: again)
    }
  }
}

// MARK: Lists and questions

/// The options that all lists of the library have: sorting, grouping, a limit, and the form of the output.
struct LibraryListing {
  private let sort: [String]
  private let group: String?
  private let limit: Int?
  private let ids: Bool
  private let json: Bool

  private static let group = OptionDefinition(
    "group",
    value: ValueDefinition("PROPERTY", choices: Grouping.allCases.map { .init($0.rawValue) }),
    summary: "Gather what has the same value")
  static let sort = OptionDefinition(
    "sort", value: ValueDefinition("K[,K…]"), summary: "Sort by properties; `-year` turns the order round")
  static let limit = OptionDefinition("limit", value: ValueDefinition("N"), summary: "At most N rows")
  private static let ids = OptionDefinition(
    "ids", summary: "Write only the items' numbers, one a line, for `fermata add -`")

  static let options = [group, sort, limit, ids, OptionDefinition.json]
  /// The options of a list of playlists: these have neither numbers nor properties.
  static let optionsOfPlaylists = [limit, OptionDefinition.json]
  static let exclusive = [[ids, OptionDefinition.json], [ids, group]]

  /// Reads the options. Throws for a property that can't be sorted by.
  init(_ parsed: ParsedCommand, ofPlaylists: Bool = false) throws(CommandError) {
    limit = try parsed.number(Self.limit, in: 1...Int(Int32.max))
    json = parsed.has(.json)
    if ofPlaylists {
      (sort, group, ids) = ([], nil, false)
      return
    }
    sort = try Self.sort(parsed)
    group = parsed.value(Self.group)
    ids = parsed.has(Self.ids)
  }

  /// The properties to sort by. Throws for one that can't be sorted by.
  static func sort(_ parsed: ParsedCommand) throws(CommandError) -> [String] {
    let text = parsed.value(sort) ?? ""
    do throws(PredicateError) { _ = try text.isEmpty ? [] : SortKey.list(text) } catch {
      throw CommandError(error, of: "--sort")
    }
    return text.split(separator: ",").map(String.init)
  }

  /// Asks the library, and writes the answer. `name` is the name of the command, for errors; `standard` has the values for options that were not
  /// given. `nothing` says to a person that there is nothing of the kind.
  func run(
    _ name: String, _ standard: LibraryRequest, nothing: String = "Nothing in the library is like that."
  ) throws(CommandError) -> ExitCode {
    var request = standard
    // The list's own order is one of items.
    if !sort.isEmpty || group != nil { request.sort = sort }
    if let group { request.group = group }
    guard sort.isEmpty || request.group != Grouping.playlist.rawValue else {
      throw CommandError(.usage, name, "playlists stand in the order of their names", "leave out --sort")
    }
    request.limit = limit
    return try withAgent(name) { agent throws(CommandError) in
      if ids {
        let numbers = try await agent.members(request)
        return try Printer.write(numbers.map { "\($0.rawValue)\n" }.joined())
      }
      if request.group == nil {
        let (items, total) = try await agent.items(request)
        if items.isEmpty, !json { return try await tell(nothing, request, agent) }
        return try Printer.write(LibraryText.json(items, total), if: json) {
          LibraryText.lines(items, total, width: $0)
        }
      }
      let (collections, total) = try await agent.collections(request)
      if collections.isEmpty, !json { return try await tell(nothing, request, agent) }
      return try Printer.write(LibraryText.json(collections, total), if: json) {
        LibraryText.lines(
          collections, total, ofAlbums: request.group == Grouping.album.rawValue, width: $0)
      }
    }
  }

  /// Says that nothing was found. Where the library has no tracks at all, says that instead.
  private func tell(
    _ nothing: String, _ request: LibraryRequest, _ agent: AgentClient
  ) async throws(CommandError) {
    let status = try await agent.libraryStatus()
    if status.tracks > 0 || request.group == Grouping.playlist.rawValue {
      return try Printer.write(nothing + "\n")
    }
    try Printer.write(LibraryText.json(status), if: false) {
      LibraryText.lines(status, music: UserFolders.music, width: $0)
    }
  }
}

/// `fermata library albums` and the other lists.
struct LibraryListCommand: Command {
  let list: LibraryList
  let listing: LibraryListing

  static let definitions = LibraryList.allCases.map { list in
    let ofPlaylists = list == .playlists
    return CommandDefinition(
      list.rawValue, summary: summary(of: list),
      options: ofPlaylists ? LibraryListing.optionsOfPlaylists : LibraryListing.options,
      exclusive: ofPlaylists ? [] : LibraryListing.exclusive,
      read: { parsed throws(CommandError) in
        LibraryListCommand(list: list, listing: try LibraryListing(parsed, ofPlaylists: ofPlaylists))
      })
  }

  private static func summary(of list: LibraryList) -> String {
    switch list {
    case .list: "List every item, as on a shelf of albums"
    case .albums: "List the albums"
    case .artists: "List the artists"
    case .songs: "List the music by title"
    case .genres: "List the genres"
    case .composers: "List the composers"
    case .compilations: "List the albums of several artists"
    case .playlists: "List the playlists, with what the library has of them"
    case .podcasts: "List the podcasts"
    case .audiobooks: "List the audiobooks"
    }
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    let (query, grouping) = list.question
    return try listing.run(
      name,
      LibraryRequest(
        query.predicate?.description ?? "", sort: query.sort.map(\.description), group: grouping?.rawValue),
      nothing: nothing)
  }

  /// The sentence that a person gets instead of the list, if nothing is in it.
  private var nothing: String {
    switch list {
    case .list: "There is no track in the library."
    case .albums: "No track has an album in its tags."
    case .artists: "No track has an artist in its tags."
    case .songs: "There is no music in the library."
    case .genres: "No track has a genre in its tags."
    case .composers: "No track has a composer in its tags."
    case .compilations: "No album is marked as a compilation."
    case .playlists: "No playlist is kept; 'fermata playlist save NAME' keeps the queue as one."
    case .podcasts: "There is no podcast in the library."
    case .audiobooks: "There is no audiobook in the library."
    }
  }
}

/// `fermata library search`.
struct LibrarySearchCommand: Command {
  let text: String
  let listing: LibraryListing

  private static let words = ArgumentDefinition(
    ValueDefinition("TEXT"), .some, summary: "Words, or parts of them")

  static let definition = CommandDefinition(
    "search", summary: "List items in which all words are found",
    discussion: [
      "In title, album, artists, composers and genres. Case and accents don't count, nor where in a word it is."
    ], arguments: [words], options: LibraryListing.options, exclusive: LibraryListing.exclusive,
    read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    text = parsed.values(Self.words).joined(separator: " ")
    listing = try LibraryListing(parsed)
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try listing.run(name, LibraryRequest(search: text))
  }
}

/// `fermata library query`.
struct LibraryQueryCommand: Command {
  let expression: String
  let listing: LibraryListing

  private static let expression = ArgumentDefinition(
    ValueDefinition("EXPR"), summary: "What has to hold for an item")

  static let definition = CommandDefinition(
    "query", summary: "List items for which an expression holds", arguments: [expression],
    options: LibraryListing.options, exclusive: LibraryListing.exclusive,
    examples: [("fermata library query 'album contains \"live\"' --sort -year", "The newest first")],
    read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    expression = try LibrarySelection.checked(parsed.required(Self.expression))
    listing = try LibraryListing(parsed)
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try listing.run(name, LibraryRequest(expression))
  }
}

// MARK: Items

/// `fermata library show`.
struct LibraryShowCommand: Command {
  let item: NamedItem
  let json: Bool

  static let definition = CommandDefinition(
    "show", summary: "Show all that is known of an item", arguments: [LibraryCommands.item], options: [.json],
    read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    item = try parsed.item(LibraryCommands.item)
    json = parsed.has(.json)
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      let face = try await agent.item(item.id(agent))
      try Printer.write(LibraryText.json(face), if: json) { _ in LibraryText.lines(face) }
    }
  }
}

/// `fermata library rate`.
struct LibraryRateCommand: Command {
  let item: NamedItem
  let rating: Int

  private static let rating = ArgumentDefinition(
    ValueDefinition("RATING", choices: ListeningRecord.ratings.map { .init("\($0)") }),
    summary: "Stars; 0 takes the rating back")

  static let definition = CommandDefinition(
    "rate", summary: "Rate an item",
    discussion: ["Ratings are kept apart from the files, and survive moves and other tags."],
    arguments: [LibraryCommands.item, rating],
    examples: [("fermata library rate current 5", "Love what plays")], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    item = try parsed.item(LibraryCommands.item)
    rating = try parsed.number(parsed.required(Self.rating), named: "rating", in: ListeningRecord.ratings)
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      try await agent.rate(item.id(agent), rating)
    }
  }
}

/// `fermata library note`.
struct LibraryNoteCommand: Command {
  let item: NamedItem
  /// The key of the note; nil for all notes on the item.
  let key: String?
  /// The text of the new note; nil to show the present note.
  let text: String?
  let json: Bool

  private static let key = ArgumentDefinition(
    ValueDefinition("KEY"), .optional,
    summary: "A name for the note, any text; left out, all notes are listed")
  private static let text = ArgumentDefinition(
    ValueDefinition("VALUE"), .optional,
    summary: "What to note; empty removes it; left out, the note is shown")

  static let definition = CommandDefinition(
    "note", summary: "Note something of an item, or show it", arguments: [LibraryCommands.item, key, text],
    options: [.json], exitCodes: [(.refused, "Nothing is noted under this key")], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    item = try parsed.item(LibraryCommands.item)
    key = parsed.value(Self.key)
    text = parsed.value(Self.text)
    json = parsed.has(.json)
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      let item = try await item.id(agent)
      guard let key else {
        let notes = try await agent.item(item).notes
        return try Printer.write(LibraryText.json(notes), if: json) { LibraryText.lines(notes, width: $0) }
      }
      if let text { return try await agent.setNote(item, key: key, text) }
      let note = try await agent.note(item, key: key)
      guard !note.isEmpty else {
        throw CommandError(.refused, "item \(item.rawValue)", "nothing is noted under '\(key)'")
      }
      try Printer.write(LibraryText.json([key: note]), if: json, else: Printer.exact(note))
    }
  }
}
