// SPDX-License-Identifier: MIT
import AgentAccess
import AgentLoop
import CommandModel
import FaceModel
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
