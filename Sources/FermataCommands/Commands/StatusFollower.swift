// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
import BusIO
import CommandModel
import FaceModel
import Glibc
import PlaybackLogic
import TerminalIO

/// Keeps a status up to date, for `fermata status --follow`: on a terminal as one line that is rewritten in place, elsewhere as a new line each time.
///
/// News from the agent only trigger a question for the whole status; news that arrive together cause one question. While a track plays, a timer runs
/// if the output shows the position; otherwise none does. Only on the loop.
@AgentLoop
final class StatusFollower {
  private enum Question {
    case none
    case underWay
    /// The question is under way, and news has come since it was sent. Its answer may be outdated, so another question follows.
    case outdated
  }

  private let form: StatusCommand.Form
  /// The line on a terminal that is rewritten in place; nil if each status is written on a new line.
  private let line: LivingLine?
  private let output = EndlessOutput()
  private var pace: FollowPace
  private var signals: SignalWatch?
  /// The signal that ended the command; nil if none did.
  private var death: Int32?
  private var agent: AgentClient?
  private var question = Question.none
  private var answer: (status: StatusFace, time: Duration)?
  private var knownSleepEnd: Duration?
  /// Whether somebody has moved the place in the track since the agent was asked last.
  private var hasSought = false
  /// Whether the agent has told that it ends.
  private var isEnding = false
  private var tick: LoopTimer?

  /// Follows the status until nobody reads the output any more or a signal ends it. Throws when the agent has ended. Blocks; on the main thread only,
  /// and once.
  nonisolated static func follow(
    _ form: StatusCommand.Form, every interval: Duration?, as name: String
  ) throws(CommandError) -> ExitCode {
    try onLoop { () throws(CommandError) in
      // The follower blocks signals, so it must be made before there is another thread.
      let follower = StatusFollower(form, every: interval)
      return try await follower.run(as: name)
    }
  }

  private init(_ form: StatusCommand.Form, every interval: Duration?) {
    self.form = form
    line = form == .human && LivingLine.isPossible ? LivingLine() : nil
    let usual: Duration = line == nil ? .seconds(1) : .milliseconds(300)
    pace = FollowPace(interval: interval ?? usual, isAsked: interval != nil || line != nil)
    guard line != nil else { return }
    signals = SignalWatch(SignalWatch.ending + [SIGWINCH, SIGCONT]) { [weak self] in self?.handle(signal: $0)
    }
  }

  private func run(as name: String) async throws(CommandError) -> ExitCode {
    let agent = try await AgentClient.open(for: name)
    self.agent = agent.withoutStart
    // First its end, so that nothing it tells is heard of an agent whose end was missed.
    let loss = try await agent.loss { [weak self] in self?.output.fail($0) }
    let news = try await agent.news { [weak self] news in
      // An agent that ends cannot answer any more; its end is told in a moment.
      if news.contains(.ending) { self?.isEnding = true }
      for case .seeked in news { self?.hasSought = true }
      self?.ask()
    }
    ask()
    defer {
      news.cancel()
      loss.cancel()
      tick?.cancel()
      line?.clear()
    }
    try await output.wait()
    guard let death else { return .done }
    line?.clear()
    return die(of: death)
  }

  private func handle(signal: Int32) {
    if signal == SIGCONT { line?.forget() }
    if signal == SIGWINCH || signal == SIGCONT { return show() }
    death = signal
    output.end()
    // Before the agent's first answer the command may not wait for the end of its output yet, so the signal ends it here.
    if answer == nil { _ = die(of: signal) }
  }

  // MARK: Asking

  private func ask() {
    guard !isEnding else { return }
    guard question == .none else { return question = .outdated }
    question = .underWay
    AgentLoop.task { [self] in
      repeat {
        question = .underWay
        await askOnce()
      } while question == .outdated && !isEnding
      question = .none
    }
  }

  private func askOnce() async {
    guard let agent else { return }
    let hadSought = hasSought
    hasSought = false
    do throws(CommandError) {
      answer = (try await form.status(of: agent), AgentLoop.now)
      if hadSought, moves { pace.placeChanged() }
      show()
    } catch {
      if !isEnding { output.fail(error) }
    }
  }

  // MARK: Writing

  private func show() {
    tick?.cancel()
    guard let answer else { return }
    var status = answer.status
    let age = AgentLoop.now - answer.time
    if status.state == .playing, let position = status.position { status.position = position + age }
    status.sleepLeft = status.sleepLeft.map { max(.zero, $0 - age) }
    if let line {
      line.draw(LivingLine.text(status, columns: line.columns).rendered(Printer.palette))
    } else {
      write(status)
    }
    guard status.state == .playing, moves, let position = status.position else { return }
    tick = AgentLoop.after(pace.wait(at: position)) { [weak self] in self?.show() }
  }

  /// Writes a line if its text has changed.
  private func write(_ status: StatusFace) {
    var still = status
    still.position = nil
    still.sleepLeft = sleepEnd(status)
    if pace.isDue(text(still), position: moves ? status.position : nil) { output.write(text(status)) }
  }

  /// When the sleep timer ends; nil if none runs. The same time as before, unless it was set anew: what is left of it is told only to the second.
  private func sleepEnd(_ status: StatusFace) -> Duration? {
    let end = status.sleepLeft.map { AgentLoop.now + $0 }
    if let end, let known = knownSleepEnd, ((end - .seconds(2))...(end + .seconds(2))).contains(known) {
      return known
    }
    knownSleepEnd = end
    return end
  }

  /// Whether the output shows the position in the track.
  private var moves: Bool {
    switch form {
    case .json: true
    case .human: pace.isAsked
    case .template(let template): template.names.contains { StatusField.named($0)?.moves == true }
    }
  }

  private func text(_ status: StatusFace) -> String {
    switch form {
    case .json: status.json.text
    case .human where moves: LivingLine.text(status, columns: Printer.columns ?? 80).rendered(Printer.palette)
    case .human: StatusText.shortLine(status).rendered(Printer.palette)
    case .template(let template): template.text(shown: Printer.shown) { StatusField.named($0)?.value(status) }
    }
  }
}

/// Decides when a followed status is due to be written. A track is divided into steps as long as the interval, and a line is written once in each
/// step.
struct FollowPace {
  let interval: Duration
  /// Whether the form for people shows the position too: it does on a terminal, and if the user has given an interval.
  let isAsked: Bool
  private var last: (text: String, step: Int?)?

  init(interval: Duration, isAsked: Bool = false) {
    (self.interval, self.isAsked) = (interval, isAsked)
  }

  /// Returns whether to write now; if so, counts it as written. `text` is the line without the parts that change by themselves; `position` is nil if
  /// the line does not show it.
  mutating func isDue(_ text: String, position: Duration?) -> Bool {
    let step = position.map { Int(max(0, $0 / interval)) }
    if let last, last == (text, step) { return false }
    last = (text, step)
    return true
  }

  /// Has the next status written in any case, because the place in the track has changed otherwise than with the time.
  mutating func placeChanged() { last = nil }

  /// The time until just after the beginning of the next step, so that none is skipped.
  func wait(at position: Duration) -> Duration {
    let steps = (max(.zero, position) / interval).rounded(.down)
    return max(.zero, interval * (steps + 1) - max(.zero, position)) + .milliseconds(5)
  }
}
