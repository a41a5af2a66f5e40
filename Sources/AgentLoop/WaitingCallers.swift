// SPDX-License-Identifier: MIT

/// Callers on the loop that wait for the same thing to happen, each no longer than it wants to.
@AgentLoop
package final class WaitingCallers {
  private var callers: [Promise<Void>] = []

  package init() {}

  /// Returns at the next `resume`, or after `limit`. Without a limit there must be a `resume`.
  package func wait(atMost limit: Duration? = nil) async {
    let caller = Promise<Void>()
    callers.append(caller)
    let timer = limit.map { AgentLoop.after($0) { [weak self] in self?.giveUp(caller) } }
    await caller.get()
    timer?.cancel()
  }

  /// Lets all go on that wait now, in the order in which they came.
  package func resume() {
    let all = callers
    callers = []
    for caller in all { caller.keep() }
  }

  private func giveUp(_ caller: Promise<Void>) {
    guard let index = callers.firstIndex(where: { $0 === caller }) else { return }
    callers.remove(at: index).keep()
  }
}

extension AgentLoop {
  /// Returns when the body has, but after `limit` in any case; the body then goes on by itself.
  @AgentLoop package static func wait(
    atMost limit: Duration, for body: @escaping @AgentLoop () async -> Void
  ) async {
    let caller = WaitingCallers()
    task {
      await body()
      caller.resume()
    }
    await caller.wait(atMost: limit)
  }

  /// Returns after this time.
  @AgentLoop package static func pause(_ time: Duration) async { await WaitingCallers().wait(atMost: time) }
}
