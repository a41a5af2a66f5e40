// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
import CommandModel
import FaceModel
import FileIO
import MediaModel
import PlaylistModel
import SourceIO
import UserFiles

/// `fermata playlist`, which has commands of its own.
enum PlaylistCommands {
  static let definition = CommandDefinition(
    "playlist", summary: "Keep queues as playlists",
    discussion: [
      """
      They are M3U8 files in `$XDG_DATA_HOME/fermata/playlists`, and M3U, PLS and XSPF files that are put there count as well. Desktops \
      show them by MPRIS. `fermata play playlist:NAME` plays one.
      """,
      """
      A smart playlist is a question to the library, so it has other tracks whenever that changes. It is kept with the ratings, and is \
      played by its name as well.
      """,
    ],
    groups: [
      .init([
        PlaylistListCommand.definition, PlaylistShowCommand.definition, PlaylistSaveCommand.definition,
        PlaylistAddCommand.definition, PlaylistRemoveCommand.definition, PlaylistSmartCommand.definition,
        PlaylistRenameCommand.definition, PlaylistDeleteCommand.definition, PlaylistRestoreCommand.definition,
      ])
    ],
    standard: "list",
    examples: [
      ("fermata playlist save 'Road trip'", "Keep the queue under this name"),
      ("fermata playlist add 'Road trip'", "Add what plays now"),
      ("fermata playlist show 'Road trip'", "List what it holds"),
      (
        "fermata playlist smart Fresh 'added > -30d' --sort -added --limit 50",
        "What came last, whenever it is played"
      ),
    ])

  /// The argument with which all these commands name a playlist.
  static let name = ArgumentDefinition(
    ValueDefinition("NAME", completion: .kept(KeptPlaylists.files)), summary: "The playlist's name, any text")

  fileprivate static let replace = OptionDefinition(
    "replace", summary: "Write over what has that name already")
}

/// `fermata playlist list`.
struct PlaylistListCommand: Command {
  let json: Bool

  static let definition = CommandDefinition(
    "list", summary: "List the playlists", options: [.json], read: Self.init)

  init(_ parsed: ParsedCommand) { json = parsed.has(.json) }

  func run(as name: String) throws(CommandError) -> ExitCode {
    let plain = try KeptPlaylists.items().map(KeptPlaylist.plain)
    return try onLoop { () async throws(CommandError) in
      let lists = (plain + (await Self.smart(name))).sorted { NaturalOrder.precedes($0.name, $1.name) }
      let rows = lists.map(PlaylistText.Row.init)
      try Printer.write(PlaylistText.json(rows), if: json) { PlaylistText.lines(rows, width: $0) }
      return .done
    }
  }

  /// The smart playlists; none if no agent can be asked, so that the plain ones are listed all the same.
  @AgentLoop
  private static func smart(_ command: String) async -> [KeptPlaylist] {
    guard KeptPlaylists.mayHaveSmart else { return [] }
    do throws(CommandError) {
      return try await AgentClient.open(for: command).smartPlaylists().map(KeptPlaylist.smart)
    } catch {
      Printer.complain(
        CommandError(
          error.code, "smart playlists", "left out: \(error.subject): \(error.reason)", error.remedy))
      return []
    }
  }
}

/// `fermata playlist show`.
struct PlaylistShowCommand: Command {
  let name: String
  let json: Bool

  static let definition = CommandDefinition(
    "show", summary: "List what a playlist holds", arguments: [PlaylistCommands.name], options: [.json],
    read: Self.init)

  init(_ parsed: ParsedCommand) {
    name = parsed.required(PlaylistCommands.name)
    json = parsed.has(.json)
  }

  func run(as command: String) throws(CommandError) -> ExitCode {
    try onLoop { () async throws(CommandError) in
      switch try await KeptPlaylists.find(name, command) {
      case .plain(let item):
        let playlist = try KeptPlaylists.playlist(item, tells: true)
        try Printer.write(PlaylistText.json(playlist, of: item), if: json) {
          PlaylistText.lines(playlist, width: $0)
        }
      case .smart(let list):
        let items = try await AgentClient.open(for: command).items(ofPlaylist: list.name)
        try Printer.write(PlaylistText.json(list, items), if: json) {
          PlaylistText.lines(items, width: $0) + ["", .outside("made by: \(list.makingCommand)", .dim)]
        }
      }
      return .done
    }
  }
}

/// `fermata playlist save`.
struct PlaylistSaveCommand: Command {
  let name: String
  /// Whether an existing playlist of that name is replaced.
  let replaces: Bool

