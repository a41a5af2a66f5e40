// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
package import CommandModel
import PlaybackLogic
import MediaModel
package import SettingsModel
import UserFiles

/// `fermata settings`, which has commands of its own. They need no agent: they edit the file, and running agents notice
/// the change.
package enum SettingsCommands {
  static let definition = CommandDefinition(
    "settings", summary: "Show or change settings",
    discussion: [
      """
      They stand in `$XDG_CONFIG_HOME/fermata/fermata.conf`, a `name = value` a line; what follows a `#` is yours. An agent \
      that runs takes a change at once, whoever writes it.
      """
    ],
    groups: [
      .init([
        SettingsListCommand.definition, SettingsGetCommand.definition, SettingsEditCommand.set,
        SettingsEditCommand.unset,
      ])
    ],
    standard: "list",
    examples: [
      ("fermata settings set role-notification duck", "Be quieter while a notification sounds"),
      (
        "fermata settings set resume-on-return 30", "Go on when the headphones are back within half a minute"
      ),
    ])

  fileprivate static let key = ArgumentDefinition(
    ValueDefinition(
      "KEY", choices: Settings.all.map { .init($0.name, $0.summary) }, listedBy: "fermata settings"),
    summary: "Which setting"
  )

  /// The user's settings, for what does without the agent. A setting that cannot be read has its preset, as in the agent; `warn` says which those are.
  package static func settingsOrPresets() -> Settings {
    guard let text = try? SettingsFile.standard?.read() else { return Settings() }
    return text.read().settings
  }

  /// Reports on standard error the lines of the settings file that cannot be read, so that nobody wonders why a setting has no effect.
  package static func warn() {
    guard let file = SettingsFile.standard else { return }
    do throws(CommandError) {
      complain(try text(of: file).read().errors, in: file)
    } catch {
      Printer.complain(error)
    }
  }

  /// The errors of all lines of the settings file that cannot be read. Throws if the file itself can't be read.
  package static func errors() throws(CommandError) -> [CommandError] {
    guard SettingsFile.standard != nil else { return [] }
    let file = try file()
    return try text(of: file).read().errors.map { CommandError($0, in: file.path) }
  }

  /// The path of the settings file; nil if the environment doesn't say where it is.
  package static var path: String? { SettingsFile.standard.map { $0.path.location } }

  /// Reports these errors in the settings file on standard error, because standard output has the command's own answer and nothing else.
  fileprivate static func complain(_ errors: [SettingError], in file: SettingsFile) {
    for error in errors { Printer.complain(CommandError(error, in: file.path)) }
  }

  fileprivate static func file() throws(CommandError) -> SettingsFile {
    guard let file = SettingsFile.standard else {
      throw CommandError(
        .badSettings, "settings", UserFolders.reason(noneSays: "where they are", "XDG_CONFIG_HOME"),
        "set one of them")
    }
    return file
  }

  fileprivate static func text(of file: SettingsFile) throws(CommandError) -> SettingsText {
    do throws(SettingsFileError) { return try file.read() } catch {
      throw CommandError(.badSettings, "'\(error.path)'", error.reason, error.remedy)
    }
  }
}

/// `fermata settings list`.
struct SettingsListCommand: Command {
  let json: Bool

  static let definition = CommandDefinition(
    "list", summary: "Show every setting, its value and its meaning", options: [.json], read: Self.init)

  init(_ parsed: ParsedCommand) { json = parsed.has(.json) }

  func run(as _: String) throws(CommandError) -> ExitCode {
    let file = try SettingsCommands.file()
    let text = try SettingsCommands.text(of: file)
    let (settings, errors) = text.read()
    let rows = Settings.all.map { setting in
      SettingsTable.Row(
        setting: setting, value: setting.value(in: settings), isSet: text.sets(setting.name))
    }
    try Printer.write(SettingsTable.json(rows, file: file.path), if: json) {
      SettingsTable.lines(rows, width: $0)
    }
    SettingsCommands.complain(errors, in: file)
    return errors.isEmpty ? .done : .badSettings
  }
}

/// `fermata settings get`.
struct SettingsGetCommand: Command {
  let key: String
  let json: Bool

  static let definition = CommandDefinition(
    "get", summary: "Write the value of a setting", arguments: [SettingsCommands.key], options: [.json],
    read: Self.init)

  init(_ parsed: ParsedCommand) {
    key = parsed.required(SettingsCommands.key)
    json = parsed.has(.json)
  }

  func run(as _: String) throws(CommandError) -> ExitCode {
    let setting: Setting
    do throws(SettingError) { setting = try Settings.setting(named: key) } catch {
      throw CommandError(error)
    }
    let file = SettingsFile.standard
    let text = try file.map(SettingsCommands.text) ?? SettingsText()
    let (settings, errors) = text.read()
    let value = setting.value(in: settings)
    // Only an error in a line that sets this setting matters: no other line changes its value.
    let isBad = errors.contains { text.name(onLine: $0.line) == key }
    try Printer.write(
      .object(present: ["name": .string(key), "value": .string(value)]), if: json, else: value)
    if let file { SettingsCommands.complain(errors, in: file) }
    return isBad ? .badSettings : .done
  }
}

/// `fermata settings set` and `fermata settings unset`.
struct SettingsEditCommand: Command {
  let key: String
  /// The new value; nil to remove the setting from the file, so that its preset applies.
  let value: String?

  private static let value = ArgumentDefinition(
    ValueDefinition("VALUE", completion: .sequels(Settings.all.map { .init($0.name, $0.words) })),
    summary: "What it is to be")

