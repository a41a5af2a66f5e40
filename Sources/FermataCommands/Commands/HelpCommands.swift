// SPDX-License-Identifier: MIT
import CommandModel
import SettingsModel

/// `fermata help`: writes help, the man page and completions, all made from the commands' definitions.
enum HelpCommand: Command {
  /// Show the help of the command that these words name.
  case command([String])
  /// Write the man page.
  case man
  /// Write the completion script of a shell.
  case completions(Completion.Shell)

  private static let commandArgument = ArgumentDefinition(
    ValueDefinition("COMMAND", completion: .commands), .any, summary: "A command, as `queue jump`")
  private static let manOption = OptionDefinition("man", summary: "Write the man page")
  private static let completionsOption = OptionDefinition(
    "completions",
    value: ValueDefinition("SHELL", choices: Completion.Shell.allCases.map { .init($0.rawValue) }),
    summary: "Write the script that completes command lines")

  static let definition = CommandDefinition(
    "help", summary: "Show help about a command",
    arguments: [commandArgument], options: [manOption, completionsOption],
    exclusive: [[manOption, completionsOption]],
    examples: [
      ("fermata help queue move", "The same as `fermata queue move --help`"),
      ("source <(fermata help --completions bash)", "Complete command lines in this shell"),
    ], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    let words = parsed.values(Self.commandArgument)
    if let word = words.first, parsed.has(Self.manOption) || parsed.has(Self.completionsOption) {
      throw parsed.error("'\(word)'", "what is written is about all commands", "leave it out")
    }
    if let shell = parsed.value(Self.completionsOption).flatMap(Completion.Shell.init(rawValue:)) {
      self = .completions(shell)
    } else {
      self = parsed.has(Self.manOption) ? .man : .command(words)
    }
  }

  func run(as _: String) throws(CommandError) -> ExitCode {
    switch self {
    case .command(let words):
      return try Self.show(CommandParser(FermataProgram.definition).path(to: words))
    case .man: try Printer.write(Self.manPage(version: FermataProgram.version))
    case .completions(let shell):
      try Printer.write(Completion.script(for: FermataProgram.definition, shell: shell))
    }
    return .done
  }

  /// Prints a command's help on standard output, as wide as the terminal, or in 80 columns if there is none.
  static func show(_ path: CommandPath) throws(CommandError) -> ExitCode {
    try Printer.write(HelpText(path, width: Printer.columns ?? 80).text(Printer.palette))
    return .done
  }
}

extension HelpCommand {
  /// The man page `fermata(1)`, in roff.
  static func manPage(version: String) -> String {
    ManPage(
      FermataProgram.definition, version: version, sections: [fields, settings, environment, files, seeAlso]
    ).text
  }

  private static let fields = ManPage.Section(
    "STATUS FIELDS", StatusField.all.map { ($0.name, $0.meaning) })

  private static let settings = ManPage.Section(
    "SETTINGS",
    Settings.all.map { setting in
      (setting.name, "\(setting.summary). It takes \(setting.values); preset is `\(setting.preset)`")
    })

  private static let environment = ManPage.Section(
    "ENVIRONMENT",
    [
      (
        "PULSE_SERVER",
        "The sound server to play on. An agent that systemd starts has the variable from systemd, and reaches a server on another machine only if "
          + "`systemctl --user edit fermata` adds RestrictAddressFamilies=AF_INET AF_INET6 to its [Service]"
      ),
      ("DBUS_SESSION_BUS_ADDRESS", "The session bus to find the agent on"),
      ("NO_COLOR", "No colours on a terminal, if it isn't empty"),
      (
        "XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_DATA_HOME, XDG_CACHE_HOME",
        "The folders below which its files stand"
      ),
    ])

  private static let files = ManPage.Section(
    "FILES",
    [
      ("$XDG_CONFIG_HOME/fermata/fermata.conf", "The settings"),
      ("$XDG_CONFIG_HOME/fermata/keys.conf", "The keys of the screen that you changed"),
      (
        "$XDG_STATE_HOME/fermata",
        "The queue, where in it playing has come to, the volume, the kit of pads, and what was typed on the screen"
      ),
      ("$XDG_DATA_HOME/fermata/playlists", "The playlists that are kept"),
      (
        "$XDG_DATA_HOME/fermata/listening.db",
        "The folders of the library, and your ratings, play counts, notes, smart playlists and where long items go on; beside it a copy"
      ),
      (
        "$XDG_DATA_HOME/fermata/library.db",
        "What the library's files say of themselves; a scan makes it again"
      ),
      ("$XDG_CACHE_HOME/fermata", "Pictures, which can be removed at any time"),
    ])

  private static let seeAlso = ManPage.Section(
    "SEE ALSO", [("playerctl(1), pactl(1)", "Other programs for the same players and outputs")])
}

/// `fermata version`.
struct VersionCommand: Command {
  let json: Bool

  static let definition = CommandDefinition(
    "version", aliases: ["--version", "-V"], summary: "Show the version", options: [.json], read: Self.init)

  init(_ parsed: ParsedCommand) { json = parsed.has(.json) }

  func run(as _: String) throws(CommandError) -> ExitCode {
    let version = FermataProgram.version
    try Printer.write(
      .object(present: ["version": .string(version)]), if: json, else: "fermata \(version)")
    return .done
  }
}
