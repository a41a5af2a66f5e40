// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
import CommandModel
import FaceModel
import JobLogic
import PlaybackLogic

/// Takes the status and the news of a player, and sends its part of them to one sequence that a program reads.
@AgentLoop
protocol Listener: AnyObject {
  /// Whether it shows the place in the track, so that this is looked at again after each pause.
  var needsPlace: Bool { get }
  func hear(_ status: PlayerStatus)
  func hear(_ news: AgentNews)
  /// Takes whether there is an agent that answers, whenever that is found out; it may be as before.
  func hear(_ availability: PlayerAvailability)
  /// Lets the listener ask the agent for what it tells and is in no status. Called for each agent, and perhaps several times.
  func catchUp(_ client: AgentClient) async
  /// Makes the listener forget the last value, so that an equal one is told again.
  func forget()
  /// Ends the sequence of values that a program reads, because nothing more will come.
  func finish()
}

extension Listener {
  var needsPlace: Bool { false }
  func hear(_ status: PlayerStatus) {}
  func hear(_ news: AgentNews) {}
  func hear(_ availability: PlayerAvailability) {}
  func catchUp(_ client: AgentClient) async {}
  func forget() {}
}

/// A listener that takes one value from each status, and sends it if it differs from the last one.
@AgentLoop
final class Latest<Value: Sendable & Equatable>: Listener {
  let needsPlace: Bool
  private let value: @Sendable (PlayerStatus) -> Value
  private let continuation: AsyncStream<Value>.Continuation
  private var last: Value?

  init(
    _ value: @escaping @Sendable (PlayerStatus) -> Value, needsPlace: Bool,
    _ continuation: AsyncStream<Value>.Continuation
  ) {
    (self.value, self.needsPlace, self.continuation) = (value, needsPlace, continuation)
  }

  func hear(_ status: PlayerStatus) {
    let value = value(status)
    guard value != last else { return }
    last = value
    continuation.yield(value)
  }

  func forget() { last = nil }
  func finish() { continuation.finish() }
}

/// A listener to a value that is in no status: it asks each agent for it once, and then takes it from the news.
@AgentLoop
final class Asked<Value: Sendable & Equatable>: Listener {
  private let ask: @AgentLoop (AgentClient) async throws(CommandError) -> Value
  private let value: @Sendable (AgentNews) -> Value?
  private let continuation: AsyncStream<Value>.Continuation
  private var last: Value?
  private var isAsked = false
  /// Counts what makes an answer that is under way outdated.
  private var changes = 0

  init(
    _ ask: @escaping @AgentLoop (AgentClient) async throws(CommandError) -> Value,
    _ value: @escaping @Sendable (AgentNews) -> Value?, _ continuation: AsyncStream<Value>.Continuation
  ) {
    (self.ask, self.value, self.continuation) = (ask, value, continuation)
  }

  func catchUp(_ client: AgentClient) async {
    guard !isAsked else { return }
    isAsked = true
    let before = changes
    let answer = try? await ask(client)
    guard changes == before else { return }
    if let answer { tell(answer) } else { isAsked = false }
  }

  func hear(_ news: AgentNews) {
    guard let value = value(news) else { return }
    changes += 1
    isAsked = true
    tell(value)
  }

  private func tell(_ value: Value) {
    guard value != last else { return }
    last = value
    continuation.yield(value)
  }

  func forget() {
    changes += 1
    (last, isAsked) = (nil, false)
  }

  func finish() { continuation.finish() }
}

/// A listener that takes the events of one kind from the news.
@AgentLoop
final class Happening<Event: Sendable>: Listener {
  private let event: @Sendable (AgentNews) -> Event?
  private let continuation: AsyncStream<Event>.Continuation
  /// The event that stands for what may have been missed between two agents; nil if there is none.
  private let change: Event?
  private var wasGone = false

  init(
    _ event: @escaping @Sendable (AgentNews) -> Event?, whenAnotherComes change: Event?,
    _ continuation: AsyncStream<Event>.Continuation
  ) {
    (self.event, self.change, self.continuation) = (event, change, continuation)
  }

  func hear(_ news: AgentNews) { if let event = event(news) { continuation.yield(event) } }

  func hear(_ availability: PlayerAvailability) {
    guard availability == .available else { return wasGone = true }
    if wasGone, let change { continuation.yield(change) }
    wasGone = false
  }

  func finish() { continuation.finish() }
}

/// A listener that sends whether there is an agent that answers, when that changes.
@AgentLoop
final class Availability: Listener {
  private let continuation: AsyncStream<PlayerAvailability>.Continuation
  private var last: PlayerAvailability?

  init(_ continuation: AsyncStream<PlayerAvailability>.Continuation) { self.continuation = continuation }

  func hear(_ availability: PlayerAvailability) {
    guard availability != last else { return }
    last = availability
    continuation.yield(availability)
  }

  func finish() { continuation.finish() }
}

/// A listener to one job: it asks the agent for it once, takes it from the news then, and ends behind the job's end. The number belongs to one agent: the
/// next one may have another job of this number.
@AgentLoop
final class JobProgress: Listener {
  private let id: JobID
  private let continuation: AsyncStream<MediaLibrary.Job>.Continuation
  private var isKnown = false

  init(_ id: JobID, _ continuation: AsyncStream<MediaLibrary.Job>.Continuation) {
    (self.id, self.continuation) = (id, continuation)
  }

  func catchUp(_ client: AgentClient) async {
    guard !isKnown, let jobs = try? await client.jobs() else { return }
    // News that has come meanwhile is newer than the answer.
    guard !isKnown else { return }
    if let job = jobs.first(where: { $0.id == id }) { tell(job) } else { continuation.finish() }
  }

  func hear(_ news: AgentNews) { if case .job(let job) = news, job.id == id { tell(job) } }

  private func tell(_ job: Job) {
    isKnown = true
    continuation.yield(MediaLibrary.Job(job))
    if job.state.isOver { continuation.finish() }
  }

  func forget() { continuation.finish() }
  func finish() { continuation.finish() }
}

/// A listener that sends the position in the track at an interval while it moves. While it stands still no timer runs.
@AgentLoop
final class Position: Listener {
  let needsPlace = true
  private let interval: Duration
  private let continuation: AsyncStream<Duration>.Continuation
  private var place: Place?
  private var timer: LoopTimer?

  /// The shortest interval; shorter ones would not be visible.
  private static let shortest = Duration.milliseconds(10)

  init(every interval: Duration, _ continuation: AsyncStream<Duration>.Continuation) {
    (self.interval, self.continuation) = (max(Self.shortest, interval), continuation)
  }

  func hear(_ status: PlayerStatus) {
    guard status.place != place else { return }
    place = status.place
    tell()
  }

  private func tell() {
    timer?.cancel()
    timer = nil
    guard let place else { return }
    continuation.yield(place.position(at: Place.now))
    if place.isMoving { timer = AgentLoop.after(interval) { [weak self] in self?.tell() } }
  }

  func forget() {
    place = nil
    timer?.cancel()
  }

  func finish() {
    timer?.cancel()
    continuation.finish()
  }
}
