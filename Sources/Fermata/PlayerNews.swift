// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
import CommandModel
import FaceModel
import JobLogic
import PlaybackLogic

/// Follows a player's status while somebody listens, and tells each listener its part.
///
/// The player is asked for its status once, and then its news is followed. When another agent comes, it is asked again; while there is none, nothing
/// is told.
@AgentLoop
final class PlayerNews {
  private weak let core: PlayerCore?
  private var listeners: [Int: any Listener] = [:]
  private var status: PlayerStatus?
  /// Whether there is an agent that answers; nil until that is known.
  private var availability: PlayerAvailability?
  private var subscriptions: [any AgentSubscription] = []
  /// Counts the subscriptions, so that an answer that belongs to an earlier one is recognised.
  private var round = 0
  /// How often news has come. If news comes while the status is asked for, the answer may be older than the news, so it is asked for once more.
  private var newsCount = 0
  /// Whether a subscription has begun, and the player's signals do not come yet.
  private var isBeginning = false
  private let beginning = WaitingCallers()
  /// Whether the agent has told that it ends.
  private var isEnding = false
  /// How often the agent was asked for its status without having answered yet.
  private var questions = 0
  /// The waits before an agent that has not answered is asked again.
  private var retry = Backoff(first: .seconds(1), limit: .seconds(60))
  /// Whether the program that uses this library is to be told the new status in the loop's next turn.
  private var willTell = false

  init(of core: PlayerCore) { self.core = core }

  /// Adds a listener under this number, until it is removed.
  func add(_ listener: some Listener, _ number: Int) {
    listeners[number] = listener
    if let status { listener.hear(status) }
    if let availability { listener.hear(availability) }
    if listeners.count == 1 { begin() } else if !isBeginning { catchUp() }
  }

  /// Returns when everything that the player tells from then on reaches the listeners that were added before.
  func untilListening() async { if isBeginning { await beginning.wait() } }

  func remove(_ number: Int) {
    guard let listener = listeners.removeValue(forKey: number) else { return }
    listener.finish()
    if listeners.isEmpty { end() }
  }

  private func end() {
    round += 1
    for subscription in subscriptions { subscription.cancel() }
    subscriptions = []
    begun()
    // Nobody hears now whether an agent that was ending has gone.
    (status, availability, isEnding) = (nil, nil, false)
  }

  private func begin() {
    round += 1
    isBeginning = true
    AgentLoop.task { [weak self, round] in
      do throws(CommandError) { try await self?.subscribe(round) } catch { self?.over(round, error) }
    }
  }

  private func begun() {
    isBeginning = false
    beginning.resume()
  }

  /// Ends all listeners' sequences, because the player cannot be reached.
  private func over(_ round: Int, _ error: CommandError) {
    guard round == self.round else { return }
    note(.unavailable(MusicError(error)))
    let all = listeners
    listeners = [:]
    end()
    for listener in all.values { listener.finish() }
  }

  private func subscribe(_ round: Int) async throws(CommandError) {
    guard let client = try await core?.connected() else { return }
    let presence = try await client.presence { [weak self] in self?.hear($0) }
    guard keep(presence, round) else { return }
    let news = try await client.newsWithoutStart { [weak self] in self?.hear($0) }
    guard keep(news, round) else { return }
    begun()
    // An agent that cannot be started now, or does not answer, ends nothing: the next one is heard of.
    do throws(CommandError) { try await client.start() } catch {
      guard round == self.round else { return }
      note(.unavailable(MusicError(error)))
      if try await !client.isAgentThere() { return }
    }
    await askUntilAnswered(client.withoutStart, round)
  }

  /// Lets the listeners know whether there is an agent that answers.
  private func note(_ availability: PlayerAvailability) {
    self.availability = availability
    for listener in listeners.values { listener.hear(availability) }
  }

  /// Stores a subscription until it is ended. If another one has begun or nobody listens any more, ends it at once and returns false.
  private func keep(_ subscription: any AgentSubscription, _ round: Int) -> Bool {
    guard round == self.round else {
      subscription.cancel()
      return false
    }
    subscriptions.append(subscription)
    return true
  }

