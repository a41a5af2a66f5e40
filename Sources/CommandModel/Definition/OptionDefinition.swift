// SPDX-License-Identifier: MIT

/// One option of a command: `--json`, `-o FILE`, `--at N`.
package struct OptionDefinition: Sendable, Hashable {
  /// Its long name, without the dashes.
  package let long: String
  /// Its one-letter name.
  package let short: Character?
  /// The value that it takes; none for a flag.
  package let value: ValueDefinition?
  /// What it does, as a phrase without a full stop.
  package let summary: String
  /// A text that says what happens when it isn't given; nil if that needs no saying.
  package let standard: String?

  /// An option. Traps if a name could be mistaken for something else: `-3` is a number, never an option.
  package init(
    _ long: String, short: Character? = nil, value: ValueDefinition? = nil, summary: String,
    standard: String? = nil
  ) {
    precondition(long.count > 1 && !long.hasPrefix("-") && !long.contains("="), "an option --\(long)")
    precondition(short?.isLetter != false, "an option that looks like a number")
    self.long = long
    self.short = short
    self.value = value
    self.summary = summary
    self.standard = standard
  }

  /// `--help`, which every command has.
  package static let help = OptionDefinition("help", short: "h", summary: "Show this help")
  /// `--json`, for every command that outputs data.
  package static let json = OptionDefinition("json", summary: "Write JSON")

  /// How it is written: `--at N`.
  package var synopsis: String {
    guard let value else { return "--\(long)" }
    return "--\(long) \(value.synopsis)"
  }

  /// Both names, as a list of options shows them: `-o, --output FILE`.
  package var heading: String { (short.map { "-\($0), " } ?? "") + synopsis }
}
