// SPDX-License-Identifier: MIT
import CommandModel
import FermataAgent
import Glibc
import MediaModel
import SettingsModel
import TerminalIO

// `fermata settings`, which needs no agent: whoever runs sees the file change.
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

  /// The user's settings, for whoever plays without the agent. Throws what can't be meant in them.
  static func settings() throws(CommandError) -> Settings {
    guard SettingsFile.standard != nil else { return Settings() }
    let file = try settingsFile()
    let (settings, errors) = try text(of: file).read()
    if let first = errors.first { throw CommandError(first, in: file.path) }
    return settings
  }

  /// Where they are.
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
    try change { text throws(SettingError) in try text.set(options.key, to: options.value) }
  }

  private static func unsetSetting(_ options: SettingsUnsetCommand.Options) throws(CommandError) -> ExitCode {
    try change { text throws(SettingError) in try text.unset(options.key) }
  }

  private static func change(
    _ edit: (inout SettingsText) throws(SettingError) -> Void
  ) throws(CommandError) -> ExitCode {
    let file = try settingsFile()
    // Whether it can be meant does not depend on what the file says, which has to be readable as well.
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
    // What was wrong before is not this command's fault, and still has to be known.
    for error in text.read().errors { complain(CommandError(error, in: file.path)) }
    return .done
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
  /// Something in a file of settings that can't be meant.
  fileprivate init(_ error: SettingError, in file: FilePath) {
    self.init(
      .badSettings, "'\(file)', line \(error.line ?? 0)", "\(error.subject): \(error.reason)", error.remedy)
  }
}
