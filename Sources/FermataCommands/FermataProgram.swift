// SPDX-License-Identifier: MIT
package import CommandModel

/// The definition of the program: every command, in the order in which help lists them.
package enum FermataProgram {
  /// The definition from which parsing, help, man page and completions are derived.
  package static let definition = CommandDefinition(
    "fermata",
    summary: "Play music, and know why it stopped",
    discussion: [
      """
      fermata talks to a music agent in your desktop session and starts it where it isn't running. The agent plays through \
      the sound server, pauses when headphones go, gives way to calls, and goes on only with what it should.
      """,
      "A SOURCE is a file, a folder, a playlist file, or `playlist:NAME` for a playlist that is kept.",
    ],
    subcommands: playback + queue + agent, foreignWords: foreignWords,
    examples: [
      Example("fermata play ~/Music/Nina\\ Simone", "Play a folder"),
      Example("fermata seek +30", "Skip half a minute"),
      Example("fermata status --format '{artist} – {title}'", "A line for a status bar"),
    ],
    exitCodes: ExitCode.allCases.map { ExitCodeDefinition($0.rawValue, $0.meaning) })

  /// The version of the program.
  package static let version = "0.1.0"

  /// Words of mpc, cmus and playerctl, and the commands that do the same here. A user who types one is told the
  /// command.
  private static let foreignWords = [
    "current": "status", "info": "status", "metadata": "status", "np": "status", "stats": "status",
    "start": "play", "resume": "play", "open": "play", "player-play": "play", "play-pause": "toggle",
    "player-pause": "toggle", "player-stop": "stop", "player-next": "next", "skip": "next",
    "player-prev": "previous", "cdprev": "previous", "seekthrough": "seek", "position": "seek",
    "vol": "volume",
    "loop": "repeat", "single": "repeat one", "random": "shuffle", "insert": "add --next",
    "load": "add playlist:NAME", "ls": "queue", "listall": "queue", "del": "queue remove",
    "rm": "playlist delete", "lsplaylists": "playlist", "idle": "events", "idleloop": "events",
  ]

  /// The headings under which the overview lists the commands.
  enum Group {
    static let playback = "Playback"
    static let queue = "Queue"
    static let agent = "Agent"
  }

  private static let playback = [
    PlayCommand.definition, PauseCommand.definition, ToggleCommand.definition, StopCommand.definition,
    NextCommand.definition, PreviousCommand.definition, SeekCommand.definition, VolumeCommand.definition,
    RepeatCommand.definition, ShuffleCommand.definition, StatusCommand.definition, ArtCommand.definition,
  ]
  private static let queue = [AddCommand.definition, QueueCommand.definition, PlaylistCommand.definition]
  private static let agent = [
    AgentCommand.definition, EventsCommand.definition, SettingsCommand.definition, DoctorCommand.definition,
    VersionCommand.definition,
    HelpCommand.definition,
  ]
}
