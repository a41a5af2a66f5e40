// SPDX-License-Identifier: MIT
package import AgentAccess
package import AgentLoop
package import CommandModel
import FaceModel
import JobLogic
import Synchronization

/// The shared part of a ``MusicPlayer`` and a ``MediaLibrary``: the connection to the player, and the listeners to its news.
///
/// The connection is opened at the first use, and opened again after it was lost. While nobody listens, nothing is subscribed.
@AgentLoop
package final class PlayerCore {
  /// Opens a connection to a player.
  private let open: @AgentLoop () async -> Result<any AgentTransport, CommandError>
  /// The timer that renews a held seek; nil if none is held.
  var held: LoopTimer?
  /// Counts each beginning and each end of a held seek. A renewal that was under way meanwhile sees by it that its seek is over.
  var holds = 0
  /// The number that the last listener was given; each has its own.
  private nonisolated let numbers = Atomic<Int>(0)
  private var client: AgentClient?
  private var opening: Task<Result<AgentClient, CommandError>, Never>?
  private lazy var news = PlayerNews(of: self)

  /// A core whose connection to the player is opened by `open`.
  package nonisolated init(
    _ open: @escaping @AgentLoop () async -> Result<any AgentTransport, CommandError>
  ) {
    self.open = open
  }

  // MARK: Asking and ordering

  /// Runs `body` on the loop with a client, and returns its result. If the task is cancelled, `body` is cancelled too. Safe on any thread.
  nonisolated func ask<Answer: Sendable>(
    _ body: @escaping @Sendable @AgentLoop (AgentClient) async throws(CommandError) -> Answer
  ) async throws(MusicError) -> Answer {
    if Task.isCancelled { throw .cancelled }
    let task = asking(body)
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    do throws(MusicError) { return try result.get() } catch {
      throw Task.isCancelled ? .cancelled : error
    }
  }

  /// The same, but `body` runs to its end even in a task that was cancelled.
  nonisolated func askInAnyCase<Answer: Sendable>(
    _ body: @escaping @Sendable @AgentLoop (AgentClient) async throws(CommandError) -> Answer
  ) async throws(MusicError) -> Answer {
    try await asking(body).value.get()
  }

  private nonisolated func asking<Answer: Sendable>(
    _ body: @escaping @Sendable @AgentLoop (AgentClient) async throws(CommandError) -> Answer
  ) -> Task<Result<Answer, MusicError>, Never> {
    AgentLoop.runOnOwnThread()
    return AgentLoop.task {
      do throws(CommandError) {
        let client = try await self.connected()
        // Whoever has begun to listen before hears what this order does.
        await AgentLoop.waitUnlessCancelled { await self.news.untilListening() }
        let answer = try await body(client)
        // What the player has told before it answered is known to whoever reads on.
        self.news.tellNow()
        return .success(answer)
      } catch {
        return .failure(self.failure(error))
      }
    }
  }

  private func failure(_ error: CommandError) -> MusicError {
    // For a player inside this process, an order of the command line is no remedy: it would go to the session's player.
    guard client?.transport.isOfSession == false else { return MusicError(error) }
    return MusicError(error.advising(""))
  }

  /// The client, on a connection that is open.
  func connected() async throws(CommandError) -> AgentClient {
    if let client, client.isConnected { return client }
    client = nil
    if opening == nil {
      opening = AgentLoop.task {
        let result = await self.open().map { AgentClient($0, for: "player") }
        (self.opening, self.client) = (nil, try? result.get())
        return result
      }
    }
    // Several tasks may wait for the same connection. One that is cancelled meanwhile leaves it to the others.
    let way = Promise<Result<AgentClient, CommandError>>()
    await AgentLoop.waitUnlessCancelled { [opening] in
      if let result = await opening?.value { way.keep(result) }
    }
    guard let result = way.value else {
      throw CommandError(.unavailable, "player", "nobody waits for it any more")
    }
    return try result.get()
  }

  // MARK: Listening

  /// The values of a part of the player's status, without repeating equal ones. Safe on any thread.
  nonisolated func values<Value: Sendable & Equatable>(
    needsPlace: Bool = false, _ value: @escaping @Sendable (PlayerStatus) -> Value
  ) -> Updates<Value> {
    updates(keeping: 1) { Latest(value, needsPlace: needsPlace, $0) }
  }

  /// The values of something that is in no status: it is asked for once, and then taken from the news. Safe on any thread.
  nonisolated func values<Value: Sendable & Equatable>(
    asking ask: @escaping @AgentLoop (AgentClient) async throws(CommandError) -> Value,
    _ value: @escaping @Sendable (AgentNews) -> Value?
  ) -> Updates<Value> {
    updates(keeping: 1) { Asked(ask, value, $0) }
  }

  /// The events of a player, of which some wait for a slow reader. `change` is told when another player comes in the place of one. Safe on any thread.
  nonisolated func events<Event: Sendable>(
    whenAnotherComes change: Event? = nil, _ event: @escaping @Sendable (AgentNews) -> Event?
  ) -> Updates<Event> {
    updates(keeping: 16) { Happening(event, whenAnotherComes: change, $0) }
  }

  /// Whether a player is there. Safe on any thread.
  nonisolated func availabilities() -> Updates<PlayerAvailability> {
    updates(keeping: 1) { Availability($0) }
  }

  /// How a job stands, until it is over. Safe on any thread.
  nonisolated func updates(of job: JobID) -> Updates<MediaLibrary.Job> {
    updates(keeping: 1) { JobProgress(job, $0) }
  }

  /// The position in the current track, at this interval, and at once when it jumps or another track plays. Safe on any thread.
  nonisolated func positions(every interval: Duration) -> Updates<Duration> {
    updates(keeping: 1) { Position(every: interval, $0) }
  }

  private nonisolated func updates<Element: Sendable>(
    keeping most: Int,
    _ listener: @escaping @Sendable @AgentLoop (AsyncStream<Element>.Continuation) -> any Listener
  ) -> Updates<Element> {
    Updates(keeping: most) { [self] continuation in
      let number = numbers.add(1, ordering: .relaxed).newValue
      AgentLoop.runOnOwnThread()
      // This is set before the reader gets the sequence, so that its end always comes after the beginning below.
      continuation.onTermination = { _ in AgentLoop.task { self.news.remove(number) } }
      AgentLoop.task { self.news.add(listener(continuation), number) }
    }
  }
}

