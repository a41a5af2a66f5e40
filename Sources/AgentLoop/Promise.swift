// SPDX-License-Identifier: MIT

/// A value that comes once, and the task on the loop that waits for it.
///
/// This is the way from a callback to a task. A task that found no value must not be told of it between that look and its rest: the loop may do other
/// jobs before the task has come to rest. So the look is made at the very moment of the rest, here and nowhere else.
@AgentLoop
package final class Promise<Value> {
  /// The value; nil until it has come.
  package private(set) var value: Value?
  private var resume: (() -> Void)?

  package init() {}

  /// Has the waiting task go on with this value. Does nothing if there is one already.
  package func keep(_ value: Value) {
    guard self.value == nil else { return }
    self.value = value
    resume?()
    resume = nil
  }

  /// Waits for the value. Only one task may wait.
  package func get() async -> Value {
    await unsafe withUnsafeContinuation { (rest: UnsafeContinuation<Void, Never>) in
      if value == nil { resume = { unsafe rest.resume() } } else { unsafe rest.resume() }
    }
    guard let value else { preconditionFailure("resumed without a value") }
    return value
  }
}

extension Promise<Void> {
  package func keep() { keep(()) }
}

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

  /// Returns when the body has, or at once when the calling task is cancelled; the body then goes on by itself.
  @AgentLoop package static func waitUnlessCancelled(for body: @escaping @AgentLoop () async -> Void) async {
    let end = Promise<Void>()
    task {
      await body()
      end.keep()
    }
    await withTaskCancellationHandler {
      await end.get()
    } onCancel: {
      task { end.keep() }
    }
  }

  /// Returns after this time.
  @AgentLoop package static func pause(_ time: Duration) async { await WaitingCallers().wait(atMost: time) }
}
