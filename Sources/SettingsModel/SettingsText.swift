// SPDX-License-Identifier: MIT

/// The settings as a file has them: a `name = value` a line, and whatever else its owner has written there.
///
/// What follows a `#` is the owner's. An edit touches one line and leaves all others as they are; of a line that is taken out the
/// remark stays, as a line of its own.
package struct SettingsText: Sendable, Equatable {
  private var lines: [Line]

  /// The text of a file; an empty one where there is none.
  package init(_ text: String = "") {
    var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
      Line(String($0))
    }
    if lines.last?.isEmpty == true { lines.removeLast() }
    self.lines = lines
  }

  /// The whole text, ready to be written.
  package var text: String { lines.map { $0.text + "\n" }.joined() }

  /// What it says, and what of it cannot be meant; that is left as preset.
  package func read() -> (settings: Settings, errors: [SettingError]) {
    var settings = Settings()
    var errors: [SettingError] = []
    var seen: [String: Int] = [:]
    for (number, line) in zip(1..., lines) {
      do throws(SettingError) {
        guard let (name, value) = try line.content() else { continue }
        try Settings.setting(named: name).set(value, in: &settings)
        if let first = seen.updateValue(number, forKey: name) {
          throw SettingError(name, "line \(first) has it already", "keep one of the two")
        }
      } catch {
        errors.append(error.at(line: number))
      }
    }
    return (settings, errors)
  }

  /// Sets a value. Throws, and changes nothing, where there is no such setting or it takes no such value.
  package mutating func set(_ name: String, to value: String) throws(SettingError) {
    var settings = Settings()
    try Settings.setting(named: name).set(value, in: &settings)
    guard let last = lines.lastIndex(where: { $0.name == name }) else {
      lines.append(Line("\(name) = \(value)"))
      return
    }
    lines[last] = lines[last].replacing(value)
    remove(name, before: last)
  }

  /// Leaves it as preset again. Throws where there is no such setting.
  package mutating func unset(_ name: String) throws(SettingError) {
    _ = try Settings.setting(named: name)
    remove(name, before: lines.endIndex)
  }

  /// Whether a line sets it.
  package func sets(_ name: String) -> Bool { lines.contains { $0.name == name } }

  private mutating func remove(_ name: String, before end: Int) {
    lines = lines.indices.compactMap { index in
      index < end && lines[index].name == name ? lines[index].remarkAlone : lines[index]
    }
  }
}
