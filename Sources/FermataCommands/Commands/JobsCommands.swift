// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
import BusIO
import CommandModel
import FaceModel
import Glibc
import JobLogic
import TerminalIO

/// `fermata jobs`, which has commands of its own.
enum JobsCommands {
  static let definition = CommandDefinition(
    "jobs", summary: "Show or stop long work, such as scans",
    groups: [
      .init([
        JobsListCommand.definition, JobOrderCommand.cancel, JobOrderCommand.suspend, JobOrderCommand.resume,
      ])
    ],
    standard: "list")
}

/// `fermata jobs list`.
struct JobsListCommand: Command {
  let json: Bool

  static let definition = CommandDefinition(
    "list", summary: "List the jobs that wait or run, and those that ended last", options: [.json],
    read: { JobsListCommand(json: $0.has(.json)) })

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      let jobs = try await agent.jobs()
      try Printer.write(LibraryText.json(jobs), if: json) { LibraryText.lines(jobs, width: $0) }
    }
  }
}

/// `fermata jobs cancel` and the other orders to a job.
struct JobOrderCommand: Command {
  let order: JobBoard.Order
  let job: JobID

  private static let job = ArgumentDefinition(ValueDefinition("ID"), summary: "The number of a job")

  static let cancel = definition("cancel", .cancel, "End a job; what it has done so far stays")
  static let suspend = definition("suspend", .suspend, "Let a job wait until it is resumed")
  static let resume = definition("resume", .resume, "Let a job go on")

  private static func definition(
    _ word: String, _ order: JobBoard.Order, _ summary: String
  ) -> CommandDefinition {
    CommandDefinition(
      word, summary: summary, arguments: [job],
      read: { parsed throws(CommandError) in
        let number = try parsed.number(parsed.required(job), named: "job", in: 1...Int(UInt32.max))
        return JobOrderCommand(order: order, job: JobID(rawValue: UInt32(number)))
      })
  }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in try await agent.order(order, job) }
  }
}

/// What a command does after it has started a job. On a terminal it shows the job's progress until the end, and Ctrl-C cancels the job; in a pipe it
/// returns at once, unless told to wait.
struct JobFollowing {
  private let waits: Bool
  private let json: Bool
  /// What the job has done with each piece of its work, as a participle for messages: "read".
  private let verb: String

  private static let wait = OptionDefinition("wait", summary: "Wait for its end also where no terminal is")
  static let options = [wait, OptionDefinition.json]

  static let discussion = """
    On a terminal its progress is shown until it ends, and Ctrl-C cancels it; what was done until then is kept. In a pipe the command \
    returns at once, and `fermata jobs` shows how far it is.
    """

  init(_ parsed: ParsedCommand, verb: String = "read") {
    waits = parsed.has(Self.wait)
    json = parsed.has(.json)
    self.verb = verb
  }

  /// Starts a job with `start`. Then shows its progress, waits for its end, or returns at once. `name` is the command for error messages.
  func run(
    _ name: String, _ start: @escaping @AgentLoop (AgentClient) async throws(CommandError) -> JobID
  ) throws(CommandError) -> ExitCode {
    let shows = Terminal.isTerminal(STDOUT_FILENO) && !json
    return try withAgent(name) { agent throws(CommandError) in
      guard shows || waits else {
        let job = try await start(agent)
        return try Printer.write(.object(present: ["job": .integer(Int(job.rawValue))]), if: json) { _ in
          [StyledText("Job \(job.rawValue) has begun; 'fermata jobs' shows how far it is.")]
        }
      }
      let job = try await JobFollower(agent, shows: shows && LivingLine.isPossible).follow(start)
      // First, because of a job that failed only the error is written: the output is one document of JSON.
      try check(job, says: shows)
      if json {
        try Printer.write(JSONValue(wire: JobFace(job).wireValue) ?? .object([]), if: true, else: "")
      }
    }
  }

  private func check(_ job: Job, says: Bool) throws(CommandError) {
    switch job.state {
    case .failed: throw CommandError(.refused, job.title, job.why ?? "it failed")
    case .cancelled: throw CommandError(.refused, job.title, "cancelled; what was \(verb) is kept")
    default: if says { Printer.say("\(Printer.shown(job.title)): done, \(job.done) \(verb)\n") }
    }
  }
}

/// Waits for the end of one job, and shows its progress on a terminal. Only on the loop.
@AgentLoop
private final class JobFollower {
  private let agent: AgentClient
  private let shows: Bool
  private let line = LivingLine()
  private var last: [JobID: Job] = [:]
  private var job: JobID?
  /// Whether the agent has been asked to begin the job.
  private var isOrdered = false
  private var wasCancelled = false
  private let result = Promise<Result<Job, CommandError>>()

  init(_ agent: AgentClient, shows: Bool) {
    self.agent = agent
    self.shows = shows
  }

  /// Starts the job, and returns its final state.
  func follow(
    _ start: @AgentLoop (AgentClient) async throws(CommandError) -> JobID
  ) async throws(CommandError) -> Job {
    let signals = SignalWatch(SignalWatch.ending) { [weak self] in self?.cancel($0) }
    // This comes before the job starts, because a short job may be over before its number is known here.
    let news = try await agent.news { [weak self] in self?.hear($0) }
    let loss = try await agent.loss { [weak self] in self?.end(.failure($0)) }
    defer {
      news.cancel()
      loss.cancel()
      withExtendedLifetime((self, signals)) {}
    }
    if let result = result.value { return try result.get() }
    isOrdered = true
    let job = try await start(agent)
    self.job = job
    // Ctrl-C may have been pressed while the order was under way.
    if result.value != nil { try? await agent.order(.cancel, job) }
    // A job that waited already, and that this order has only joined, tells nothing until it begins.
    let others = last[job] == nil && shows ? try? await agent.jobs() : nil
    if let known = last[job] ?? others?.first(where: { $0.id == job }) { show(known) }
    let result = await self.result.get()
    line.clear()
    return try result.get()
  }

  private func hear(_ news: [AgentNews]) {
    for case .job(let job) in news {
      last[job.id] = job
      if job.id == self.job { show(job) }
    }
  }

  private func show(_ job: Job) {
    if job.state.isOver { return end(.success(job)) }
    guard shows else { return }
    line.draw(LibraryText.line(job, width: max(20, line.columns - 1)).rendered(Printer.palette))
  }

  /// How long a command that was interrupted waits to hear which job the agent has begun.
  private static let patience = Duration.seconds(1)

  /// Cancels the job. The wait goes on until its end is reported; a second signal ends the command without that.
  private func cancel(_ signal: Int32) {
    guard let job else { return cutShort(by: signal) }
    guard !wasCancelled else { return end(.failure(Self.interrupted)) }
    wasCancelled = true
    AgentLoop.task { [weak self, agent] in
      do throws(CommandError) { try await agent.order(.cancel, job) } catch { self?.end(.failure(error)) }
    }
  }

  /// Call for a signal that comes before the agent has said which job it has begun. If it was asked to begin one and says so soon, that job is
  /// cancelled. If not, or if the signal comes again, the signal ends the command.
  private func cutShort(by signal: Int32) {
    if !isOrdered || result.value != nil { _ = die(of: signal) }
    end(.failure(Self.interrupted))
    AgentLoop.after(Self.patience) { [weak self] in if self?.job == nil { _ = die(of: signal) } }
  }

  private static let interrupted = CommandError(
    .refused, "job", "interrupted", "'fermata jobs' shows whether it runs")

  private func end(_ result: Result<Job, CommandError>) { self.result.keep(result) }
}
