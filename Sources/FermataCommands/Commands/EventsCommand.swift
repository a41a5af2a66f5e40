// SPDX-License-Identifier: MIT
import AudioModel
import AgentAccess
import BusIO
import CommandModel
import FaceModel
import JobLogic
import MediaModel
import PlaybackLogic

/// `fermata events`.
struct EventsCommand: Command {
  let json: Bool

  /// If a queue change has more rows than this, they are not listed one by one.
  static let mostRows = 10_000

  static let definition = CommandDefinition(
    "events", summary: "Write what happens, one line each, until Ctrl-C",
    discussion: [
      """
      As JSON, each line is an object with `time` and `event`, one of `state`, `nowPlaying`, `coding`, `volume`, `muted`, `modes`, \
      `seeked`, `queue`, `row`, `items`, `skipped`, `endedEarly`, `route`, `routeChange`, `guard`, `interruption`, `interruptions`, `callers`, `duckedFor`, `library`, `job`, `pads`, \
      `sleep`, `stopAfterCurrent`, `category`, `ducked`, `stored` and `ending`, the agent's last. `skipped` is for what can't be played, `endedEarly` for what broke off, with the \
      `position` where. `stored` is false as soon as changes cannot be stored, so that they would be lost at the agent's end, and true when they can be again. \
      If the command fails, its last line is an object with `error` instead.
      """,
      """
      Of `queue`, `added` and `removed` are lists of `{"row","entry"}` and `moved` is a list of `{"from","to"}`; rows count from 1, \
      those of `removed` as they were before. All three are always there; `length` is that of the queue. After more than \
      \(mostRows) rows, after very many that do not stand together, as by `fermata shuffle --now`, and after each `fermata queue sort` and \
      its undo, there is `"replaced":true` instead: list the queue anew.
      """,
    ],
    options: [.json], read: Self.init)

  init(_ parsed: ParsedCommand) { json = parsed.has(.json) }

  func run(as name: String) throws(CommandError) -> ExitCode {
    try withAgent(name) { agent throws(CommandError) in
      let output = EndlessOutput()
      var lines = EventLines()
      // First its end, so that nothing it tells is heard of an agent whose end was missed.
      let loss = try await agent.loss { output.fail($0) }
      let subscription = try await agent.news { news in
        for news in news {
          let line = json ? news.json(at: .now).text : lines.line(news, .now)
          if let line { output.write(line) }
        }
      }
      defer {
        subscription.cancel()
        loss.cancel()
      }
      try await output.wait()
    }
  }
}

/// Formats events for a person, one line each with the time of day. The same thing is often reported by several events: an interruption and the state
/// that it causes, a lost output and the pause. An event that says the same as a recent line gets no line.
struct EventLines {
  private typealias Line = (news: AgentNews, text: String, moment: Moment)

  private static let soon = Duration.milliseconds(500)
  private var last: Line?
  /// The line for the last event about the state or an interruption, whether it was written or not.
  private var lastState: Line?
  /// The line for the last change of the output, whether it was written or not.
  private var lastRoute: Line?
  /// The line for the last file that was skipped, whether it was written or not.
  private var lastSkipped: Line?

  /// The line for an event; nil if a recent line said the same.
  mutating func line(_ news: AgentNews, _ moment: Moment) -> String? {
    // `row`, `coding` and `route` say nothing that the lines about the current track and the output do not say, and what changes in the course of an
    // interruption would say again what its beginning has said. The end of the agent also ends the command, which reports it.
    if news == .ending { return nil }
    switch news {
    case .row, .coding, .route, .interruptions, .callers, .duckedFor: return nil
    default: break
    }
    let text = Printer.shown(text(news, moment))
    let former = news.isOfState ? lastState : last
    let isRepeated = isRecent(former, moment) && former?.text == text
    let isSaid = isRepeated || isImplied(news, moment)
    last = (news, text, moment)
    if news.isOfState { lastState = last }
    if case .routeChange = news { lastRoute = last }
    if case .skipped = news { lastSkipped = last }
    return isSaid ? nil : "\(moment.clock)  \(text)"
  }

  private func isRecent(_ line: Line?, _ moment: Moment) -> Bool {
    line.map { moment.time(since: $0.moment) < Self.soon } ?? false
  }

  /// Whether a recent line says the same in other words.
  private func isImplied(_ news: AgentNews, _ moment: Moment) -> Bool {
    switch news {
    case .state(.playing, why: nil):
      guard isRecent(lastState, moment),
        case .interruptionEnded(_, _, let resumes, let isOverruled) = lastState?.news
      else { return false }
      return resumes || isOverruled
    case .state(.paused, why: "route"):
      guard isRecent(lastRoute, moment), case .routeChange(_, _, _, paused: true) = lastRoute?.news else {
        return false
      }
      return true
    case .itemsChanged(let items):
      guard isRecent(lastSkipped, moment), case .skipped(let entry, _, _) = lastSkipped?.news else {
        return false
      }
      return items.allSatisfy { $0.unplayable != nil && $0.entry == entry }
    case .nowPlaying(nil):
      guard isRecent(lastState, moment), case .state(.stopped, let why) = lastState?.news else {
        return false
      }
      return why == "finished" || why == "removed"
    default: return false
    }
  }

