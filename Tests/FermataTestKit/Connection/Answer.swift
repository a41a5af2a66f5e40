// SPDX-License-Identifier: MIT
import CPulse

/// Collects the answer to one operation. It is touched only with the connection's lock held. The thread that asked
/// owns it, and cancels the operation before it releases it.
final class Answer<Value> {
  private let bell: Bell
  private(set) var values: [Value] = []
  private(set) var isDone = false
  private(set) var isRefused = false

  init(bell: Bell) { self.bell = bell }

  /// The answer that a callback's user data points to.
  static func from(_ pointer: UnsafeMutableRawPointer?) -> Answer? {
    unsafe pointer.map { unsafe Unmanaged<Answer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Adds one entry of a list.
  func add(_ value: Value) { values.append(value) }

  /// Ends a list. `endOfList` is negative if the server refused.
  func end(_ endOfList: Int32) { finish(isRefused: endOfList < 0) }

  /// Ends the answer and wakes the waiting thread.
  func finish(isRefused: Bool) {
    self.isRefused = isRefused
    isDone = true
    bell.ring()
  }
}
