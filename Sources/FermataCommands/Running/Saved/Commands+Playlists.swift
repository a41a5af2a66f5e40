// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import FileIO
import Glibc
import MediaModel
import PlaylistModel
import SourceIO
import TerminalIO

extension Commands {
  static func listPlaylists(_ options: DataOptions) throws(CommandError) -> ExitCode {
    let items = try KeptPlaylists.items()
    if options.json {
      try write(JSONWriter.text(PlaylistText.json(items)) + "\n")
    } else {
      try show(PlaylistText.lines(items, width: Terminal.columns(of: STDOUT_FILENO)))
    }
    return .done
  }

  static func showPlaylist(_ options: PlaylistShowCommand.Options) throws(CommandError) -> ExitCode {
    let item = try KeptPlaylists.item(named: options.name)
    let playlist: Playlist
    do { playlist = try KeptPlaylists.folder().playlist(in: item.file) } catch let error as PlaylistFileError
    {
      throw CommandError(error, .nothingPlayable)
    } catch {
      throw CommandError(.nothingPlayable, "playlist '\(options.name)'", "\(error)")
    }
    if options.json {
      try write(JSONWriter.text(PlaylistText.json(playlist, of: item)) + "\n")
    } else {
      try show(PlaylistText.lines(playlist, width: Terminal.columns(of: STDOUT_FILENO)))
    }
    return .done
  }

  private static func show(_ lines: [StyledText]) throws(CommandError) {
    let palette = palette(of: STDOUT_FILENO)
    try write(lines.map { $0.rendered(palette) + "\n" }.joined())
  }

  static func savePlaylist(
    _ options: PlaylistSaveCommand.Options, _ parsed: ParsedCommand
  ) throws(CommandError) -> ExitCode {
    let folder = try KeptPlaylists.folder()
    let file: FilePath?
    do {
      file = try folder.file(named: options.name)
      if file != nil { try folder.make() }
    } catch {
      throw CommandError(error, .cannotWrite)
    }
    guard let file else {
      throw CommandError(
        .usage, "playlist '\(options.name)'", "a name has 1 to \(PlaylistName.longest - 5) bytes",
        "give it another")
    }
    return try save(at: file, replacing: options.replaces, parsed, as: "playlist '\(options.name)'")
  }

  static func deletePlaylist(_ options: PlaylistNameOptions) throws(CommandError) -> ExitCode {
    let item = try KeptPlaylists.item(named: options.name)
    let folder = try KeptPlaylists.folder()
    do { try folder.remove(item.file) } catch { throw CommandError(error, .cannotWrite) }
    return .done
  }

  static func saveQueue(
    _ options: QueueSaveCommand.Options, _ parsed: ParsedCommand
  ) throws(CommandError) -> ExitCode {
    guard let path = try NamedFiles.output(options.file), PlaylistFormat(name: path) != nil else {
      throw CommandError(
        .usage, "'\(options.file)'", "not the name of a playlist",
        "end it in " + PlaylistFormat.allCases.map { ".\($0)" }.joined(separator: ", "))
    }
    return try save(at: path, replacing: options.replaces, parsed, as: "'\(options.file)'")
  }

  private static func save(
    at path: FilePath, replacing: Bool, _ parsed: ParsedCommand, as name: String
  ) throws(CommandError) -> ExitCode {
    // The agent checks again, in case the file is created in between. But only this message names the option.
    guard replacing || path.isMissing else {
      throw CommandError(
        .refused, name, "is there already", "write over it with '--replace', or choose another name")
    }
    return try withAgent(parsed) { client throws(CommandError) in
      try await client.call(
        AgentCall(QueueOrder.save(path, replacing: replacing)), timeout: AgentClient.patience)
      say("Saved as \(TerminalText.printable(name))\n")
      return .done
    }
  }
}