  private func text(_ news: AgentNews, _ moment: Moment) -> String {
    // The line about the output has just said that the server is back.
    if case .interruptionEnded(_, ["server"], shouldResume: true, _) = news, isRecent(lastRoute, moment),
      case .routeChange(.mediaServicesWereReset, _, _, _) = lastRoute?.news
    {
      return "the music goes on"
    }
    return EventText.text(news)
  }
}

extension AgentNews {
  /// Whether the event is about the playback state or about an interruption.
  fileprivate var isOfState: Bool {
    switch self {
    case .state, .interruptionBegan, .interruptionEnded: true
    default: false
    }
  }
}

/// Describes events for a person.
enum EventText {
  static func text(_ news: AgentNews) -> String {
    switch news {
    case .state(let state, let why): PlainWords.state(state, why)
    case .nowPlaying(let face): face.map { "now playing \($0.item.displayTitle)" } ?? "nothing is current"
    case .coding(let coding): coding?.text ?? "no file is open"
    case .volume(let volume): "volume \(StatusText.percent(volume))"
    case .muted(let isMuted): isMuted ? "muted" : "no longer muted"
    case .interruptions(let sources):
      "interrupted by \(sources.isEmpty ? "nothing" : sources.joined(separator: ", "))"
    case .callers(let programs):
      "heard from \(programs.isEmpty ? "nobody" : programs.joined(separator: ", "))"
    case .duckedFor(let source): source.map(PlainWords.meanwhile) ?? "no longer more quietly"
    case .stored(let isStored): isStored ? "the queue is stored again" : "the queue is not stored"
    case .modes(let repeats, let shuffle, let consumes):
      "repeat \(repeats.rawValue), shuffle \(shuffle.rawValue), consume \(consumes ? "on" : "off")"
    case .sleepTimer(let left): left.map { "pauses in \(ClockText.text($0))" } ?? "no sleep timer is set"
    case .stopsAfterCurrent(let stops):
      stops ? "stops after this track" : "no longer stops after this track"
    case .category(let category): "category \(category.rawValue)"
    case .ducked(let level):
      level.map { "quieter for another program, at \(StatusText.percent($0))" } ?? "as loud as before"
    case .route(let route): route.map { "the output is \(PlainWords.output($0))" } ?? "there is no output"
    case .seeked(let position): "at \(ClockText.text(position))"
    case .skipped(_, let url, let why): "skipped \(file(url)): \(PlainWords.refusal(why))"
    case .endedEarly(_, let url, let why, let place):
      "\(file(url)) ended early at \(ClockText.text(place)): \(why)"
    case .queue(let news): text(news)
    case .itemsChanged(let items):
      // Tags of files that can't be played have not been read.
      items.allSatisfy { $0.unplayable != nil }
        ? "can't be played: \(tracks(items.count))" : "tags read: \(tracks(items.count))"
    case .row(let row): row.map { "row \($0) is current" } ?? "no row is current"
    case .library(let added, let changed, let removed):
      "library: \(added) added, \(changed) changed, \(removed) removed"
    case .job(let job): text(job)
    case .pads(let pads): PlainWords.pads(pads)
    case .ending: "the agent ends"
    case .routeChange(let reason, let previous, let current, let paused):
      PlainWords.route(reason, from: previous, to: current, paused: paused) + (paused ? "; paused" : "")
    case .guarded(let player, let reason, let outcome, let previous):
      PlainWords.guarded(player, reason, outcome, lost: previous)
    // The same words as for the state that the interruption causes, so that `EventLines` can drop the second of the two.
    case .interruptionBegan(let source, _, wasPlaying: true): PlainWords.state(.interrupted, source)
    case .interruptionBegan(let source, _, wasPlaying: false): PlainWords.began(source)
    case .interruptionEnded(_, let sources, let resumes, let isOverruled):
      PlainWords.ended(sources, resumes: resumes, isOverruled: isOverruled)
    }
  }

  /// A file in the form in which somebody would type it.
  private static func file(_ url: String) -> String { (try? FilePath(uri: url))?.location ?? url }

  private static func text(_ job: Job) -> String {
    let count = job.total.map { "\(job.done) of \($0)" } ?? "\(job.done)"
    let progress = job.state == .running || job.state == .suspended ? ", \(count)" : ""
    return "job \(job.id.rawValue), \(job.title): \(job.state.rawValue)\(progress)"
      + (job.why.map { ": \($0)" } ?? "")
  }

  private static func text(_ news: QueueNews) -> String {
    let edit =
      switch news.edit {
      case .added(let runs): "\(tracks(count(runs))) added"
      case .removed(let runs): "\(tracks(count(runs))) removed"
      case .moved(let row, let count, let target): "\(tracks(count)) moved from row \(row) to \(target)"
      case .replaced: "the queue was replaced"
      }
    return "\(edit), \(tracks(news.length)) in the queue"
  }

  private static func count(_ runs: [RowRun]) -> Int { runs.reduce(0) { $0 + $1.count } }
  private static func tracks(_ count: Int) -> String { count == 1 ? "one track" : "\(count) tracks" }
}
