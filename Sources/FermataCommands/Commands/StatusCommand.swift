// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
import BusIO
import CommandModel
import FaceModel
import PlaybackLogic

/// `fermata status`.
struct StatusCommand: Command {
  /// How to write the status.
  enum Form: Equatable {
    /// For a person.
    case human
    /// As JSON, one object a line.
    case json
    /// As a line in the user's own format, with fields of `StatusField`.
    case template(Template)

    /// The status, with everything that this form shows.
    @AgentLoop
    func status(of agent: AgentClient) async throws(CommandError) -> StatusFace {
      var status = try await agent.status()
      // An agent that only guards has no queue, and refuses to tell what comes next.
      if !status.onlyGuards, case .template(let template) = self, template.names.contains(StatusField.next) {
        status.next = try await agent.upcoming(1).page.items.first
      }
      return status
    }
  }

  let form: Form
  /// Whether to keep writing whenever the status changes.
  let follow: Bool
  /// How often the position is written while a track plays; nil for the usual interval of the form.
  let interval: Duration?

  private static let format = OptionDefinition(
    "format", value: ValueDefinition("TEMPLATE"), summary: "Write one line made from a template")
  private static let follow = OptionDefinition(
    "follow", summary: "Keep it up to date, until Ctrl-C")
  private static let interval = OptionDefinition(
    "interval", value: ValueDefinition("SECONDS"),
    summary: "With --follow, how often the position is written; `1` if not said, `0.3` on a terminal")

  // Nobody can see shorter intervals, and with a longer one the position would not be up to date.
  private static let intervals = Duration.milliseconds(50)...(.seconds(3600))

  static let definition = CommandDefinition(
    "status", summary: "Show what plays, and why it doesn't",
    discussion: [
      """
      In a template, `{title}` stands for the title, `{album?text}` for the text where there is an album, and \
      `{album|text}` for the text where there is none; the text may hold fields again. A backslash takes the next letter as \
      it is; `\\n` is a line break and `\\t` a tab.
      """,
      "The fields are \(StatusField.names.joined(separator: ", ")).",
      """
      `why` says why nothing is heard, in words that do not change from version to version: `user` (somebody paused it), `route` (its \
      output is gone), `no-output`, `sleep` (the machine slept), `sleep-timer`, `terminated` (somebody ended the stream in a mixer), `restored` (paused since the agent started), \
      `finished`, `unplayable` (nothing that was left can be played), `tool:NAME` (a program paused it), `muted`, `volume`, `output-muted`, `output-volume`; and while it is interrupted, \
      what does: `cork`, `call`, `microphone`, `suspend`, `stall`, `server`, or the role of what sounds.
      """,
      """
      With `--follow`, a terminal shows one line that is kept up to date. As JSON, with a template and in a pipe a line is written \
      whenever something changes that it shows; while a track plays, a line that shows the position is also written every second. It \
      ends with its reader.
      """,
    ],
    options: [.json, format, follow, interval], exclusive: [[.json, format]],
    examples: [
      (
        "fermata status --format '{artist} – {title} [{position}/{duration}]'", "A line for a status bar"
      ),
      (
        "fermata status --follow --format '{title|silence}{album? ({album})}'", "The same, kept up to date"
      ),
    ], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    follow = parsed.has(Self.follow)
    interval = try Self.interval(of: parsed)
    guard interval == nil || follow else {
      throw parsed.error("--interval", "it goes with --follow only", "add --follow, or leave it out")
    }
    guard let text = parsed.value(Self.format) else {
      form = parsed.has(.json) ? .json : .human
      return
    }
    do throws(CommandError) {
      form = .template(try Template(text, fields: StatusField.names))
    } catch {
      throw parsed.error("--format '\(error.subject)'", error.reason, error.remedy)
    }
  }

  private static func interval(of parsed: ParsedCommand) throws(CommandError) -> Duration? {
    guard let word = parsed.value(interval) else { return nil }
    guard let time = ClockText.parse(word), intervals.contains(time) else {
      throw parsed.error("--interval '\(word)'", "not an interval", "write seconds from 0.05 to 3600")
    }
    return time
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    SettingsCommands.warn()
    if follow { return try StatusFollower.follow(form, every: interval, as: name) }
    return try withAgent(name) { agent throws(CommandError) in
      let status = try await form.status(of: agent)
      if case .template(let template) = form {
        let line = template.text(shown: Printer.shown) { StatusField.named($0)?.value(status) }
        return try Printer.write(line + "\n")
      }
      try Printer.write(status.json, if: form == .json) { StatusText.block(status, width: $0) }
    }
  }
}
