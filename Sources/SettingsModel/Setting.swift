// SPDX-License-Identifier: MIT
import CommandModel

/// One setting: its name in the file, its meaning, and the values that it takes.
package struct Setting: Sendable {
  /// The setting's name in the file.
  package let name: String
  /// What the setting means, as a phrase without a full stop.
  package let summary: String
  /// The words that the setting takes; empty if it only takes a number.
  package let words: [String]
  /// A description of the values that it takes, for a person: `off|track|album|auto`, `seconds from 0 to 60`.
  package let values: String

  /// Whether the setting takes `yes`, `no`, `on` and `off`, whichever two of them are its own words.
  private let isSwitch: Bool
  private let reader: @Sendable (Settings) -> String
  private let writer: @Sendable (inout Settings, String) -> Bool

  /// A setting whose value is the property at `path` of `Settings`. `text` writes the value as the file has it. `parse` reads it, and
  /// returns nil for a text that the setting doesn't take.
  private init<Value>(
    _ name: String, _ summary: String, _ path: Path<Value>, words: [String] = [], values: String,
    isSwitch: Bool = false, text: @escaping @Sendable (Value) -> String,
    parse: @escaping @Sendable (String) -> Value?
  ) {
    self.name = name
    self.summary = summary
    self.words = words
    self.values = values
    self.isSwitch = isSwitch
    reader = { text($0[keyPath: path]) }
    writer = { settings, text in
      guard let value = parse(text) else { return false }
      settings[keyPath: path] = value
      return true
    }
  }

  /// The setting's value in these settings, as it is written in the file.
  package func value(in settings: Settings) -> String { reader(settings) }

  /// The setting's value if the user hasn't set it, as it is written in the file.
  package var preset: String { reader(Settings()) }

  /// Sets the setting to a value that is written as in the file. Throws, and changes nothing, if it doesn't take this value.
  package func set(_ value: String, in settings: inout Settings) throws(SettingError) {
    if !writer(&settings, value) { throw SettingError(self, refused: value) }
  }

  /// The value as the file has it: for a setting that is on or off, in its own words. Throws if it doesn't take this value.
  func written(_ value: String) throws(SettingError) -> String {
    var settings = Settings()
    try set(value, in: &settings)
    return isSwitch ? self.value(in: settings) : value
  }

  /// The word of this setting that a user most likely meant by `value`; nil if none is like it, or if the guess could be the opposite.
  fileprivate func meant(by value: String) -> String? {
    isSwitch ? nil : Suggestion.nearest(to: value, among: words)
  }
}

/// An error in the settings: the subject, the reason and the remedy.
package struct SettingError: Error, Hashable, Sendable {
  package let subject: String
  package let reason: String
  package let remedy: String
  /// The line of the file with the error, counted from 1; nil if the value isn't from a file.
  package private(set) var line: Int?

  init(_ subject: String, _ reason: String, _ remedy: String) {
    self.subject = subject
    self.reason = reason
    self.remedy = remedy
  }

  /// An error for a value that a setting does not take.
  init(_ setting: Setting, refused value: String) {
    let meant = setting.meant(by: value).map { "did you mean '\($0)'? " } ?? ""
    self.init(
      "\(setting.name) '\(value.prefix(64))'", "no such value", "\(meant)it takes \(setting.values)")
  }

  /// An error for a name that no setting has.
  init(unknown name: String) {
    let meant = Suggestion.nearest(to: name, among: Settings.all.map(\.name))
    self.init(
      "'\(name.prefix(64))'", "there is no such setting",
      meant.map { "did you mean '\($0)'?" } ?? "'fermata settings' lists them")
  }

  /// The same error with the number of the line where it was found.
  func at(line: Int) -> SettingError {
    var copy = self
    copy.line = line
    return copy
  }
}

// The kinds of values that settings have.
extension Setting {
  typealias Path<Value> = any WritableKeyPath<Settings, Value> & Sendable

