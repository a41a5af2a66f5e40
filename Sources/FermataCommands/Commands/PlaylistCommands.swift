// SPDX-License-Identifier: MIT
import AgentAccess
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
      They are M3U8 files in `$XDG_DATA_HOME/fermata/playlists`, and others' files that are put there count as well. Desktops \
      show them by MPRIS. `fermata play playlist:NAME` plays one.
      """
    ],
    groups: [
      .init([
        PlaylistListCommand.definition, PlaylistShowCommand.definition, PlaylistSaveCommand.definition,
        PlaylistDeleteCommand.definition,
      ])
    ],
    standard: "list",
    examples: [
      ("fermata playlist save 'Road trip'", "Keep the queue under this name"),
      ("fermata playlist show 'Road trip'", "List what it holds"),
    ])

  /// The argument with which all these commands name a playlist.
  fileprivate static let name = ArgumentDefinition(
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

  func run(as _: String) throws(CommandError) -> ExitCode {
    let items = try KeptPlaylists.items()
    try Printer.write(PlaylistText.json(items), if: json) { PlaylistText.lines(items, width: $0) }
    return .done
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

  func run(as _: String) throws(CommandError) -> ExitCode {
    let item = try KeptPlaylists.item(named: name)
    let folder = try KeptPlaylists.folder()
    let playlist: Playlist
    do { playlist = try folder.playlist(in: item.file) } catch {
      throw CommandError(error, .nothingPlayable)
    }
    try Printer.write(PlaylistText.json(playlist, of: item), if: json) {
      PlaylistText.lines(playlist, width: $0)
    }
    return .done
  }
}

/// `fermata playlist save`.
struct PlaylistSaveCommand: Command {
  let name: String
  /// Whether a playlist of that name is replaced.
  let replaces: Bool

  static let definition = CommandDefinition(
    "save", summary: "Keep the queue as a playlist",
    discussion: [
      "A playlist of that name stays as it is unless you say `--replace`. An empty queue is not saved."
    ],
    arguments: [PlaylistCommands.name], options: [PlaylistCommands.replace], read: Self.init)

  init(_ parsed: ParsedCommand) {
    name = parsed.required(PlaylistCommands.name)
    replaces = parsed.has(PlaylistCommands.replace)
  }

  func run(as command: String) throws(CommandError) -> ExitCode {
    let folder = try KeptPlaylists.folder()
    let file: FilePath?
    do {
      file = try folder.file(named: name)
      if file != nil { try folder.make() }
    } catch {
      throw CommandError(error, .cannotWrite)
    }
    guard let file else {
      throw CommandError(
        .usage, "playlist '\(name)'", "a name has 1 to \(PlaylistName.longest - 5) bytes", "give it another")
    }
    return try save(at: file, replacing: replaces, called: "playlist '\(name)'", as: command)
  }
}

/// `fermata queue save`.
struct QueueSaveCommand: Command {
  /// The playlist file to write.
  let file: String
  /// Whether a file of that name is replaced.
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
    guard let path = try FilePath.toWrite(typed: file), PlaylistFormat(name: path) != nil else {
      throw CommandError(
        .usage, "'\(file)'", "not the name of a playlist",
        "end it in " + PlaylistFormat.allCases.map { ".\($0)" }.joined(separator: ", "))
    }
    return try save(at: path, replacing: replaces, called: "'\(file)'", as: command)
  }
}

/// Has the agent write the queue into a file, which messages call `name`.
private func save(
  at path: FilePath, replacing: Bool, called name: String, as command: String
) throws(CommandError) -> ExitCode {
  // The agent checks again, in case the file is created in between. But only this message names the option.
  guard replacing || path.isMissing else {
    throw CommandError(
      .refused, name, "is there already", "write over it with '--replace', or choose another name")
  }
  return try withAgent(command) { agent throws(CommandError) in
    try await agent.save(path, replacing: replacing)
    Printer.say("Saved as \(TerminalText.printable(name))\n")
  }
}

/// `fermata playlist delete`.
struct PlaylistDeleteCommand: Command {
  let name: String

  static let definition = CommandDefinition(
    "delete", summary: "Delete a playlist", discussion: ["What it names stays, and so does the queue."],
    arguments: [PlaylistCommands.name], read: Self.init)

  init(_ parsed: ParsedCommand) { name = parsed.required(PlaylistCommands.name) }

  func run(as _: String) throws(CommandError) -> ExitCode {
    let item = try KeptPlaylists.item(named: name)
    let folder = try KeptPlaylists.folder()
    do { try folder.remove(item.file) } catch { throw CommandError(error, .cannotWrite) }
    return .done
  }
}

/// The user's kept playlists, found by their names. Blocks on the disk.
enum KeptPlaylists {
  /// The word before the colon in a source that names a kept playlist.
  static let scheme = "playlist"
  /// The kept playlists as shell completion finds them.
  static let files = KeptFiles("playlists", in: "fermata/playlists", ending: "m3u8")

  /// The folder that contains the kept playlists. Throws if the environment doesn't say where it is.
  fileprivate static func folder() throws(CommandError) -> PlaylistFolder {
    guard let folder = UserFolders.playlists else {
      throw CommandError(
        .cannotWrite, "playlists", UserFolders.reason(noneSays: "where they are", "XDG_DATA_HOME"),
        "set HOME")
    }
    return folder
  }

  fileprivate static func items() throws(CommandError) -> [PlaylistFolder.Item] {
    let folder = try folder()
    do { return try folder.items() } catch { throw CommandError(error, .noSuchFile) }
  }

  /// The playlist with this name. Throws if there is none.
  fileprivate static func item(named name: String) throws(CommandError) -> PlaylistFolder.Item {
    let items = try items()
    if let item = items.first(where: { $0.name == name }) { return item }
    let meant = Suggestion.nearest(to: name, among: items.map(\.name)).map { "did you mean '\($0)'? " } ?? ""
    throw CommandError(
      .noSuchFile, "playlist '\(name)'", "there is none of that name", meant + "'fermata playlist' lists them"
    )
  }

  /// The file of the playlist that a source such as `playlist:NAME` names; nil for a source of another form. Throws if
  /// there is no such playlist.
  static func file(ofSource written: [UInt8]) throws(CommandError) -> FilePath? {
    let prefix = "\(scheme):".utf8
    guard written.starts(with: prefix) else { return nil }
    return try item(named: String(decoding: written.dropFirst(prefix.count), as: UTF8.self)).file
  }
}

extension CommandError {
  fileprivate init(_ error: PlaylistFileError, _ code: ExitCode) {
    self.init(code, error.path.text, error.explanation)
  }
}

/// Kept playlists as text for a person and as JSON.
private enum PlaylistText {
  /// The list of playlists, one a line with the date of its last change.
  static func lines(_ items: [PlaylistFolder.Item], width: Int?) -> [StyledText] {
    guard !items.isEmpty else {
      return [StyledText("There is no playlist. Keep the queue as one with 'fermata playlist save NAME'")]
    }
    var table = Table([.init(flexible: true), .init()])
    for item in items { table.append([.outside(item.name), StyledText(moment(item).day, .dim)]) }
    return table.lines(width: width)
  }

  /// The object that `playlist list --json` writes.
  static func json(_ items: [PlaylistFolder.Item]) -> JSONValue {
    .object(present: [
      "playlists": .array(
        items.map { item in
          .object(present: [
            "name": .string(item.name), "url": .string(item.file.uri), "modified": .string(moment(item).text),
          ])
        })
    ])
  }

  /// The entries of one playlist, in the same form as the queue.
  static func lines(_ playlist: Playlist, width: Int?) -> [StyledText] {
    let items = playlist.entries.map(face)
    guard !items.isEmpty else { return [StyledText("The playlist is empty.")] }
    return QueueText.lines(QueuePage(items: items, length: items.count, current: nil), width: width)
  }

  /// The object that `playlist show --json` writes.
  static func json(_ playlist: Playlist, of item: PlaylistFolder.Item) -> JSONValue {
    .object(present: [
      "name": .string(item.name), "url": .string(item.file.uri),
      "entries": .array(playlist.entries.compactMap { JSONValue(wire: face($0).wireValue(inList: true)) }),
      "length": .integer(playlist.entries.count),
    ])
  }

  private static func face(_ entry: PlaylistEntry) -> ItemFace {
    var tags = MediaTags()
    tags.title = entry.title
    tags.artist = entry.performer.map { [$0] } ?? []
    tags.album = entry.album
    tags.track = entry.track
    tags.duration = entry.duration
    return ItemFace(MediaItem(location: entry.location, tags: tags))
  }

  private static func moment(_ item: PlaylistFolder.Item) -> Moment {
    Moment(milliseconds: Int(item.modified / 1_000_000))
  }
}