extension AgentClient {
  /// Whether calls can be made without connecting again.
  fileprivate var isConnected: Bool { transport.isOpen }
}

/// Values that come one after another until the task that reads them ends.
///
/// Of values, a slow reader gets the newest one; of events, such as interruptions, up to 16 wait for it. Each loop over the sequence has a subscription of its own.
public struct Updates<Element: Sendable>: AsyncSequence, Sendable {
  /// Reading never throws; the sequence ends instead.
  public typealias Failure = Never

  private let most: Int
  private let begin: @Sendable (AsyncStream<Element>.Continuation) -> Void

  /// A sequence of the values that `begin` sends. At most `most` of them wait for the reader; older ones are dropped.
  init(keeping most: Int, _ begin: @escaping @Sendable (AsyncStream<Element>.Continuation) -> Void) {
    (self.most, self.begin) = (most, begin)
  }

  /// Reads the values one after another.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: AsyncStream<Element>.Iterator

    /// The next value; nil when the sequence has ended.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await base.next(isolation: actor)
    }
  }

  /// Begins a subscription.
  public func makeAsyncIterator() -> Iterator {
    let stream = AsyncStream(bufferingPolicy: .bufferingNewest(most)) { begin($0) }
    return Iterator(base: stream.makeAsyncIterator())
  }
}
