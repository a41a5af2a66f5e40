// SPDX-License-Identifier: MIT

/// The text of a settings file: one `name = value` per line, and the user's comments.
///
/// Text after a `#` is a comment. An edit changes the line of one setting and keeps all other lines. When a setting is removed, its comment stays as
/// a line of its own.
package struct SettingsText: Sendable, Equatable {
  private var lines: [Line] = []
  /// The byte order mark with which some editors begin a file; empty if there is none.
  private let mark: String

  /// Splits the text of a file into lines. Without a file the text is empty.
  package init(_ text: String = "") {
    mark = text.unicodeScalars.first == "\u{FEFF}" ? "\u{FEFF}" : ""
    var rest = Substring(text.unicodeScalars.dropFirst(mark.unicodeScalars.count))
    while !rest.isEmpty {
      let line = rest.prefix { !$0.isNewline }
      rest = rest[line.endIndex...]
      lines.append(Line(String(line), end: rest.popFirst().map(String.init) ?? Line.usualEnd))
    }
  }

  /// The whole text, ready to be written.
  package var text: String { mark + lines.map { $0.text + $0.end }.joined() }

  /// The settings in the text, and its errors. A setting that is not in the text has its preset. A setting whose value is invalid keeps its value
  /// from `present`. A setting that is on two lines is an error, and has the value of the later line.
  package func read(over present: Settings = Settings()) -> (settings: Settings, errors: [SettingError]) {
    var settings = Settings()
    var errors: [SettingError] = []
    var seen: [String: Int] = [:]
    for (number, line) in zip(1..., lines) {
      do throws(SettingError) {
        guard let (name, value) = try line.content() else { continue }
        let setting = try Settings.setting(named: name)
        do throws(SettingError) { try setting.set(value, in: &settings) } catch {
          if seen[name] == nil { try setting.set(setting.value(in: present), in: &settings) }
          throw error
        }
        if let first = seen.updateValue(number, forKey: name) {
          throw SettingError(name, "line \(first) has it already", "keep one of the two")
        }
      } catch {
        errors.append(error.at(line: number))
      }
    }
    return (settings, errors)
  }

  /// Sets a value. Throws, and changes nothing, if there is no such setting or it doesn't take this value.
  package mutating func set(_ name: String, to value: String) throws(SettingError) {
    let value = try Settings.setting(named: name).written(value)
    let subject = "\(name) '\(value.prefix(64))'"
    guard !value.utf8.contains(UInt8(ascii: "#")) else {
      throw SettingError(subject, "in the settings file a # begins a comment", "leave it out")
    }
    guard !value.contains(where: \.isNewline), !value.unicodeScalars.contains(where: Self.isControl) else {
      throw SettingError(subject, "a value is one line without control characters", "leave them out")
    }
    guard let last = lines.lastIndex(where: { $0.name == name }) else {
      lines.append(Line("\(name) = \(value)", end: lines.last?.end ?? Line.usualEnd))
      return
    }
    lines[last] = lines[last].replacing(value)
    remove(name, before: last)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value)
  }

  /// Removes a setting, so that it has its preset value again. Throws if there is no such setting.
  package mutating func unset(_ name: String) throws(SettingError) {
    _ = try Settings.setting(named: name)
    remove(name, before: lines.endIndex)
  }

  /// The name before the equals sign on a line, counted from 1; nil if there is none.
  package func name(onLine number: Int?) -> String? {
    guard let number, lines.indices.contains(number - 1) else { return nil }
    return lines[number - 1].name
  }

  /// Whether a line sets this setting.
  package func sets(_ name: String) -> Bool { lines.contains { $0.name == name } }

  private mutating func remove(_ name: String, before end: Int) {
    lines = lines.indices.compactMap { index in
      index < end && lines[index].name == name ? lines[index].remarkAlone : lines[index]
    }
  }
}

/// One line of the settings file.
private struct Line: Sendable, Equatable {
  static let usualEnd = "\n"

  let text: String
  /// What ends the line: a line feed, or on Windows a carriage return too.
  let end: String

  init(_ text: String, end: String) { (self.text, self.end) = (text, end) }

  /// The part before the user's comment, which begins with `#`.
  private var written: Substring { text.prefix { $0 != "#" }.trimmed }

  /// The comment, with the blanks before it.
  private var remark: Substring {
    let rest = text.drop { $0 != "#" }
    guard !rest.isEmpty else { return "" }
    let before = text.prefix { $0 != "#" }
    return text[(before.lastIndex { !$0.isBlank }.map(text.index(after:)) ?? text.startIndex)...]
  }

  /// The line that remains when the setting is removed: its comment as a line of its own; nil if there is no comment.
  var remarkAlone: Line? {
    let alone = remark.drop(while: \.isBlank)
    return alone.contains { $0 != "#" && !$0.isBlank } ? Line(String(alone), end: end) : nil
  }

  /// The name before the equals sign; nil if there is no equals sign.
  var name: String? {
    written.firstIndex(of: "=").map { String(written[..<$0].trimmed) }
  }

  /// The name and value on the line; nil for a line with only blanks or a comment. Throws for any other line.
  func content() throws(SettingError) -> (name: String, value: String)? {
    guard !written.isEmpty else { return nil }
    guard let name, let sign = written.firstIndex(of: "="), !name.isEmpty else {
      throw SettingError(
        "'\(written.prefix(64))'", "not a setting", "write it as 'name = value', or put a # before it")
    }
    return (name, String(written[written.index(after: sign)...].trimmed))
  }

  /// The same line with another value.
  func replacing(_ value: String) -> Line {
    let head = text[...(text.firstIndex(of: "=") ?? text.startIndex)]
    // Keeps the blanks that the user has put after the equals sign.
    let blanks = text[head.endIndex...].prefix(while: \.isBlank)
    return Line("\(head)\(blanks)\(value)\(remark)", end: end)
  }
}

extension Character {
  fileprivate var isBlank: Bool { self == " " || self == "\t" }
}

extension Substring {
  /// The text without blanks at its ends.
  var trimmed: Substring {
    guard let last = lastIndex(where: { !$0.isBlank }) else { return "" }
    return self[...last].drop(while: \.isBlank)
  }
}
