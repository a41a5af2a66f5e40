// SPDX-License-Identifier: MIT

/// The man page of a program: one page with all its commands.
package struct ManPage {
  /// A section of the page besides the commands.
  package struct Section: Sendable {
    /// The section's heading, in capitals.
    package let title: String
    /// Terms, and their meanings as phrases.
    package let entries: [(term: String, text: String)]

    package init(_ title: String, _ entries: [(term: String, text: String)]) {
      self.title = title
      self.entries = entries
    }
  }

  private let root: CommandPath
  private var roff = Roff()

  /// The page of a program. It contains no date, so that the same definitions always give the same page.
  package init(_ root: CommandDefinition, version: String, sections: [Section] = []) {
    self.root = CommandPath(root)
    compose(version: version, sections: sections)
  }

  package var text: String { roff.text }

  private mutating func compose(version: String, sections: [Section]) {
    let command = root.command
    roff.request("TH", command.name.uppercased(), "1", "", "\(command.name) \(version)", "User Commands")
    roff.request("SH", "NAME")
    roff.literal("\(command.name) - \(command.summary.lowercasedFirst)")
    roff.request("SH", "SYNOPSIS")
    synopsis(root)
    roff.request("SH", "DESCRIPTION")
    paragraphs(command.discussion)
    roff.request("SH", "COMMANDS")
    for path in root.all.dropFirst() { section(path) }
    examples(root, under: "SH", title: "EXAMPLES")
    list("EXIT STATUS", command.exitCodes.map { ("\($0.code.rawValue)", $0.meaning) })
    for section in sections { list(section.title, section.entries) }
  }

  private mutating func section(_ path: CommandPath) {
    let command = path.command
    roff.request("SS", path.words.joined(separator: " "))
    synopsis(path)
    paragraphs([command.summary + "."] + command.wholeDiscussion)
    for argument in command.arguments { term(argument.value.name, argument.summary, listed(argument.value)) }
    for option in command.options {
      term(option.heading, option.explanation, option.value.map(listed) ?? [])
    }
    for code in command.exitCodes { term("Exit status \(code.code.rawValue)", code.meaning, []) }
    examples(path, under: nil, title: "")
  }

  /// The choices to list at an option or argument; empty if there are many. Long lists have a section of their own, so that they are not repeated
  /// below each command.
  private func listed(_ value: ValueDefinition) -> [ValueDefinition.Choice] {
    value.hasFewChoices ? value.choices : []
  }

  /// The columns that a page of 80 has beside its margins.
  private static let columns = 72

  private mutating func synopsis(_ path: CommandPath) {
    roff.request("nf")
    for form in path.usage {
      for line in path.usageLines(form, width: Self.columns) { roff.boldLine(line) }
    }
    roff.request("fi")
  }

  private mutating func paragraphs(_ texts: [String]) {
    for text in texts {
      roff.request("PP")
      roff.prose(text)
    }
  }

  private mutating func term(_ heading: String, _ text: String, _ choices: [ValueDefinition.Choice]) {
    roff.request("TP")
    roff.boldLine(heading)
    roff.prose(text + ".")
    for choice in choices where !choice.summary.isEmpty {
      roff.request("br")
      roff.prose("`\(choice.word)`: \(choice.summary).")
    }
  }

  private mutating func list(_ title: String, _ entries: [(term: String, text: String)]) {
    guard !entries.isEmpty else { return }
    roff.request("SH", title)
    for entry in entries { term(entry.term, entry.text, []) }
  }

  private mutating func examples(_ path: CommandPath, under heading: String?, title: String) {
    guard !path.command.examples.isEmpty else { return }
    if let heading { roff.request(heading, title) }
    for example in path.command.examples {
      roff.request("PP")
      roff.prose(example.summary + ":")
      roff.request("PP")
      roff.request("RS", "4")
      roff.request("nf")
      roff.boldLine(example.line)
      roff.request("fi")
      roff.request("RE")
    }
  }
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}

/// Writes roff, the language of man pages. It escapes all text, so that none can be mistaken for a request.
private struct Roff {
  private(set) var text = ""

  /// A request with its arguments, all quoted.
  mutating func request(_ name: String, _ arguments: String...) {
    let quoted = arguments.map { "\"\(Self.escaped($0))\"" }
    text += ([".\(name)"] + quoted).joined(separator: " ") + "\n"
  }

  /// A line of text from a command's definition; its literal words, which are between backticks, are bold.
  mutating func prose(_ marked: String) {
    let pieces = MarkedText(marked).pieces.map { $0.isLiteral ? Self.bold($0.text) : Self.escaped($0.text) }
    text += Self.guarded(pieces.joined()) + "\n"
  }

  /// A line in which backticks have no special meaning.
  mutating func literal(_ line: String) { text += Self.guarded(Self.escaped(line)) + "\n" }

  mutating func boldLine(_ line: String) { text += Self.bold(line) + "\n" }

  private static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

  // A line that begins with a dot or an apostrophe would be a request.
  private static func guarded(_ line: String) -> String {
    line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }

  /// The text escaped to ASCII, so that each character is shown as it was written: a dash that can be copied, a
  /// straight quotation mark.
  static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { $0 += escaped($1) }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\\": "\\e"
    case "-": "\\-"
    case "'": "\\(aq"
    case "`": "\\(ga"
    case "^": "\\(ha"
    case "~": "\\(ti"
    case "\"": "\\(dq"
    case " "..."}": String(scalar)
    case "\n": " "
    default: scalar.value < 0x20 || scalar.value == 0x7F ? "" : "\\[u\(hexadecimal(scalar.value))]"
    }
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