  private func ask(_ client: AgentClient, _ round: Int) async throws(CommandError) {
    var asked: Int
    var face: StatusFace
    questions += 1
    defer { questions -= 1 }
    repeat {
      asked = newsCount
      face = try await client.status()
      guard round == self.round else { return }
    } while asked != newsCount && !isEnding
    // An agent that only guards plays nothing. It answers the question, but its volume and modes mean nothing.
    guard !face.onlyGuards else {
      note(.unavailable(MusicError(.unavailable, "player", StatusFace.guardRefusal)))
      return self.status = nil
    }
    retry.reset()
    let edits = status?.queue.edits ?? 0
    status = PlayerStatus(face, at: AgentLoop.now)
    status?.queue.edits = edits
    note(.available)
    tell()
    for listener in listeners.values { await listener.catchUp(client) }
  }

  /// Lets listeners ask for what is in no status.
  private func catchUp() {
    AgentLoop.task { [weak self, round] in
      guard let self, let client = try? await core?.connected(), round == self.round else { return }
      for listener in listeners.values { await listener.catchUp(client.withoutStart) }
    }
  }

  private func tell() {
    guard let status else { return }
    for listener in listeners.values { listener.hear(status) }
  }

  /// Tells listeners the status once all news that has come is in it. What changed at once comes in several signals, and between two of them a row
  /// might be current that is not there any more.
  private func tellSoon() {
    guard !willTell else { return }
    willTell = true
    AgentLoop.after(.zero) { [weak self] in self?.tellNow() }
  }

  /// Tells listeners now what they would be told in the loop's next turn.
  func tellNow() {
    guard willTell else { return }
    willTell = false
    tell()
  }

  private func hear(_ presence: AgentPresence) {
    // An answer that is under way is of the agent before.
    newsCount += 1
    switch presence {
    case .went:
      tellNow()
      (status, isEnding) = (nil, false)
      // Nothing is known of where the listener is.
      for listener in listeners.values { listener.forget() }
      note(.unavailable(MusicError(.unavailable, "player", "it has ended")))
    case .came:
      // The new agent's status is told once, even if it is the same as before.
      for listener in listeners.values { listener.forget() }
      retry.reset()
      askAgain()
    case .never: over(round, CommandError(.unavailable, "player", "the session bus is gone"))
    }
  }

  private func askAgain() {
    AgentLoop.task { [weak self, round] in
      guard let self, let client = try? await core?.connected() else { return }
      await askUntilAnswered(client.withoutStart, round)
    }
  }

  /// Asks for the status, and again later if the agent is there and does not answer: it may be stopped or busy for a while. If it has gone, the next
  /// agent is asked when it comes.
  private func askUntilAnswered(_ client: AgentClient, _ round: Int) async {
    let failure: CommandError
    do throws(CommandError) { return try await ask(client, round) } catch { failure = error }
    guard round == self.round, status == nil, (try? await client.isAgentThere()) == true else { return }
    note(.unavailable(MusicError(failure)))
    AgentLoop.after(retry.next()) { [weak self] in
      if let self, round == self.round, status == nil, questions == 0 { askAgain() }
    }
  }

  private func hear(_ news: [AgentNews]) {
    newsCount += 1
    // Nobody is asked who cannot answer any more.
    if news.contains(.ending) { isEnding = true }
    // An agent that did not answer before is there again.
    if !isEnding, status == nil, questions == 0 { askAgain() }
    let now = AgentLoop.now
    for news in news {
      for listener in listeners.values { listener.hear(news) }
      status?.follow(news, at: now)
    }
    tellSoon()
    // The sound begins a moment after the player says that it plays. Without a look at the true place at each pause, these moments would add up.
    if news.contains(where: \.stopsPlace), listeners.values.contains(where: \.needsPlace), !isEnding {
      askAgain()
    }
  }
}

extension AgentNews {
  /// Whether the place in the track stands since then.
  fileprivate var stopsPlace: Bool {
    if case .state(let state, why: _) = self { state != .playing } else { false }
  }
}

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
