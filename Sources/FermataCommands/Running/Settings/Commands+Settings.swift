// SPDX-License-Identifier: MIT
import BusModel
import CommandModel
import FermataAgent
import Glibc
import FaceModel
import MediaModel
import PlaybackLogic
import SettingsModel
import TerminalIO

// `fermata settings`. It needs no agent: it edits the file, and running agents notice the change.
extension Commands {
  static func runSettings(_ parsed: ParsedCommand) throws -> ExitCode {
    switch parsed.path.words[1] {
    case "list": try listSettings(DataOptions(parsed))
    case "get": try getSetting(SettingsGetCommand.Options(parsed))
    case "set": try setSetting(SettingsSetCommand.Options(parsed))
    case "unset": try unsetSetting(SettingsUnsetCommand.Options(parsed))
    default: preconditionFailure("\(parsed.path.text) is declared and nobody runs it")
    }
  }

  /// The user's settings, for a player without the agent. Throws if the file contains an invalid setting.
  static func settings() throws(CommandError) -> Settings {
    guard SettingsFile.standard != nil else { return Settings() }
    let file = try settingsFile()
    let (settings, errors) = try text(of: file).read()
    if let first = errors.first { throw CommandError(first, in: file.path) }
    return settings
  }

  /// The path of the settings file; nil if the environment doesn't say where it is.
  static var settingsPath: String? { SettingsFile.standard.map { $0.path.location } }

  private static func listSettings(_ options: DataOptions) throws(CommandError) -> ExitCode {
    let file = try settingsFile()
    let text = try text(of: file)
    let (settings, errors) = text.read()
    let rows = Settings.all.map { setting in
      SettingsTable.Row(setting, setting.value(in: settings), isSet: text.sets(setting.name))
    }
    if options.json {
      try write(JSONWriter.text(SettingsTable.json(rows, file: file.path)) + "\n")
    } else {
      let palette = palette(of: STDOUT_FILENO)
      let lines = SettingsTable.lines(rows, width: Terminal.columns(of: STDOUT_FILENO))
      try write(lines.map { $0.rendered(palette) + "\n" }.joined())
    }
    for error in errors.dropLast() { complain(CommandError(error, in: file.path)) }
    if let last = errors.last { throw CommandError(last, in: file.path) }
    return .done
  }

  private static func getSetting(_ options: SettingsGetCommand.Options) throws -> ExitCode {
    let value = try Settings.setting(named: options.key).value(in: settings())
    let object = JSONValue.object(present: ["name": .string(options.key), "value": .string(value)])
    try write((options.json ? JSONWriter.text(object) : value) + "\n")
    return .done
  }

  private static func setSetting(_ options: SettingsSetCommand.Options) throws(CommandError) -> ExitCode {
    try change(options.key) { text throws(SettingError) in try text.set(options.key, to: options.value) }
  }

  private static func unsetSetting(_ options: SettingsUnsetCommand.Options) throws(CommandError) -> ExitCode {
    try change(options.key) { text throws(SettingError) in try text.unset(options.key) }
  }

  private static func change(
    _ key: String, _ edit: (inout SettingsText) throws(SettingError) -> Void
  ) throws(CommandError) -> ExitCode {
    let file = try settingsFile()
    // Tries the edit on a copy first, to reject an invalid value. Whether it is valid doesn't depend on the file, but
    // the file has to be readable.
    var text = try text(of: file)
    let before = text
    do throws(SettingError) { try edit(&text) } catch {
      throw CommandError(.usage, error.subject, error.reason, error.remedy)
    }
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
    // Errors that were already in the file don't fail this command, but the user has to know of them.
    for error in text.read().errors { complain(CommandError(error, in: file.path)) }
    if let question = ModeSetting(of: key) { try sayWhatHolds(question, against: text.read().settings) }
    return .done
  }

  /// Prints a notice if the running agent ignores the setting, because the user chose another mode by hand; otherwise
  /// the user would wait in vain for an effect. If the agent doesn't run or doesn't answer, there is no notice.
  private static func sayWhatHolds(
    _ mode: ModeSetting, against settings: Settings
  ) throws(CommandError) {
    _ = try onLoop { () throws(CommandError) in
      guard let client = await AgentClient.ofRunning(for: "settings"),
        let reply = try? await client.call(mode.question, timeout: .seconds(2)),
        case .variant(let value)? = reply.first, let chosen = String(wire: value),
        mode.ignores(settings, chosen: chosen)
      else { return .done }
      _ = try? LineWriter.errors.write(
        line: "fermata: \(mode.notice(chosen: TerminalText.printable(chosen)))")
      return .done
    }
  }

  private static func settingsFile() throws(CommandError) -> SettingsFile {
    guard let file = SettingsFile.standard else {
      throw CommandError(
        .badSettings, "settings", Surroundings.reason(noneSays: "where they are", "XDG_CONFIG_HOME"),
        "set one of them")
    }
    return file
  }

  private static func text(of file: SettingsFile) throws(CommandError) -> SettingsText {
    do throws(SettingsFileError) { return try file.read() } catch {
      throw CommandError(.badSettings, "'\(error.path)'", error.reason, error.remedy)
    }
  }
}

extension CommandError {
  /// An error for an invalid line in a settings file.
  fileprivate init(_ error: SettingError, in file: FilePath) {
    self.init(
      .badSettings, "'\(file)', line \(error.line ?? 0)", "\(error.subject): \(error.reason)", error.remedy)
  }
}

/// A setting that gives the default of a mode. It only has an effect while no mode has been chosen by hand.
private enum ModeSetting: String {
  case repeats = "repeat"
  case shuffle

  /// The mode setting with this name; nil for any other setting.
  init?(of key: String) { self.init(rawValue: key) }

  /// The call that asks the agent which mode was chosen by hand.
  var question: AgentCall { self == .repeats ? .repeatChoice : .shuffleChoice }

  /// Whether the mode that was chosen by hand differs from the one in the settings.
  func ignores(_ settings: Settings, chosen: String) -> Bool {
    let wanted = self == .repeats ? settings.repeatMode.rawValue : settings.shuffleMode.rawValue
    return chosen != "default" && chosen != wanted
  }

  /// The notice to print in that case.
  func notice(chosen: String) -> String {
    "\(rawValue): the agent keeps '\(chosen)', which was chosen by hand; 'fermata \(rawValue) default' has it follow the settings"
  }
}
