// SPDX-License-Identifier: MIT
import AgentLoop
import Glibc

/// The agent loop on a thread of its own, for tests: in the program it is the main thread, which here belongs to the test
/// runner. It starts at first use and lasts as long as the process.
public enum LoopThread {
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
  public static func start() { started }
}

/// Runs `body` on the agent loop and returns what it returns.
public func onLoop<Success: Sendable>(
  _ body: sending @escaping @AgentLoop () async throws -> Success
) async throws -> Success {
  LoopThread.start()
  return try await AgentLoop.task(throwing: body).value
}
