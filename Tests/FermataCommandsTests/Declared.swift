// SPDX-License-Identifier: MIT
import CommandModel
import FermataCommands

/// Every declared command by its words, to read what was said to it.
enum Declared {
  typealias Reader = @Sendable (ParsedCommand) throws(UsageError) -> any CommandOptions

  static let readers: [[String]: Reader] = [
    ["play"]: reader(PlayCommand.self), ["pause"]: reader(PauseCommand.self),
    ["toggle"]: reader(ToggleCommand.self),
    ["stop"]: reader(StopCommand.self), ["next"]: reader(NextCommand.self),
    ["previous"]: reader(PreviousCommand.self), ["seek"]: reader(SeekCommand.self),
    ["volume"]: reader(VolumeCommand.self), ["repeat"]: reader(RepeatCommand.self),
    ["shuffle"]: reader(ShuffleCommand.self), ["status"]: reader(StatusCommand.self),
    ["add"]: reader(AddCommand.self),
    ["queue", "list"]: reader(QueueListCommand.self), ["queue", "jump"]: reader(QueueJumpCommand.self),
    ["queue", "remove"]: reader(QueueRemoveCommand.self), ["queue", "move"]: reader(QueueMoveCommand.self),
    ["queue", "clear"]: reader(QueueClearCommand.self), ["queue", "undo"]: reader(QueueUndoCommand.self),
    ["queue", "redo"]: reader(QueueRedoCommand.self), ["agent"]: reader(AgentCommand.self),
    ["queue", "save"]: reader(QueueSaveCommand.self), ["art"]: reader(ArtCommand.self),
    ["playlist", "list"]: reader(PlaylistListCommand.self),
    ["playlist", "show"]: reader(PlaylistShowCommand.self),
    ["playlist", "save"]: reader(PlaylistSaveCommand.self),
    ["playlist", "delete"]: reader(PlaylistDeleteCommand.self),
    ["events"]: reader(EventsCommand.self), ["doctor"]: reader(DoctorCommand.self),
    ["settings", "list"]: reader(SettingsListCommand.self),
    ["settings", "get"]: reader(SettingsGetCommand.self),
    ["settings", "set"]: reader(SettingsSetCommand.self),
    ["settings", "unset"]: reader(SettingsUnsetCommand.self),
    ["version"]: reader(VersionCommand.self), ["help"]: reader(HelpCommand.self),
  ]

  private static func reader<C: CommandDeclaration>(_ command: C.Type) -> Reader {
    { parsed throws(UsageError) in try C.Options(parsed) }
  }

  /// What was said to the command of a command line. Throws as the command's own reading does.
  @discardableResult
  static func read(_ parsed: ParsedCommand) throws -> (any CommandOptions)? {
    try readers[parsed.path.words]?(parsed)
  }

  /// The options of one command line, whole.
  static func options(_ words: [String]) throws -> (any CommandOptions)? {
    guard case .run(let parsed) = try CommandParser(FermataProgram.definition).parse(words) else {
      return nil
    }
    return try read(parsed)
  }
}
