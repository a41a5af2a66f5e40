// SPDX-License-Identifier: MIT

/// A command's help as lines for a terminal.
package struct HelpText {
  // Longer lines are tiring to read, and shorter ones have no room for a list of options.
  private static let widths = 36...100
  // The text for a wider heading begins on the next line.
  private static let widestHeading = 28

  private let path: CommandPath
  private let width: Int
  private var lines: [StyledText] = []

  /// The help of a command, for a terminal with this many columns. The lines use at least 36 columns and at most 100.
  package init(_ path: CommandPath, width: Int = 80) {
    self.path = path
    self.width = min(max(width, Self.widths.lowerBound), Self.widths.upperBound)
    compose()
  }

  /// The help text with the styles of the palette. It ends with a line break.
  package func text(_ palette: Palette) -> String {
    lines.map { $0.rendered(palette) + "\n" }.joined()
  }

  private mutating func compose() {
    let command = path.command
    paragraph(command.summary + ".")
    usage()
    for text in command.wholeDiscussion {
      lines.append("")
      paragraph(text)
    }
    commands()
    list("Arguments", command.arguments.flatMap(\.entries))
    if command.subcommands.isEmpty { options() }
    examples()
    list("Exit codes", command.exitCodes.map { ("\($0.code.rawValue)", $0.meaning) })
    closing()
  }

  private mutating func usage() {
    lines.append("")
    let label = "Usage: "
    let blank = String(repeating: " ", count: label.count)
    for (index, form) in path.usage.enumerated() {
      let lead = index == 0 ? StyledText(label, .bold) : StyledText(blank)
      let wrapped = path.usageLines(form, width: width - label.count)
      lines.append(lead + StyledText(wrapped[0]))
      lines += wrapped.dropFirst().map { StyledText(blank + $0) }
    }
  }

  private mutating func commands() {
    for group in path.command.groups {
      let members = group.commands.map { (path.appending($0).heading, $0.summary) }
      list(group.title.isEmpty ? "Commands" : group.title, members)
    }
  }

  // Short names are in a column of their own, so that the long ones are aligned.
  private mutating func options() {
    list(
      "Options",
      path.command.allOptions.map { option in
        ((option.short == nil ? "    " : "") + option.heading, option.explanation)
      })
  }

  private mutating func examples() {
    heading("Examples", when: !path.command.examples.isEmpty)
    for example in path.command.examples {
      lines.append(StyledText("  \(example.line)"))
      for line in Wrap.lines(of: MarkedText(example.summary).plain, width: width - 6) {
        lines.append(StyledText("      \(line)", .dim))
      }
    }
  }

  private mutating func closing() {
    guard !path.command.subcommands.isEmpty else { return }
    lines.append("")
    let below = ([path.root.name, "help"] + path.words + ["COMMAND"]).joined(separator: " ")
    paragraph("See `\(below)` for more about a command.")
  }

  private mutating func heading(_ title: String, when condition: Bool) {
    guard condition else { return }
    lines.append("")
    lines.append(StyledText(title, .bold))
  }

  private mutating func list(_ title: String, _ entries: [(heading: String, text: String)]) {
    heading(title, when: !entries.isEmpty)
    let fitting = entries.map { TerminalText.width($0.heading) }.filter { $0 <= Self.widestHeading }
    let column = (fitting.max() ?? 0) + 4
    for entry in entries {
      let wrapped = Wrap.lines(of: MarkedText(entry.text).plain, width: width - column)
      let hangs = TerminalText.width(entry.heading) > Self.widestHeading
      let first = hangs ? "" : wrapped.first ?? ""
      lines.append(
        StyledText(
          first.isEmpty ? "  \(entry.heading)" : TerminalText.padded("  \(entry.heading)", to: column) + first
        ))
      for line in wrapped.dropFirst(hangs ? 0 : 1) {
        lines.append(StyledText(String(repeating: " ", count: column) + line))
      }
    }
  }

  // The plain text is wrapped, so that the lines break at the same places with and without styles.
  private mutating func paragraph(_ text: String) {
    lines += Wrap.lines(of: MarkedText(text).plain, width: width).map { StyledText($0) }
  }
}

