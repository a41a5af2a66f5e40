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
