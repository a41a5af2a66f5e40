// SPDX-License-Identifier: MIT
import AgentLoop
import CPulse

/// The answer to one request to the server. Used on the loop only.
///
/// The request is on its way as soon as the reply exists, so several can be under way at once. libpulse's data callback
/// fills `value` through the pointer that `start` is given. The end of the request, or the loss of the connection,
/// comes as the operation's state. The reply lives at least until then: `Ending` holds it, and the state callback
/// releases `Ending`.
@AgentLoop @safe
final class Reply<Value> {
  /// What libpulse's data callback has collected of the server's answer so far.
  var value: Value
  /// Set by the data callback if the server answered with an error.
  var refusal: PulseError.Code?

  private let operation: String
  private weak let context: PulseContext?
  private var isOver = false
  private let outcome = Promise<Result<Void, PulseError>>()
  private var listener: (@AgentLoop () -> Void)?

  /// Sends a request. `start` makes it and returns libpulse's operation, or nil if it was refused at once.
  init(
    _ operation: String, of context: PulseContext, collecting initial: Value,
    _ start: (OpaquePointer, UnsafeMutableRawPointer) -> OpaquePointer?
  ) {
    value = initial
    self.operation = operation
    self.context = context
    let pointer = unsafe Unmanaged.passUnretained(self).toOpaque()
    guard let request = unsafe start(context.raw, pointer) else {
      isOver = true
      outcome.keep(.failure(context.lastError(operation)))
      return
    }
    let ending = unsafe Unmanaged.passRetained(Ending { self.ended($0) }).toOpaque()
    unsafe pa_operation_set_state_callback(
      request,
      { request, ending in unsafe AgentLoop.assume((request, ending)) { unsafe Ending.changed($0.0, $0.1) } },
      ending)
    unsafe pa_operation_unref(request)
  }

  /// Waits for the server's answer. It is returned only after everything that the server reported before it has been passed on.
  /// Only one task may wait. Throws if the server refused or the connection was lost.
  func get() async throws(PulseError) -> Value {
    try await outcome.get().get()
    return value
  }

  /// Has `listener` called as soon as the request is over, however it ended. Returns false, and never calls it, if the
  /// request is over already.
  func onEnd(_ listener: @escaping @AgentLoop () -> Void) -> Bool {
    guard !isOver else { return false }
    self.listener = listener
    return true
  }

  /// The reply that a pointer stands for: the one that `start` was given. Traps if the pointer is nil.
  static func from(_ pointer: UnsafeMutableRawPointer?) -> Reply<Value> {
    guard let pointer = unsafe pointer else { preconditionFailure("a callback without its reply") }
    return unsafe Unmanaged<Reply<Value>>.fromOpaque(pointer).takeUnretainedValue()
  }

  private func ended(_ state: pa_operation_state_t) {
    isOver = true
    listener?()
    listener = nil
    let failure = state == PA_OPERATION_DONE ? refusal : .connectionTerminated
    // A context that is being freed passes nothing on any more, so the waiting task is resumed directly.
    if let context { context.answer { self.conclude(failure) } } else { conclude(failure) }
  }

  private func conclude(_ failure: PulseError.Code?) {
    outcome.keep(failure.map { .failure(PulseError($0, in: operation)) } ?? .success(()))
  }
}

/// Holds a reply for libpulse's state callback. A C callback cannot name a generic type such as `Reply`, but it can
/// name this one. It lives until the operation is over.
@AgentLoop
private final class Ending {
  private let ended: (pa_operation_state_t) -> Void

  init(_ ended: @escaping (pa_operation_state_t) -> Void) { self.ended = ended }

  static func changed(_ request: OpaquePointer?, _ ending: UnsafeMutableRawPointer?) {
    let state = unsafe pa_operation_get_state(request)
    guard state != PA_OPERATION_RUNNING, let ending = unsafe ending else { return }
    // An operation ends once, and its pointer is not used after that.
    unsafe Unmanaged<Ending>.fromOpaque(ending).takeRetainedValue().ended(state)
  }
}

/// A failure of the sound server or of the connection to it.
package struct PulseError: Error, Equatable, CustomStringConvertible {
  /// The protocol's number for a failure.
  package struct Code: Sendable, Hashable, RawRepresentable {
    package let rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// The server went away during the request.
    package static let connectionTerminated = Code(rawValue: Int32(PA_ERR_CONNECTIONTERMINATED.rawValue))
    /// The sink, card or stream is not there, or not any more.
    package static let noSuchEntity = Code(rawValue: Int32(PA_ERR_NOENTITY.rawValue))
    /// The stream was ended by the server or by somebody's order.
    package static let killed = Code(rawValue: Int32(PA_ERR_KILLED.rawValue))
    /// The request cannot be made now: the server is not connected, or the stream is not ready.
    package static let badState = Code(rawValue: Int32(PA_ERR_BADSTATE.rawValue))
  }

  /// The kind of failure, for code that branches on it.
  package let code: Code
  /// The attempted operation, worded to follow "cannot": "list the outputs".
  package let operation: String

  package init(_ code: Code, in operation: String) {
    self.code = code
    self.operation = operation
  }

  /// The reason, in libpulse's words.
  package var reason: String {
    unsafe pa_strerror(code.rawValue).map { unsafe String(cString: $0) } ?? "error \(code.rawValue)"
  }

  package var description: String { "cannot \(operation): \(reason)" }
}
