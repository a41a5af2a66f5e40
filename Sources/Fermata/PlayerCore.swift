// SPDX-License-Identifier: MIT
package import AgentAccess
package import AgentLoop
package import CommandModel
import FaceModel
import Synchronization

/// What stands behind a ``MusicPlayer`` and a ``MediaLibrary``: the way to the player, and those who listen to it.
///
/// The way is opened at the first use, and opened anew when it was lost. While nobody listens nothing is subscribed.
@AgentLoop
package final class PlayerCore {
  /// Opens a way to the player.
  private let open: @AgentLoop () async -> Result<any AgentTransport, CommandError>
  /// Runs while a seek is held.
  var held: LoopTimer?
  /// Counts those who have listened.
  private nonisolated let numbers = Atomic<Int>(0)
  private var client: AgentClient?
  private var opening: Task<Result<AgentClient, CommandError>, Never>?
  private lazy var news = PlayerNews(of: self)

  /// What stands behind the player to which `open` opens a way.
  package nonisolated init(
    _ open: @escaping @AgentLoop () async -> Result<any AgentTransport, CommandError>
  ) {
    self.open = open
  }

  // MARK: Asking and ordering

  /// Runs `body` on the loop with a client, and returns what it returns. Ends it when the task is cancelled. Any thread.
  nonisolated func ask<Answer: Sendable>(
    _ body: @escaping @Sendable @AgentLoop (AgentClient) async throws(CommandError) -> Answer
  ) async throws(MusicError) -> Answer {
    AgentLoop.runOnOwnThread()
    let task = AgentLoop.task { () -> Result<Answer, CommandError> in
      do throws(CommandError) { return .success(try await body(try await self.connected())) } catch {
        return .failure(error)
      }
    }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    do throws(CommandError) { return try result.get() } catch { throw MusicError(error) }
  }

  /// The client, on a way that stands.
  func connected() async throws(CommandError) -> AgentClient {
    if let client, client.isConnected { return client }
    client = nil
    if opening == nil {
      opening = AgentLoop.task { [open] in
        await open().map { AgentClient($0, for: "player", warn: { _ in }) }
      }
    }
    // Several may wait for the same way.
    let result = await opening?.value
    opening = nil
    client = try result?.get()
    guard let client else { throw CommandError(.unavailable, "player", "there is no way to it") }
    return client
  }

  // MARK: Listening

  /// The values that a player shows, one after another, without repeating one. Any thread.
  nonisolated func values<Value: Sendable & Equatable>(
    _ value: @escaping @Sendable (PlayerStatus) -> Value
  ) -> Updates<Value> {
    updates(keeping: 1) { Latest(value, $0) }
  }

  /// What happens to a player; so many events wait for a slow reader. Any thread.
  nonisolated func events<Event: Sendable>(
    keeping most: Int = 16, _ event: @escaping @Sendable (AgentNews) -> Event?
  ) -> Updates<Event> {
    updates(keeping: most) { Happening(event, $0) }
  }

  /// The positions of what plays, each time this long after the last, and at once when it jumps or something else plays. Any thread.
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
      // Set before the reader has the sequence, so its end always comes after the beginning below.
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
/// Nothing is stored up for a slow reader: it gets the newest value. Each loop over it listens for itself.
public struct Updates<Element: Sendable>: AsyncSequence, Sendable {
  /// Reading never fails; the sequence ends instead.
  public typealias Failure = Never

  private let most: Int
  private let begin: @Sendable (AsyncStream<Element>.Continuation) -> Void

  /// Values that `begin` sends. At most so many wait for the reader; older ones are dropped.
  init(keeping most: Int, _ begin: @escaping @Sendable (AsyncStream<Element>.Continuation) -> Void) {
    (self.most, self.begin) = (most, begin)
  }

  /// Reads one value after another.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: AsyncStream<Element>.Iterator

    /// The next value; nil when the sequence has ended.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await base.next(isolation: actor)
    }
  }

  /// Begins to listen.
  public func makeAsyncIterator() -> Iterator {
    let stream = AsyncStream(bufferingPolicy: .bufferingNewest(most)) { begin($0) }
    return Iterator(base: stream.makeAsyncIterator())
  }
}