  static let set = CommandDefinition(
    "set", summary: "Choose a value", arguments: [SettingsCommands.key, value],
    read: { SettingsEditCommand(key: $0.required(SettingsCommands.key), value: $0.required(value)) })

  static let unset = CommandDefinition(
    "unset", summary: "Leave a setting as it is preset",
    discussion: ["Its line goes; what you wrote behind a `#` stays there, as a line of its own."],
    arguments: [SettingsCommands.key],
    read: { SettingsEditCommand(key: $0.required(SettingsCommands.key), value: nil) })

  func run(as _: String) throws(CommandError) -> ExitCode {
    let file = try SettingsCommands.file()
    // Tries the edit on a copy first, to reject an invalid value. The check doesn't depend on the rest of the file, but the file has to be readable.
    var text = try SettingsCommands.text(of: file)
    let before = text
    do throws(SettingError) { try edit(&text) } catch { throw CommandError(error) }
    if text != before {
      do throws(SettingsFileError) {
        text = try file.change { present in
          do throws(SettingError) { try edit(&present) } catch { preconditionFailure("was taken: \(error)") }
        }
      } catch {
        throw CommandError(
          error.isBusy ? .tryAgain : .cannotWrite, "'\(error.path)'", error.reason, error.remedy)
      }
    }
    let (settings, errors) = text.read()
    // Errors that were already in the file don't fail this command, but the user should know of them.
    SettingsCommands.complain(errors, in: file)
    return try onLoop { () throws(CommandError) in
      if let agent = (try? await AgentClient.openIfRunning(for: "settings", warn: Printer.complain)) ?? nil {
        await tell(agent, settings, in: file)
      }
      return .done
    }
  }

  /// Waits until the running agent has read the new value, so that it applies to the next command.
  @AgentLoop
  private func tell(_ agent: AgentClient, _ settings: Settings, in file: SettingsFile) async {
    if let other = await agent.readSettings(), other != file.path.location {
      Printer.complain(
        "the agent reads '\(other)', and not '\(file.path.location)': XDG_CONFIG_HOME is another one for it; "
          + "set it for the whole session, in ~/.config/environment.d")
    }
    switch key {
    case "repeat": Self.sayIfIgnored(key, settings.repeatMode.rawValue, await agent.repeatChoice())
    case "shuffle": Self.sayIfIgnored(key, settings.shuffleMode.rawValue, await agent.shuffleChoice())
    default: break
    }
  }

  private func edit(_ text: inout SettingsText) throws(SettingError) {
    if let value { try text.set(key, to: value) } else { try text.unset(key) }
  }

  /// Prints a line if the running agent ignores the mode in the settings, because the user chose another one by hand; otherwise the user would wait
  /// in vain for an effect. If the agent does not answer, prints nothing.
  private static func sayIfIgnored(_ mode: String, _ wanted: String, _ choice: String?) {
    guard let choice, choice != "default", choice != wanted else { return }
    Printer.complain(
      "\(mode): the agent keeps '\(choice)', which was chosen by hand; 'fermata \(mode) default' has it follow the settings"
    )
  }
}

extension CommandError {
  /// An error in a setting's name or new value that a user typed.
  fileprivate init(_ error: SettingError) { self.init(.usage, error.subject, error.reason, error.remedy) }

  /// An error for an invalid line in a settings file.
  fileprivate init(_ error: SettingError, in file: FilePath) {
    self.init(
      .badSettings, "'\(file)', line \(error.line ?? 0)", "\(error.subject): \(error.reason)", error.remedy)
  }
}

/// The settings as a table for a person and as JSON.
private enum SettingsTable {
  struct Row {
    let setting: Setting
    let value: String
    let isSet: Bool

    /// The name and the value, which are bold if the file sets them.
    var choice: [StyledText] {
      let style: Style = isSet ? .bold : .plain
      return [StyledText(setting.name, style), StyledText(value, style)]
    }
  }

  /// One line for each setting: its name, its value, its meaning and the values that it takes. If a line is too long
  /// for the width, the meaning is put below it instead of being cut, because without it nobody knows what to choose.
  static func lines(_ rows: [Row], width: Int?) -> [StyledText] {
    var table = Table([.init(), .init(), .init(flexible: true), .init(flexible: true)])
    for row in rows {
      table.append(
        row.choice + [StyledText(row.setting.plainSummary), StyledText(row.setting.values, .dim)])
    }
    let lines = table.lines()
    guard let width, lines.contains(where: { $0.width > width }) else { return lines }
    return narrowLines(rows, width: width)
  }

  private static func narrowLines(_ rows: [Row], width: Int) -> [StyledText] {
    var table = Table([.init(), .init(), .init(flexible: true)])
    for row in rows { table.append(row.choice + [StyledText(row.setting.values, .dim)]) }
    return zip(table.lines(width: width), rows).flatMap { line, row in
      [line]
        + Wrap.lines(of: row.setting.plainSummary, width: max(16, width - 4)).map {
          StyledText("    \($0)", .dim)
        }
    }
  }

  static func json(_ rows: [Row], file: FilePath) -> JSONValue {
    .object(present: [
      "settings": .array(rows.map(json)), "file": .string(file.location),
    ])
  }

  private static func json(_ row: Row) -> JSONValue {
    .object(present: [
      "name": .string(row.setting.name), "value": .string(row.value), "preset": .string(row.setting.preset),
      "set": .bool(row.isSet), "values": .string(row.setting.values),
      "meaning": .string(row.setting.plainSummary),
    ])
  }
}

extension Setting {
  /// The summary without the backticks that mark literal words.
  fileprivate var plainSummary: String { summary.filter { $0 != "`" } }
}
