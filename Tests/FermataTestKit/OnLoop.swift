// SPDX-License-Identifier: MIT
import AgentLoop
import Synchronization

/// Runs `body` on the agent loop and returns its result.
///
/// Throws if `body` has not ended within `patience`. If the test's time limit passes, the body is cancelled; if it
/// continues nevertheless, it is abandoned. The error names `what`, or by default the place of the call.
package func onLoop<Success: Sendable>(
  _ what: String? = nil, within patience: Duration = .patience * 3, file: String = #fileID, line: Int = #line,
  _ body: sending @escaping @AgentLoop () async throws -> Success
) async throws -> Success {
  AgentLoop.runOnOwnThread()
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
      // Gives the body time to throw an error that says what it waits for.
      AgentLoop.after(.seconds(5)) {
        outcome.set(.failure(KitError("\(what) had not ended when the test's time was over")))
      }
    }
  }
}

/// The body's result, or the error why nobody waits for it any longer, whichever comes first.
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

  /// Waits for the result. Call it only once.
  func wait(_ continuation: CheckedContinuation<Success, any Error>) {
    let result = state.withLock { state in
      state.waiting = continuation
      return state.result
    }
    if let result { continuation.resume(with: result) }
  }
}
