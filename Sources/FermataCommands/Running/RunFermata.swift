// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import Glibc
import PlaybackLogic
import TerminalIO

/// The whole program: parses its words, runs the command, and ends the process with an exit status that scripts may
/// rely on.
///
/// Call it on the main thread, before any other thread exists.
package func runFermata(_ words: [String]) -> Never {
  Terminal.holdStandardStreams()
  Terminal.ignoreBrokenPipes()
  do throws(CommandError) {
    exit(try Commands.run(words).rawValue)
  } catch {
    exit(ErrorPrinter(words: words).print(error, output: .output, errors: .errors).rawValue)
  }
}

/// Runs commands: maps each declared command to the function that performs it.
enum Commands {
  static let parser = CommandParser(FermataProgram.definition)

  static func run(_ words: [String]) throws(CommandError) -> ExitCode {
    do {
      switch try parser.parse(words) {
      case .help(let path): return try show(help: path)
      case .run(let parsed): return try run(parsed)
      }
    } catch let error as UsageError {
      throw sourceHint(words) ?? CommandError(error)
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError(.refused, "fermata", "\(error)")
    }
  }

  /// The error for a command line that names a file or folder instead of a command: `fermata song.mp3`. Nil if there
  /// is no such file.
  private static func sourceHint(_ words: [String]) -> CommandError? {
    guard let word = words.first, parser.root.subcommand(named: word) == nil, NamedSources.isThere(word)
    else {
      return nil
    }
    return CommandError(
      .usage, "'\(word)'", "no such command, but there is a file or folder of that name",
      "did you mean 'fermata play \(ShellWord.quoted(word))'?")
  }

  private static func run(_ parsed: ParsedCommand) throws -> ExitCode {
    switch parsed.path.words {
    case ["agent"]: runAgent(AgentCommand.Options(parsed))
    case ["doctor"]: try doctor(DataOptions(parsed))
    case ["version"]: try version(DataOptions(parsed))
    case ["help"]: try help(HelpCommand.Options(parsed))
    case let words where words.first == SettingsCommand.definition.name: try runSettings(parsed)
    case let words where words.first == QueueCommand.definition.name: try runQueue(parsed)
    case let words where words.first == PlaylistCommand.definition.name: try runPlaylists(parsed)
    default: try runPlayback(parsed)
    }
  }

  private static func runPlayback(_ parsed: ParsedCommand) throws -> ExitCode {
    switch parsed.path.words {
    case ["play"]: try play(PlayCommand.Options(parsed), parsed)
    case ["pause"]: try order(.pause, parsed)
    case ["toggle"]: try order(.toggle, parsed)
    case ["stop"]: try order(.stop, parsed)
    case ["next"]: try order(.next, parsed)
    case ["previous"]: try order(.previous, parsed)
    case ["seek"]: try seek(SeekCommand.Options(parsed), parsed)
    case ["volume"]: try volume(VolumeCommand.Options(parsed), parsed)
    case ["repeat"]: try repeats(RepeatCommand.Options(parsed), parsed)
    case ["shuffle"]: try shuffles(ShuffleCommand.Options(parsed), parsed)
    case ["status"]: try status(StatusCommand.Options(parsed), parsed)
    case ["events"]: try events(DataOptions(parsed), parsed)
    case ["add"]: try add(AddCommand.Options(parsed), parsed)
    case ["art"]: try art(ArtCommand.Options(parsed), parsed)
    default: preconditionFailure("\(parsed.path.text) is declared and nobody runs it")
    }
  }

  private static func runQueue(_ parsed: ParsedCommand) throws -> ExitCode {
    switch parsed.path.words[1] {
    case "list": try listQueue(DataOptions(parsed), parsed)
    case "jump": try jump(QueueJumpCommand.Options(parsed), parsed)
    case "remove": try remove(QueueRemoveCommand.Options(parsed), parsed)
    case "move": try move(QueueMoveCommand.Options(parsed), parsed)
    case "clear": try edit(.clear, parsed)
    case "undo": try retrace(.undo, parsed)
    case "redo": try retrace(.redo, parsed)
    case "save": try saveQueue(QueueSaveCommand.Options(parsed), parsed)
    default: preconditionFailure("\(parsed.path.text) is declared and nobody runs it")
    }
  }

  private static func runPlaylists(_ parsed: ParsedCommand) throws -> ExitCode {
    switch parsed.path.words[1] {
    case "list": try listPlaylists(DataOptions(parsed))
    case "show": try showPlaylist(PlaylistShowCommand.Options(parsed))
    case "save": try savePlaylist(PlaylistSaveCommand.Options(parsed), parsed)
    case "delete": try deletePlaylist(PlaylistNameOptions(parsed))
    default: preconditionFailure("\(parsed.path.text) is declared and nobody runs it")
    }
  }

  // MARK: Help

  private static func show(help path: CommandPath) throws(CommandError) -> ExitCode {
    let width = Terminal.columns(of: STDOUT_FILENO) ?? 80
    try write(HelpText(path, width: width).text(palette(of: STDOUT_FILENO)))
    return .done
  }

  private static func help(_ options: HelpCommand.Options) throws -> ExitCode {
    switch options {
    case .command(let words): return try show(help: parser.path(to: words))
    case .man: try write(FermataProgram.manPage(version: FermataProgram.version))
    case .completions(let shell): try write(Completion.script(for: FermataProgram.definition, shell: shell))
    }
    return .done
  }

  private static func version(_ options: DataOptions) throws -> ExitCode {
    let version = FermataProgram.version
    try write(
      options.json
        ? JSONWriter.text(.object(present: ["version": .string(version)])) + "\n" : "fermata \(version)\n")
    return .done
  }

  // MARK: Output

  static func palette(of descriptor: Int32) -> Palette {
    Palette(isTerminal: Terminal.isTerminal(descriptor)) { name in
      getenv(name).map { String(cString: $0) }
    }
  }

  /// Writes the output that the user asked for. It is no error if the reader has gone. A failed write is one: on a
  /// full disk, half a list would be written without a word.
  static func write(_ text: String) throws(CommandError) {
    do throws(TerminalError) { _ = try LineWriter.output.write(text) } catch {
      throw CommandError(unwritable: error)
    }
  }

  /// Prints a message about what was done. A failure to write it is ignored, because the command has succeeded.
  static func say(_ text: String) { _ = try? LineWriter.output.write(text) }
}

extension CommandError {
  /// An error for standard output that can't be written to.
  init(unwritable error: TerminalError) {
    self.init(.cannotWrite, "standard output", "\(error)", "make room, or send it elsewhere")
  }
}