  static let definition = CommandDefinition(
    "save", summary: "Keep the queue as a playlist",
    discussion: [
      """
      A playlist of that name stays as it is unless you say `--replace`; `fermata playlist restore` then brings the old one back. An empty \
      queue is not saved.
      """
    ],
    arguments: [PlaylistCommands.name], options: [PlaylistCommands.replace], read: Self.init)

  init(_ parsed: ParsedCommand) {
    name = parsed.required(PlaylistCommands.name)
    replaces = parsed.has(PlaylistCommands.replace)
  }

  func run(as command: String) throws(CommandError) -> ExitCode {
    let file = try KeptPlaylists.place(of: name)
    return try save(at: file, replacing: replaces, called: "playlist '\(name)'", as: command) {
      agent throws(CommandError) in try await agent.checkNoSmartPlaylist(has: name)
    }
  }
}

/// `fermata playlist add`.
struct PlaylistAddCommand: Command {
  let name: String
  let sources: NamedSources
  /// The filter expression for the items to take from the library instead of sources; nil if there is none.
  let selection: String?

  private static let sources = NamedSources.argument(.any)

  static let definition = CommandDefinition(
    "add", summary: "Add what plays, or sources, at the end of a playlist",
    discussion: [
      """
      Without a source it is the current track. A playlist that is not there is made. The queue stays as it is. `fermata playlist restore` \
      takes it back.
      """
    ],
    arguments: [PlaylistCommands.name, sources], options: LibrarySelection.options,
    examples: [
      ("fermata playlist add Favourites", "Add what plays now"),
      ("fermata playlist add 'Road trip' ~/Music/Nina\\ Simone", "Add a folder"),
    ], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    name = parsed.required(PlaylistCommands.name)
    sources = try NamedSources(Self.sources, of: parsed)
    selection = try LibrarySelection.expression(parsed, besides: sources)
  }

  func run(as command: String) throws(CommandError) -> ExitCode {
    let isCurrent = selection == nil && sources == .words([])
    let named = try isCurrent || selection != nil ? nil : sources.read(toPlay: false)
    let file = try KeptPlaylists.place(of: name)
    return try withAgent(command) { agent throws(CommandError) in
      try await agent.checkNoSmartPlaylist(has: name)
      var count = 1
      if isCurrent {
        try await agent.addCurrent(toFile: file)
      } else {
        let added = try await agent.add(try await agent.sources(named, or: selection), toFile: file)
        added.leftOut.forEach(Printer.complain)
        count = added.count
      }
      Printer.say("Added \(CountText.text(count, "track")) to playlist '\(Printer.shown(name))'\n")
    }
  }
}

extension AgentClient {
  /// Throws if a smart playlist has this name. No plain one may have it as well.
  func checkNoSmartPlaylist(has name: String) async throws(CommandError) {
    guard KeptPlaylists.mayHaveSmart, try await smartPlaylists().contains(where: { $0.name == name })
    else { return }
    throw CommandError(
      .refused, "playlist '\(name)'", "a smart playlist has that name",
      "delete that one with 'fermata playlist delete', or choose another name")
  }
}

/// `fermata playlist smart`.
struct PlaylistSmartCommand: Command {
  let name: String
  let options: SmartOptions

  private static let expression = ArgumentDefinition(
    ValueDefinition("EXPR"), summary: "What has to hold for a track of it")

  static let definition = CommandDefinition(
    "smart", summary: "Keep a question to the library as a playlist",
    discussion: [
      """
      `fermata help library` explains expressions. A smart playlist of that name stays as it is unless you say `--replace`; a plain one \
      has to be deleted first.
      """
    ],
    arguments: [PlaylistCommands.name, expression],
    options: [LibraryListing.sort, LibraryListing.limit, PlaylistCommands.replace],
    examples: [
      ("fermata playlist smart Best 'rating >= 4'", "What you have rated high"),
      ("fermata playlist smart Forgotten 'playCount > 3 and lastPlayed < -1y'", "What you once liked"),
    ], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    name = parsed.required(PlaylistCommands.name)
    options = SmartOptions(
      try LibrarySelection.checked(parsed.required(Self.expression)), sort: try LibraryListing.sort(parsed),
      limit: try parsed.number(LibraryListing.limit, in: 1...Int(Int32.max)),
      replaces: parsed.has(PlaylistCommands.replace))
  }

  func run(as command: String) throws(CommandError) -> ExitCode {
    guard PlaylistName.file(named: name) != nil else { throw KeptPlaylists.badName(name) }
    return try withAgent(command) { agent throws(CommandError) in
      let former = options.replaces ? try await agent.smartPlaylists().first { $0.name == name } : nil
      try await agent.save(smart: name, options)
      let was = former.map { "; it was: \($0.makingCommand)" } ?? ""
      Printer.say("Saved as playlist '\(Printer.shown(name))'\(Printer.shown(was))\n")
    }
  }
}

