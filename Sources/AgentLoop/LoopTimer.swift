// SPDX-License-Identifier: MIT

/// A call that the loop will make later. Letting go of it does not cancel it.
package struct LoopTimer: Hashable, Sendable {
  let id: TimerQueue.ID

  /// Makes sure that the call is not made any more; does nothing when it was.
  @AgentLoop package func cancel() { AgentLoop.executor.cancelTimer(id) }
}