  /// A setting that takes one of several words. When the words are listed they are joined by `separator`, which is a comma and a blank if there are
  /// many. `synonyms` are taken as well, and not listed.
  static func choice<Word: CaseIterable & RawRepresentable<String> & Sendable>(
    _ name: String, _ summary: String, _ path: Path<Word>, separator: String = "|",
    synonyms: [String: Word] = [:]
  ) -> Setting {
    let words = Word.allCases.map(\.rawValue)
    return Setting(
      name, summary, path, words: words, values: words.joined(separator: separator), text: { $0.rawValue },
      parse: { Word(rawValue: $0) ?? synonyms[$0] })
  }

  /// A setting that is `yes` or `no`.
  static func flag(_ name: String, _ summary: String, _ path: Path<Bool>) -> Setting {
    either(name, summary, path, "yes", "no")
  }

  /// A setting that is `on` or `off`.
  static func onOrOff(_ name: String, _ summary: String, _ path: Path<Bool>) -> Setting {
    either(name, summary, path, "on", "off")
  }

  /// A setting that is one of two words. It takes `yes` and `no` as well as `on` and `off`, because nobody remembers which setting has which.
  private static func either(
    _ name: String, _ summary: String, _ path: Path<Bool>, _ on: String, _ off: String
  ) -> Setting {
    Setting(
      name, summary, path, words: [on, off], values: "\(on)|\(off)", isSwitch: true, text: { $0 ? on : off },
      parse: { ["yes": true, "on": true, "no": false, "off": false][$0] })
  }

  /// A setting that takes any number of names, with commas in between: many players have blanks in their names.
  static func names(_ name: String, _ summary: String, _ path: Path<[String]>) -> Setting {
    Setting(
      name, summary, path, words: ["none"], values: "none, or names with commas in between",
      text: { $0.isEmpty ? "none" : $0.joined(separator: ", ") },
      parse: { text in
        if text == "none" { return [] }
        let names = text.split(separator: ",").map { String($0.trimmed) }
        return names.isEmpty || names.contains { $0.isEmpty } ? nil : names
      })
  }

  /// A setting that takes a number within limits. `unit` says what it counts; `suffix` is written after it.
  static func number<Value>(
    _ name: String, _ summary: String, _ path: Path<Value>, unit: String = "", in limits: ClosedRange<Double>,
    suffix: String = "", number: @escaping @Sendable (Value) -> Double,
    value: @escaping @Sendable (Double) -> Value
  ) -> Setting {
    let range = "\(text(limits.lowerBound))\(suffix) to \(text(limits.upperBound))\(suffix)"
    return Setting(
      name, summary, path, values: (unit.isEmpty ? "" : unit + " ") + "from " + range,
      text: { text(number($0)) + suffix },
      parse: { parsed($0.hasSuffix(suffix) ? $0.dropLast(suffix.count) : $0[...], in: limits).map(value) })
  }

  static func seconds(
    _ name: String, _ summary: String, in limits: ClosedRange<Double>, _ path: Path<Duration>
  ) -> Setting {
    number(name, summary, path, unit: "seconds", in: limits, number: seconds, value: duration)
  }

  static func secondsOrOff(
    _ name: String, _ summary: String, in limits: ClosedRange<Double>, _ path: Path<Duration?>
  ) -> Setting {
    Setting(
      name, summary, path, words: ["off"],
      values: "off, or seconds from \(text(limits.lowerBound)) to \(text(limits.upperBound))",
      text: { $0.map { text(seconds($0)) } ?? "off" },
      parse: { $0 == "off" ? .some(nil) : parsed($0[...], in: limits).map { .some(duration($0)) } })
  }

  /// Reads a number as people write it: an optional sign, digits, and optionally a point and more digits.
  private static func parsed(_ text: Substring, in limits: ClosedRange<Double>) -> Double? {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    // An exponent, a name for infinity, and more digits than anyone would type are refused.
    guard text.utf8.count <= 16, !parts.isEmpty, parts.allSatisfy(\.isDigits), let number = Double(text),
      limits.contains(number)
    else { return nil }
    return number
  }

  /// A number with at most three decimals.
  private static func text(_ number: Double) -> String {
    DecimalText((number * 1000).rounded() / 1000)?.text ?? ""
  }

  private static func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }
  private static func duration(_ seconds: Double) -> Duration {
    .milliseconds(Int64((seconds * 1000).rounded()))
  }
}
