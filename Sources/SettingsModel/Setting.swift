// SPDX-License-Identifier: MIT

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
