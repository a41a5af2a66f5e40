// SPDX-License-Identifier: MIT
import AgentLoop
import Glibc
import Synchronization

/// The agent loop on a thread of its own, for tests: in the program it is the main thread, which here belongs to the test
/// runner. It starts at first use and lasts as long as the process.
package enum LoopThread {
  private static let started: Void = {
    var thread = pthread_t()
    let failure = unsafe pthread_create(
      &thread, nil,
      { _ in
        while true { _ = AgentLoop.run() }
      }, nil)
    precondition(failure == 0, "no thread for the agent loop: \(failure)")
  }()

  /// Sees to it that the loop runs. Any thread.
  package static func start() { started }
}

/// Runs `body` on the agent loop and returns what it returns.
///
/// Throws when that has not ended within `patience`. The end of the test's time limit cancels the body; if it goes on all the
/// same, it is left behind. `what` is what the error names; without it, that is the place of the call.
package func onLoop<Success: Sendable>(
  _ what: String? = nil, within patience: Duration = .patience * 3, file: String = #fileID, line: Int = #line,
  _ body: sending @escaping @AgentLoop () async throws -> Success
) async throws -> Success {
  LoopThread.start()
  let what = what ?? "what \(file):\(line) runs on the loop"
  let outcome = Outcome<Success>()
  let task = AgentLoop.task {
    let timer = AgentLoop.after(patience) {
      outcome.set(.failure(KitError("\(what) has not ended within \(patience)")))
    }
    do { outcome.set(.success(try await body())) } catch { outcome.set(.failure(error)) }
    timer.cancel()
  }
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { outcome.wait($0) }
  } onCancel: {
    task.cancel()
    AgentLoop.task {
      // Time for the body to say what it waits for.
      AgentLoop.after(.seconds(5)) {
        outcome.set(.failure(KitError("\(what) had not ended when the test's time was over")))
      }
    }
  }
}

/// What a body ends with, or why nobody waits for that any longer: whichever comes first.
private final class Outcome<Success: Sendable>: Sendable {
  private struct State {
    var result: Result<Success, any Error>?
    var waiting: CheckedContinuation<Success, any Error>?
  }

  private let state = Mutex(State())

  func set(_ result: Result<Success, any Error>) {
    let waiting = state.withLock { state -> CheckedContinuation<Success, any Error>? in
      guard state.result == nil else { return nil }
      state.result = result
      return state.waiting
    }
    waiting?.resume(with: result)
  }

  /// Once only.
  func wait(_ continuation: CheckedContinuation<Success, any Error>) {
    let result = state.withLock { state in
      state.waiting = continuation
      return state.result
    }
    if let result { continuation.resume(with: result) }
  }
}
