// SPDX-License-Identifier: MIT
import CPulse

/// Collects the answer to one operation. Touched only with the connection's lock held; the thread that asked
/// owns it, and cancels the operation before it lets go.
final class Answer<Value> {
  private let bell: Bell
  private(set) var values: [Value] = []
  private(set) var isDone = false
  private(set) var isRefused = false

  init(bell: Bell) { self.bell = bell }

  /// The answer behind a callback's user data.
  static func from(_ pointer: UnsafeMutableRawPointer?) -> Answer? {
    unsafe pointer.map { unsafe Unmanaged<Answer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// One entry of a list.
  func add(_ value: Value) { values.append(value) }

  /// The end of a list; negative when the server refused.
  func end(_ endOfList: Int32) { finish(isRefused: endOfList < 0) }

  /// The end of an answer.
  func finish(isRefused: Bool) {
    self.isRefused = isRefused
    isDone = true
    bell.ring()
  }
}
