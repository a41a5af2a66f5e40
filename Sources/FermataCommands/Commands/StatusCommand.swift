// SPDX-License-Identifier: MIT
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
    /// As JSON, one line each time.
    case json
    /// As a line in the user's own format, with the fields of `StatusField`.
    case template(Template)

    /// The status with all that this form shows of it.
    @AgentLoop
    fileprivate func status(of agent: AgentClient) async throws(CommandError) -> StatusFace {
      var status = try await agent.status()
      if case .template(let template) = self, template.names.contains(StatusField.next) {
        status.next = try await agent.upcoming(1).page.items.first
      }
      return status
    }
  }

  let form: Form
  /// Whether to keep writing whenever the status changes.
  let follow: Bool

  private static let format = OptionDefinition(
    "format", value: ValueDefinition("TEMPLATE"), summary: "Write one line made from a template")
  private static let follow = OptionDefinition(
    "follow", summary: "Write anew whenever it changes, until Ctrl-C")

  static let definition = CommandDefinition(
    "status", summary: "Show what plays, and why it doesn't",
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
      (
        "fermata status --format '{artist} – {title} [{position}/{duration}]'", "A line for a status bar"
      ),
      (
        "fermata status --follow --format '{title|silence}{album? ({album})}'", "The same, kept up to date"
      ),
    ], read: Self.init)

  init(_ parsed: ParsedCommand) throws(CommandError) {
    follow = parsed.has(Self.follow)
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

  func run(as name: String) throws(CommandError) -> ExitCode {
    SettingsCommands.warn()
    return try withAgent(name) { agent throws(CommandError) in
      if follow { return try await StatusFollower(agent, form).run() }
      let status = try await form.status(of: agent)
      if case .template(let template) = form {
        return try Printer.write(template.text { StatusField.named($0)?.value(status) } + "\n")
      }
      try Printer.write(status.json, if: form == .json) { StatusText.block(status, width: $0 ?? 80) }
    }
  }
}

/// Writes the status again each time its text has changed.
///
/// News from the agent only trigger a question for the whole status; news that arrive together cause one question. If
/// the output shows the position, it is written every second while a track plays; otherwise no timer runs. Only on
/// the loop.
@AgentLoop
private final class StatusFollower {
  private enum Question {
    case none
    case underWay
    /// Under way, and there was news since the question was sent. Its answer may be old already, so another question
    /// follows.
    case outdated
  }

  private let agent: AgentClient
  private let form: StatusCommand.Form
  private let output = EndlessOutput()
  private var question = Question.none
  private var answer: (status: StatusFace, time: Duration)?
  private var last: String?
  private var tick: LoopTimer?

  init(_ agent: AgentClient, _ form: StatusCommand.Form) {
    self.agent = agent
    self.form = form
  }

  /// Runs until the reader has gone. Throws when the agent has ended.
  func run() async throws(CommandError) {
    let news = try await agent.news { [weak self] _ in self?.ask() }
    let loss = try await agent.loss { [weak self] in self?.output.fail($0) }
    ask()
    defer {
      news.cancel()
      loss.cancel()
      tick?.cancel()
    }
    try await output.wait()
  }

  private func ask() {
    guard question == .none else { return question = .outdated }
    question = .underWay
    AgentLoop.task { [self] in
      repeat {
        question = .underWay
        await askOnce()
      } while question == .outdated
      question = .none
    }
  }

  private func askOnce() async {
    do throws(CommandError) {
      answer = (try await form.status(of: agent), AgentLoop.now)
      show()
    } catch {
      output.fail(error)
    }
  }

  private func show() {
    tick?.cancel()
    guard let answer else { return }
    var status = answer.status
    if status.state == .playing, let position = status.position {
      status.position = position + (AgentLoop.now - answer.time)
    }
    var moves = false
    let text = text(status, &moves)
    if text != last { output.write(text) }
    last = text
    guard moves, status.state == .playing else { return }
    // Just after the next whole second of the track, so that no second is skipped.
    let rest = Duration.nanoseconds(1_000_000_000 - (status.position ?? .zero).nanosecondsOfSecond)
    tick = AgentLoop.after(rest + .milliseconds(5)) { [weak self] in self?.show() }
  }

  private func text(_ status: StatusFace, _ moves: inout Bool) -> String {
    switch form {
    case .json: return status.json.text
    case .human: return StatusText.shortLine(status).rendered(Printer.palette)
    case .template(let template):
      return template.text { name in
        let field = StatusField.named(name)
        if field?.moves == true { moves = true }
        return field?.value(status)
      }
    }
  }
}

extension Duration {
  /// The part beyond the last whole second, in nanoseconds.
  fileprivate var nanosecondsOfSecond: Int64 { max(0, components.attoseconds / 1_000_000_000) }
}
