// SPDX-License-Identifier: MIT
import CommandModel
import MediaModel
import SettingsModel
import SourceIO

/// The program: every command that it has, in the order in which help lists them.
enum FermataProgram {
  /// The definition from which parsing, help, man page and completions are derived.
  static let definition = CommandDefinition(
    "fermata",
    summary: "Play music, and know why it stopped",
    discussion: [
      """
      fermata talks to a music agent in your desktop session and starts it where it isn't running. The agent plays through \
      the sound server, pauses when headphones go, gives way to calls, and goes on only with what it should.
      """,
      "`fermata` alone opens the screen on a terminal.",
      "A SOURCE is a file, a folder, a playlist file, or `playlist:NAME` for a playlist that is kept.",
    ], usage: ["[COMMAND]"],
    groups: [
      .init(
        "Playback",
        [
          PlayCommand.definition, OrderCommand.pause, OrderCommand.toggle, OrderCommand.stop,
          SleepCommand.definition, OrderCommand.next, OrderCommand.previous, OrderCommand.seek,
          VolumeCommand.definition,
          OutputCommand.definition,
          RepeatCommand.definition, ShuffleCommand.definition, ConsumeCommand.definition,
          StatusCommand.definition, UICommand.definition,
          ArtCommand.definition,
        ]),
      .init("Queue", [AddCommand.definition, QueueCommands.definition, PlaylistCommands.definition]),
      .init("Library", [LibraryCommands.definition, JobsCommands.definition]),
      .init("Pads", [PadsCommands.definition]),
      .init(
        "Agent",
        [
          AgentCommand.definition, QuitCommand.definition, EventsCommand.definition,
          SettingsCommands.definition,
          DoctorCommand.definition, VersionCommand.definition, HelpCommand.definition,
        ]),
    ],
    foreignWords: foreignWords,
    examples: [
      ("fermata play ~/Music/Nina\\ Simone", "Play a folder"),
      ("fermata seek +30", "Skip half a minute"),
      ("fermata status --format '{artist} – {title}'", "A line for a status bar"),
    ],
    exitCodes: ExitCode.allCases.map { ($0, $0.meaning) })

  static let version = "0.1.0"

  /// Commands of mpc, cmus and playerctl, each with our command that does the same. The error for such a word names it.
  private static let foreignWords = [
    "current": "status", "info": "status", "metadata": "status", "np": "status", "stats": "status",
    "start": "play", "resume": "play", "open": "play", "player-play": "play", "play-pause": "toggle",
    "player-pause": "toggle", "player-stop": "stop", "player-next": "next", "skip": "next",
    "player-prev": "previous", "cdprev": "previous", "seekthrough": "seek", "position": "seek",
    "vol": "volume",
    "loop": "repeat", "single": "repeat one", "random": "shuffle", "insert": "add --next",
    "crossfade": "settings set crossfade", "replaygain": "settings set loudness", "mute": "volume mute",
    "update": "library scan", "kill": "quit", "exit": "quit",
    "load": "add playlist:NAME", "ls": "queue", "listall": "queue", "del": "queue remove",
    "rm": "playlist delete", "lsplaylists": "playlist", "idle": "events", "idleloop": "events",
  ]
}

/// Finds the command that a user most likely meant who left its name out.
enum CommandHints {
  /// The error for a command line that names a file or folder instead of a command: `fermata song.mp3`. Nil if there
  /// is no such file.
  static func source(_ words: [String]) -> CommandError? {
    guard let word = words.first, FermataProgram.definition.subcommand(named: word) == nil,
      NamedSources.isThere(word)
    else { return nil }
    return CommandError(
      .usage, "'\(word)'", "no such command, but there is a file or folder of that name",
      "did you mean 'fermata play \(ShellWord.quoted(typable(word)))'?")
  }

  /// The name of a file as it can be typed: it must not look like an option, and a line end or the like can't be shown.
  private static func typable(_ name: String) -> String {
    if name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }),
      let path = try? FilePath.typed(Array(name.utf8))
    {
      return path.uri
    }
    return name.hasPrefix("-") ? "./" + name : name
  }

  /// The error for a command line such as `fermata queue 2`, which names a group of commands and what one of them takes, but not that command. Nil
  /// for any other words.
  static func group(_ words: [String]) -> CommandError? {
    guard words.count >= 2, let group = FermataProgram.definition.subcommand(named: words[0]),
      group.subcommand(named: words[1]) == nil, let hint = hint(words[0], words[1], words.dropFirst(2))
    else { return nil }
    return CommandError(.usage, "'\(words[1])'", "no such command of 'fermata \(words[0])'", hint)
  }

  private static func hint(_ group: String, _ word: String, _ rest: ArraySlice<String>) -> String? {
    let number = Int(word).flatMap { $0 > 0 ? $0 : nil }
    switch group {
    case "queue": return rest.isEmpty ? number.map(NamedSources.jumpHint) : nil
    case "pads": return rest.isEmpty ? number.map { "did you mean 'fermata pads hit \($0)'?" } : nil
    case "settings":
      guard Settings.all.contains(where: { $0.name == word }) else { return nil }
      let order = ([rest.isEmpty ? "get" : "set", word] + rest.map(ShellWord.quoted)).joined(separator: " ")
      return "did you mean 'fermata settings \(order)'?"
    case "playlist":
      guard rest.isEmpty, (try? KeptPlaylists.items())?.contains(where: { $0.name == word }) == true else {
        return nil
      }
      let end = word.hasPrefix("-") ? "-- " : ""
      return "did you mean 'fermata playlist show \(end)\(ShellWord.quoted(word))'?"
    default: return nil
    }
  }
}

/// Quotes words for a shell.
enum ShellWord {
  /// The word unchanged if the shell gives it no special meaning; otherwise in double quotes, because messages put single quotes around commands.
  static func quoted(_ word: String) -> String {
    guard word.isEmpty || !word.allSatisfy(isPlain) else { return word }
    // In double quotes a shell that people type into still takes this sign for its history.
    if word.contains("!" as Character) { return word.map { isPlain($0) ? String($0) : "\\\($0)" }.joined() }
    return "\"" + word.map { "\"\\$`".contains($0) ? "\\\($0)" : String($0) }.joined() + "\""
  }

  /// The word as an argument, which may begin as an option does.
  static func argument(_ word: String) -> String { (word.hasPrefix("-") ? "-- " : "") + quoted(word) }

  private static func isPlain(_ letter: Character) -> Bool {
    letter.isLetter || letter.isNumber || "/._-+,:@%=".contains(letter)
  }
}
