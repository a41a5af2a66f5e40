// SPDX-License-Identifier: MIT
import CommandModel

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
