// SPDX-License-Identifier: MIT
import CommandModel
import MediaModel
import SettingsModel

/// The settings as a table for a person and as JSON.
enum SettingsTable {
  struct Row {
    let setting: Setting
    let value: String
    let isSet: Bool

    init(_ setting: Setting, _ value: String, isSet: Bool) {
      self.setting = setting
      self.value = value
      self.isSet = isSet
    }
  }

  /// One line for each setting: its name, its value, its meaning and the values that it takes. Settings that the file
  /// sets are bold. If a line is too long for the width, the meaning is put below it instead of being cut, because
  /// without it nobody knows what to choose.
  static func lines(_ rows: [Row], width: Int?) -> [StyledText] {
    let lines = self.lines(rows)
    guard let width, lines.contains(where: { $0.width > width }) else { return lines }
    var table = Table([.init(), .init(), .init(flexible: true)])
    for row in rows {
      table.append([
        StyledText(row.setting.name, row.isSet ? .bold : .plain),
        StyledText(row.value, row.isSet ? .bold : .plain), StyledText(row.setting.values, .dim),
      ])
    }
    return zip(table.lines(width: width), rows).flatMap { line, row in
      [line]
        + Wrap.lines(Wrap.words(row.setting.plainSummary), width: max(16, width - 4)).map {
          StyledText("    \($0)", .dim)
        }
    }
  }

  private static func lines(_ rows: [Row]) -> [StyledText] {
    var table = Table([.init(), .init(), .init(flexible: true), .init(flexible: true)])
    for row in rows {
      table.append([
        StyledText(row.setting.name, row.isSet ? .bold : .plain),
        StyledText(row.value, row.isSet ? .bold : .plain), StyledText(row.setting.plainSummary),
        StyledText(row.setting.values, .dim),
      ])
    }
    return table.lines()
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
