// SPDX-License-Identifier: MIT

/// A call that the loop will make later. Letting go of it does not cancel it.
package struct LoopTimer: Hashable, Sendable {
  let id: TimerQueue.ID

  /// Cancels the call; does nothing if it was made already.
  @AgentLoop package func cancel() { AgentLoop.executor.cancelTimer(id) }
}
