// SPDX-License-Identifier: MIT
import CommandModel

/// One setting: its name in the file, what it means, and which values it takes.
package struct Setting: Sendable {
  /// Its name in the file.
  package let name: String
  /// What it means, as a phrase without a full stop.
  package let summary: String
  /// The words that it takes; empty if it only takes a number.
  package let words: [String]
  /// A description of the values that it takes, for a person: `off|track|album|auto`, `seconds from 0 to 60`.
  package let values: String

  private let reader: @Sendable (Settings) -> String
  private let writer: @Sendable (inout Settings, String) -> Bool

  init(
    _ name: String, _ summary: String, words: [String] = [], values: String,
    read: @escaping @Sendable (Settings) -> String,
    write: @escaping @Sendable (inout Settings, String) -> Bool
  ) {
    self.name = name
    self.summary = summary
    self.words = words
    self.values = values
    reader = read
    writer = write
  }

  /// Its value in these settings, as it is written in the file.
  package func value(in settings: Settings) -> String { reader(settings) }

  /// Its value if the user hasn't set it.
  package var preset: String { reader(Settings()) }

  /// Sets it. Throws, and changes nothing, if it doesn't take this value.
  package func set(_ value: String, in settings: inout Settings) throws(SettingError) {
    if !writer(&settings, value) { throw SettingError(self, refused: value) }
  }
}

/// Something invalid in the settings: what it is, the reason, and what to write instead.
package struct SettingError: Error, Hashable, Sendable {
  package let subject: String
  package let reason: String
  package let remedy: String
  /// Its line in the file, counted from 1; nil if it isn't from a file.
  package private(set) var line: Int?

  init(_ subject: String, _ reason: String, _ remedy: String) {
    self.subject = subject
    self.reason = reason
    self.remedy = remedy
  }

  /// An error for a value that a setting does not take.
  init(_ setting: Setting, refused value: String) {
    let meant = Suggestion.nearest(to: value, among: setting.words).map { "did you mean '\($0)'? " } ?? ""
    self.init(
      "\(setting.name) '\(value.prefix(64))'", "not a value of it", "\(meant)it takes \(setting.values)")
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

  /// One of several words. When they are listed they are joined by `separator`, which is a comma and a blank if there
  /// are many.
  static func choice<Word: CaseIterable & RawRepresentable<String> & SendableMetatype>(
    _ name: String, _ summary: String, _ path: Path<Word>, separator: String = "|"
  ) -> Setting {
    let words = Word.allCases.map(\.rawValue)
    return Setting(
      name, summary, words: words, values: words.joined(separator: separator),
      read: { $0[keyPath: path].rawValue },
      write: { settings, text in
        guard let word = Word(rawValue: text) else { return false }
        settings[keyPath: path] = word
        return true
      })
  }

  /// `yes` or `no`.
  static func flag(_ name: String, _ summary: String, _ path: Path<Bool>) -> Setting {
    Setting(
      name, summary, words: ["yes", "no"], values: "yes|no",
      read: { $0[keyPath: path] ? "yes" : "no" },
      write: { settings, text in
        guard text == "yes" || text == "no" else { return false }
        settings[keyPath: path] = text == "yes"
        return true
      })
  }

  /// A number within limits. `unit` says what it counts; `suffix` is written after it.
  static func number(
    _ name: String, _ summary: String, _ unit: String, in limits: ClosedRange<Double>, suffix: String = "",
    read: @escaping @Sendable (Settings) -> Double,
    write: @escaping @Sendable (inout Settings, Double) -> Void
  ) -> Setting {
    let range = "\(Decimal.text(limits.lowerBound))\(suffix) to \(Decimal.text(limits.upperBound))\(suffix)"
    return Setting(
      name, summary, values: (unit.isEmpty ? "" : unit + " ") + "from " + range,
      read: { Decimal.text(read($0)) + suffix },
      write: { settings, text in
        let digits = text.hasSuffix(suffix) ? text.dropLast(suffix.count) : text[...]
        guard let number = Decimal.number(digits), limits.contains(number) else { return false }
        write(&settings, number)
        return true
      })
  }

  static func seconds(
    _ name: String, _ summary: String, in limits: ClosedRange<Double>, _ path: Path<Duration>
  ) -> Setting {
    number(
      name, summary, "seconds", in: limits, read: { Decimal.seconds($0[keyPath: path]) },
      write: { $0[keyPath: path] = Decimal.duration($1) })
  }

  static func secondsOrOff(
    _ name: String, _ summary: String, in limits: ClosedRange<Double>, _ path: Path<Duration?>
  ) -> Setting {
    let range = "\(Decimal.text(limits.lowerBound)) to \(Decimal.text(limits.upperBound))"
    return Setting(
      name, summary, words: ["off"], values: "off, or seconds from \(range)",
      read: { $0[keyPath: path].map { Decimal.text(Decimal.seconds($0)) } ?? "off" },
      write: { settings, text in
        let number = Decimal.number(text[...])
        guard text == "off" || number.map(limits.contains) == true else { return false }
        settings[keyPath: path] = number.map(Decimal.duration)
        return true
      })
  }
}

/// Numbers as people write them: an optional sign, digits, and optionally a point and more digits. They are written
/// with at most three decimals.
private enum Decimal {
  static func number(_ text: Substring) -> Double? {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    // No exponent, no name for infinity, and no more digits than anyone would type.
    guard text.utf8.count <= 16, !parts.isEmpty,
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
    else { return nil }
    return Double(text)
  }

  static func text(_ number: Double) -> String {
    let thousandths = Int((number * 1000).rounded())
    let (whole, rest) = thousandths.magnitude.quotientAndRemainder(dividingBy: 1000)
    var fraction = String(rest + 1000).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return (thousandths < 0 ? "-" : "") + String(whole) + (fraction.isEmpty ? "" : "." + fraction)
  }

  static func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }

  static func duration(_ seconds: Double) -> Duration { .milliseconds(Int64((seconds * 1000).rounded())) }
}
