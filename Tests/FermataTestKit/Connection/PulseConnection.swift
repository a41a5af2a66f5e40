// SPDX-License-Identifier: MIT
import CPulse

/// A test's own connection to a sound server, on a thread of its own. Its calls wait for the answer.
///
/// It shares nothing with the code under test, so it can check what that code did. Any thread except its own may call
/// it. Each call blocks at most until its deadline. `deinit` ends the thread.
@safe final class PulseConnection: @unchecked Sendable {
  // `loop` never changes, and everything else, the pointers' targets too, is touched only with its lock held
  // (`locked`) or by its own thread, which holds the lock: hence `@unchecked Sendable`.
  private let loop: OpaquePointer
  private let context: OpaquePointer
  /// The bell that this connection's callbacks ring.
  let bell: Bell

  /// How long one answer may take.

  /// Connects, and waits until the server answers. Throws if it doesn't answer in time, or refuses.
  init(address: String, name: String) throws {
    // One process plays all other programs, and each of them has a file of its own.
    guard let loop = unsafe pa_threaded_mainloop_new(), let program = unsafe pa_proplist_new() else {
      throw KitError("libpulse has no memory for a connection")
    }
    unsafe pa_proplist_sets(program, PA_PROP_APPLICATION_PROCESS_BINARY, name)
    let made = unsafe pa_context_new_with_proplist(pa_threaded_mainloop_get_api(loop), name, program)
    unsafe pa_proplist_free(program)
    guard let context = unsafe made else { throw KitError("libpulse has no memory for a connection") }
    unsafe self.loop = loop
    unsafe self.context = context
    unsafe bell = Bell(loop: loop)
    // The callbacks hold no reference. `deinit` ends the thread that calls them.
    unsafe pa_context_set_state_callback(context, { unsafe Bell.from($1)?.ring() }, bell.pointer)
    unsafe pa_context_set_subscribe_callback(context, { unsafe Bell.from($3)?.count($1, $2) }, bell.pointer)
    guard unsafe pa_context_connect(context, address, .PA_CONTEXT_NOAUTOSPAWN, nil) >= 0,
      unsafe pa_threaded_mainloop_start(loop) >= 0
    else { throw KitError("cannot connect to \(address): \(lastError)") }
    try locked {
      try wait("a connection to \(address)", within: .patience) { isReady ? true : nil }
      unsafe pa_operation_unref(pa_context_subscribe(context, .PA_SUBSCRIPTION_MASK_ALL, nil, nil))
    }
  }

  // In this order: first end the thread, so that no more callbacks come; then release what they used.
  deinit {
    unsafe pa_threaded_mainloop_lock(loop)
    unsafe pa_context_disconnect(context)
    unsafe pa_threaded_mainloop_unlock(loop)
    unsafe pa_threaded_mainloop_stop(loop)
    unsafe pa_context_unref(context)
    unsafe pa_threaded_mainloop_free(loop)
  }

  private var isReady: Bool { unsafe pa_context_get_state(context) == .PA_CONTEXT_READY }
  private var hasFailed: Bool { unsafe PA_CONTEXT_IS_GOOD(pa_context_get_state(context)) == 0 }

  /// libpulse's text for the last error.
  var lastError: String { unsafe String(cString: pa_strerror(pa_context_errno(context))) }

  /// Runs a body with the lock held.
  func locked<R>(_ body: () throws -> R) rethrows -> R {
    unsafe pa_threaded_mainloop_lock(loop)
    defer { unsafe pa_threaded_mainloop_unlock(loop) }
    return try body()
  }

  /// Runs a body with the context, with the lock held.
  func withContext<R>(_ body: (OpaquePointer) throws -> R) rethrows -> R {
    try locked { try unsafe body(context) }
  }

  /// Waits until `result` returns a value; it is called again whenever the bell rings. The lock must be held. Throws
  /// if it takes too long or the server goes away meanwhile.
  @discardableResult
  func wait<R>(_ what: String, within patience: Duration, for result: () throws -> R?) throws -> R {
    let deadline = Deadline.after(patience)
    let alarm = unsafe pa_context_rttime_new(
      context, pa_rtclock_now() + patience.microseconds,
      { _, _, _, pointer in unsafe Bell.from(pointer)?.ring() },
      bell.pointer)
    defer { unsafe pa_threaded_mainloop_get_api(loop).pointee.time_free(alarm) }
    while true {
      if let result = try result() { return result }
      guard !hasFailed else { throw KitError("\(what): the sound server is gone (\(lastError))") }
      guard !deadline.hasPassed else { throw KitError("\(what) did not come within \(patience)") }
      unsafe pa_threaded_mainloop_wait(loop)
    }
  }

  /// The number of events that the server has sent.
  var events: Int { locked { bell.events } }

  /// How often the server has said that a playback stream has changed.
  func changes(ofStream index: UInt32) -> Int { locked { bell.streamChanges[index] ?? 0 } }

  /// Waits until the server has sent more than this many events.
  func waitForEvent(after count: Int, _ what: String, until deadline: Deadline) throws {
    _ = try locked { try wait(what, within: deadline.remaining) { bell.events > count ? true : nil } }
  }

  /// Starts an operation with an `Answer` as its user data, and waits for the result. Throws if the server refuses.
  func request<Value>(
    _ what: String, _ start: (OpaquePointer, UnsafeMutableRawPointer) -> OpaquePointer?
  ) throws -> [Value] {
    try locked {
      let answer = Answer<Value>(bell: bell)
      guard let operation = unsafe start(context, Unmanaged.passUnretained(answer).toOpaque()) else {
        throw KitError("\(what): \(lastError)")
      }
      // Once cancelled, its callback is never called, so that the answer may be released.
      defer {
        unsafe pa_operation_cancel(operation)
        unsafe pa_operation_unref(operation)
      }
      try wait(what, within: .patience) { answer.isDone ? true : nil }
      guard !answer.isRefused else { throw KitError("\(what): \(lastError)") }
      return answer.values
    }
  }
}
