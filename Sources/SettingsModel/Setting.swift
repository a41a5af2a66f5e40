// SPDX-License-Identifier: MIT

/// One thing that can be set: its name in the file, what it means, and which values it takes.
package struct Setting: Sendable {
  /// What it goes by in the file.
  package let name: String
  /// What it means, as a phrase without a full stop.
  package let summary: String
  /// The words that it may be; empty where it is a number.
  package let words: [String]
  /// What may be written, for a person: `off|track|album|auto`, `seconds from 0 to 60`.
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

  /// What it is in these settings, as one would write it.
  package func value(in settings: Settings) -> String { reader(settings) }

  /// What it is where nothing was chosen.
  package var preset: String { reader(Settings()) }

  /// Sets it. Throws, and changes nothing, where it takes no such value.
  package func set(_ value: String, in settings: inout Settings) throws(SettingError) {
    if !writer(&settings, value) { throw SettingError(self, refused: value) }
  }
}
