// SPDX-License-Identifier: MIT
package import CommandModel

/// `fermata status`.
package enum StatusCommand: CommandDeclaration {
  static let format = OptionDefinition(
    "format", value: ValueDefinition("TEMPLATE"), summary: "Write one line made from a template")
  static let follow = OptionDefinition("follow", summary: "Write anew whenever it changes, until Ctrl-C")

  /// The command.
  package static let definition = CommandDefinition(
    "status", group: FermataProgram.Group.playback, summary: "Show what plays, and why it doesn't",
    discussion: [
      """
      In a template, `{title}` stands for the title, `{album?text}` for the text where there is an album, and \
      `{album|text}` for the text where there is none; the text may hold fields again. A backslash takes the next letter as \
      it is; `\\n` is a line break and `\\t` a tab.
      """,
      "The fields are \(StatusField.names.joined(separator: ", ")).",
    ],
    options: [.json, format, follow], exclusive: [[.json, format]],
    examples: [
      Example(
        "fermata status --format '{artist} – {title} [{position}/{duration}]'", "A line for a status bar"),
      Example(
        "fermata status --follow --format '{title|silence}{album? ({album})}'", "The same, kept up to date"),
    ])

  /// The options and arguments of this command.
  package struct Options: CommandOptions {
    /// How to write it.
    package enum Form: Sendable, Hashable {
      /// For a person.
      case human
      /// As JSON, one line each time.
      case json
      /// As a line in the user's own format, with the fields of `StatusField`.
      case template(Template)
    }

    /// How to write it.
    package let form: Form
    /// Whether to keep writing whenever the status changes.
    package let follow: Bool

    /// Reads them from a parsed command line.
    package init(_ parsed: ParsedCommand) throws(UsageError) {
      follow = parsed.has(StatusCommand.follow)
      guard let text = parsed.value(StatusCommand.format) else {
        form = parsed.has(.json) ? .json : .human
        return
      }
      do {
        form = .template(try Template(text, fields: StatusField.names))
      } catch {
        throw parsed.error("--format '\(error.subject)'", error.reason, error.remedy)
      }
    }
  }
}
