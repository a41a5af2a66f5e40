// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
import CommandModel
import FaceModel
import PlaylistModel
import SourceIO

/// `fermata playlist rename`.
struct PlaylistRenameCommand: Command {
  let name: String
  let newName: String

  private static let newName = ArgumentDefinition(ValueDefinition("NEW"), summary: "The name it is to have")

  static let definition = CommandDefinition(
    "rename", summary: "Give a playlist another name",
    discussion: ["A playlist that has that name already stays as it is, and so does this one then."],
    arguments: [PlaylistCommands.name, newName],
    examples: [("fermata playlist rename Mix 'Road trip'", "Call Mix Road trip from now on")], read: Self.init
  )

  init(_ parsed: ParsedCommand) {
    (name, newName) = (parsed.required(PlaylistCommands.name), parsed.required(Self.newName))
  }

  func run(as command: String) throws(CommandError) -> ExitCode {
    guard PlaylistName.file(named: newName) != nil else { throw KeptPlaylists.badName(newName) }
    return try onLoop { () async throws(CommandError) in
      let list = try await KeptPlaylists.find(name, command)
      if try KeptPlaylists.items().named(newName) != nil { throw KeptPlaylists.taken(newName) }
      if KeptPlaylists.mayHaveSmart {
        try await AgentClient.open(for: command).checkNoSmartPlaylist(has: newName)
      }
      switch list {
      case .plain(let item): try KeptPlaylists.rename(item, to: newName)
      case .smart(let list):
        let agent = try await AgentClient.open(for: command)
        try await agent.save(smart: newName, SmartOptions(list.query, sort: list.sort, limit: list.limit))
        try await agent.delete(smart: list.name)
      }
      Printer.say("Playlist '\(Printer.shown(name))' is called '\(Printer.shown(newName))' now\n")
      return .done
    }
  }
}

/// `fermata playlist remove`.
struct PlaylistRemoveCommand: Command {
  let name: String
  /// The rows to remove, counted from 1.
  let rows: Set<Int>

  private static let rows = ArgumentDefinition(
    ValueDefinition("N"), .some, summary: "Rows or, as `3-7`, runs of them, all counted before any is removed"
  )

  static let definition = CommandDefinition(
    "remove", summary: "Remove rows of a playlist",
    discussion: [
      """
      `fermata playlist show` counts the rows. `fermata playlist restore` brings them back. What was removed stays on the disk, and in the \
      queue.
      """
    ],
    arguments: [PlaylistCommands.name, rows],
    examples: [
      ("fermata playlist remove 'Road trip' 2 5-7", "Remove the second row, and the fifth to the seventh")
    ],
    read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    name = parsed.required(PlaylistCommands.name)
    rows = try parsed.rows(parsed.values(Self.rows))
  }

  func run(as command: String) throws(CommandError) -> ExitCode {
    try onLoop { () async throws(CommandError) in
      switch try await KeptPlaylists.find(name, command) {
      case .plain(let item): try remove(from: item)
      case .smart:
        throw CommandError(
          .refused, "playlist '\(name)'", "it holds what its question finds, and no rows of its own",
          "'fermata playlist smart --replace' gives it another question")
      }
      Printer.say(
        "Removed \(CountText.text(rows.count, "track")); 'fermata playlist restore "
          + "\(Printer.shown(ShellWord.argument(name)))' takes it back\n")
      return .done
    }
  }

  private func remove(from item: PlaylistFolder.Item) throws(CommandError) {
    let count = try KeptPlaylists.playlist(item).entries.count
    if let row = rows.filter({ $0 > count }).min() {
      throw CommandError(
        .refused, "row \(row)", "playlist '\(name)' has \(CountText.text(count, "row"))",
        "'fermata playlist show' lists them")
    }
    guard rows.count < count else {
      throw CommandError(
        .refused, "playlist '\(name)'", "nothing would be left of it", "'fermata playlist delete' deletes it")
    }
    try KeptPlaylists.remove(rows, from: item)
  }
}
