// SPDX-License-Identifier: MIT
public import CommandModel

/// `fermata status`.
public enum StatusCommand: CommandDeclaration {
  static let format = OptionDefinition(
    "format", value: ValueDefinition("TEMPLATE"), summary: "Write one line made from a template")
  static let follow = OptionDefinition("follow", summary: "Write anew whenever it changes, until Ctrl-C")

  /// The command.
  public static let definition = CommandDefinition(
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

  /// What was said to it.
  public struct Options: CommandOptions {
    /// How to write it.
    public enum Form: Sendable, Hashable {
      /// For a person.
      case human
      /// As JSON, one line each time.
      case json
      /// As a line of one's own, whose fields are names of `StatusField`.
      case template(Template)
    }

    /// How to write it.
    public let form: Form
    /// Whether to go on writing.
    public let follow: Bool

    /// Reads them.
    public init(_ parsed: ParsedCommand) throws(UsageError) {
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