extension CommandPath {
  // A subcommand as the overview lists it: the program's own overview shows only names, the others show arguments
  // too.
  fileprivate var heading: String {
    guard steps.count > 1 else { return command.name }
    return ([command.name] + command.arguments.map(\.synopsis)).joined(separator: " ")
  }
}

extension ArgumentDefinition {
  // If the choices have descriptions, they are listed instead of the argument.
  fileprivate var entries: [(heading: String, text: String)] {
    let choices = value.choices.filter { !$0.summary.isEmpty }
    return choices.isEmpty ? [(value.name, summary)] : choices.map { ($0.word, $0.summary) }
  }
}

/// A definition's text, split at its backticks into prose and literal words.
struct MarkedText {
  struct Piece: Equatable {
    let text: String
    let isLiteral: Bool
  }

  let pieces: [Piece]

  init(_ text: String) {
    let parts = text.split(separator: "`", omittingEmptySubsequences: false)
    precondition(parts.count % 2 == 1, "an odd number of backticks: \(text)")
    pieces = parts.enumerated()
      .map { Piece(text: String($0.element), isLiteral: $0.offset % 2 == 1) }
      .filter { !$0.text.isEmpty }
  }

  /// As plain text, with the literal words in quotes.
  var plain: String { pieces.map { $0.isLiteral ? "'\($0.text)'" : $0.text }.joined() }
}

/// Breaks text into lines between words.
package enum Wrap {
  /// Lines of at most `width` columns; all but the first are indented by `hanging`. A word that is too long gets a
  /// line of its own and isn't broken.
  static func lines(_ words: [String], width: Int, hanging: Int = 0) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in words {
      let longer = line.isEmpty ? word : line + " " + word
      if line.isEmpty || TerminalText.width(longer) <= width {
        line = longer
      } else {
        lines.append(line)
        line = String(repeating: " ", count: hanging) + word
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  /// Breaks prose into lines of at most `width` columns, as `lines` does with words.
  package static func lines(of text: String, width: Int) -> [String] { lines(words(text), width: width) }

  /// Breaks a line that may have columns, such as one of a command's output. Further lines begin where its last column in the left half does. A word
  /// that is longer than a line is broken as well.
  package static func line(_ text: String, width: Int) -> [String] {
    guard width > 0, TerminalText.width(text) > width else { return [text] }
    let indent = String(repeating: " ", count: lastColumn(of: text, within: width / 2))
    var lines: [String] = []
    var rest = Substring(text)
    while !rest.isEmpty {
      let begin = lines.isEmpty ? "" : indent
      let end = endOfLine(rest, columns: width - begin.count)
      lines.append(begin + rest[..<end])
      rest = rest[end...].drop { $0 == " " }
    }
    return lines
  }

  /// Where the last of the columns begins that begin within so many. Two spaces or more stand before each.
  private static func lastColumn(of text: String, within limit: Int) -> Int {
    var (column, spaces, last) = (0, 2, 0)
    for character in text where column <= limit {
      if character != " ", spaces >= 2 { last = column }
      spaces = character == " " ? spaces + 1 : 0
      column += CharacterWidth.of(character)
    }
    return last
  }

  /// The end of the last whole word within so many columns, or of the last character if the first word is longer.
  private static func endOfLine(_ text: Substring, columns: Int) -> Substring.Index {
    var (column, isInWord) = (0, false)
    var end: Substring.Index?
    for index in text.indices {
      if text[index] == " ", isInWord { end = index }
      isInWord = text[index] != " "
      column += CharacterWidth.of(text[index])
      guard column > columns else { continue }
      return end ?? (index > text.startIndex ? index : text.index(after: index))
    }
    return text.endIndex
  }

  private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

  /// The words of a synopsis; text in brackets counts as one word.
  static func synopsisWords(_ text: String) -> [String] {
    var words: [String] = []
    var depth = 0
    for part in Self.words(text) {
      if depth > 0 { words[words.count - 1] += " " + part } else { words.append(part) }
      depth += part.count { $0 == "[" } - part.count { $0 == "]" }
    }
    return words
  }
}