/// `fermata queue save`.
struct QueueSaveCommand: Command {
  /// The playlist file to write.
  let file: String
  /// Whether an existing file is replaced.
  let replaces: Bool

  private static let file = ArgumentDefinition(
    ValueDefinition("FILE", completion: .files),
    summary: "A name that ends in .m3u8, .m3u, .pls, .xspf or .cue")

  static let definition = CommandDefinition(
    "save", summary: "Write the queue into a playlist file",
    discussion: [
      """
      The name says the format. A file of that name stays as it is unless you say `--replace`; then it is replaced as a whole or not \
      at all. An empty queue is not saved. Files below the playlist's folder are named relative to it.
      """
    ],
    arguments: [file], options: [PlaylistCommands.replace], read: Self.init)

  init(_ parsed: ParsedCommand) {
    file = parsed.required(Self.file)
    replaces = parsed.has(PlaylistCommands.replace)
  }

  func run(as command: String) throws(CommandError) -> ExitCode {
    let path = try FilePath.typed(Array(file.utf8), or: .cannotWrite)
    guard PlaylistFormat(name: path) != nil else {
      throw CommandError(
        .usage, "'\(file)'", "not the name of a playlist",
        "end it in " + PlaylistFormat.allCases.map { ".\($0)" }.joined(separator: ", "))
    }
    return try save(at: path, replacing: replaces, called: "'\(file)'", as: command)
  }
}

/// Makes the agent write the queue into a file, which messages call `name`. Throws before that if `check` throws.
private func save(
  at path: FilePath, replacing: Bool, called name: String, as command: String,
  check: @escaping @AgentLoop (AgentClient) async throws(CommandError) -> Void = { _ throws(CommandError) in
  }
) throws(CommandError) -> ExitCode {
  // The agent checks this too, in case the file is created in between, but only this message can name the option.
  guard replacing || path.isMissing else {
    throw CommandError(
      .refused, name, "is there already", "write over it with '--replace', or choose another name")
  }
  return try withAgent(command) { agent throws(CommandError) in
    try await check(agent)
    try await agent.save(path, replacing: replacing)
    Printer.say("Saved as \(Printer.shown(name))\n")
  }
}

/// `fermata playlist delete`.
struct PlaylistDeleteCommand: Command {
  let name: String

  static let definition = CommandDefinition(
    "delete", summary: "Delete a playlist",
    discussion: [
      "What it names stays, and so does the queue. `fermata playlist restore` takes it back; a smart playlist is made again with its question, which is told."
    ],
    arguments: [PlaylistCommands.name], read: Self.init)

  init(_ parsed: ParsedCommand) { name = parsed.required(PlaylistCommands.name) }

  func run(as command: String) throws(CommandError) -> ExitCode {
    try onLoop { () async throws(CommandError) in
      switch try await KeptPlaylists.find(name, command) {
      case .plain(let item):
        try KeptPlaylists.remove(item)
        Printer.say(
          "Deleted; 'fermata playlist restore \(Printer.shown(ShellWord.argument(name)))' brings it back\n")
      case .smart(let list):
        try await AgentClient.open(for: command).delete(smart: list.name)
        Printer.say("Deleted; it was: \(Printer.shown(list.makingCommand))\n")
      }
      return .done
    }
  }
}

extension SmartPlaylistFace {
  /// The command that makes the playlist anew.
  fileprivate var makingCommand: String {
    var words = ["fermata", "playlist", "smart"]
    if !sort.isEmpty { words += ["--sort", sort.joined(separator: ",")] }
    if let limit { words += ["--limit", "\(limit)"] }
    return (words.map(ShellWord.quoted) + [ShellWord.argument(name), ShellWord.quoted(query)]).joined(
      separator: " ")
  }
}

/// `fermata playlist restore`.
struct PlaylistRestoreCommand: Command {
  let name: String

  private static let name = ArgumentDefinition(
    ValueDefinition("NAME"), summary: "The name that the playlist had")

  static let definition = CommandDefinition(
    "restore", summary: "Bring back a playlist that was deleted or written over",
    discussion: [
      "The one that has the name now takes its place, so a second `restore` takes the first back. Only the last one of each name is kept."
    ],
    arguments: [name], read: Self.init)

  init(_ parsed: ParsedCommand) { name = parsed.required(Self.name) }

  func run(as command: String) throws(CommandError) -> ExitCode {
    guard try KeptPlaylists.restore(name) else {
      throw CommandError(
        .noSuchFile, "playlist '\(name)'", "no file of that name was deleted or written over",
        "'fermata playlist' lists those that are there; a smart one is made again with its question")
    }
    Printer.say("Playlist '\(Printer.shown(name))' is back\n")
    return .done
  }
}
