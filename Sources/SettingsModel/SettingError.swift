// SPDX-License-Identifier: MIT
import CommandModel

/// Something invalid in the settings: what it is, the reason, and what to write instead.
package struct SettingError: Error, Hashable, Sendable {
  /// What is invalid.
  package let subject: String
  /// Why it is invalid.
  package let reason: String
  /// What to do.
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
