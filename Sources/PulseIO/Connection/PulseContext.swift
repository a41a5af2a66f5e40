// SPDX-License-Identifier: MIT
import AgentLoop
import CPulse

/// One connection to a sound server from its beginning to its end; a lost one is never mended, but replaced by another.
///
/// Owns the library's context. When it goes, the callbacks are cleared first, then the connection is closed (which
/// cancels what is under way, so that every waiting reply ends), then the context is let go of.
@AgentLoop @safe
final class PulseContext {
  enum Event {
    case ready
    case failed(PulseError)
    case changed(PulseServer.Facility, PulseServer.ChangeKind, UInt32)
  }

  private struct News {
    let tell: @AgentLoop () -> Void
    /// Somebody waits for it, even where the connection is given up.
    let isAnswer: Bool
  }

  let raw: OpaquePointer
  private let handler: @AgentLoop (Event) -> Void
  /// What has happened and not been told.
  private var news: [News] = []
  private var isTelling = false
  /// The server has not obeyed the order that comes before all else.
  private var isHeldBack = false
  private var isConnecting = false
  private var hasFailed = false

  /// Begins to connect to `server`, or to the one that the environment names. `handler` hears `ready` or `failed`, the
  /// latter once, and never from within this call.
  init(server: String?, properties: [String: String], handler: @escaping @AgentLoop (Event) -> Void) {
    self.handler = handler
    let list = PropertyList(properties)
    // Fails on lack of memory only.
    guard let raw = unsafe pa_context_new_with_proplist(AgentLoop.executor.api, nil, list.raw) else {
      fatalError("no context: out of memory")
    }
    unsafe self.raw = raw
    let this = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe pa_context_set_state_callback(
      raw, { _, this in unsafe AgentLoop.assume(this) { unsafe PulseContext.from($0).stateChanged() } }, this)
    unsafe pa_context_set_subscribe_callback(
      raw,
      { _, what, index, this in
        unsafe AgentLoop.assume((what, index, this)) { unsafe PulseContext.from($0.2).subscribed($0.0, $0.1) }
      }, this)
    // A desktop starts its server itself; a player that starts one would fight with it.
    isConnecting = true
    _ = unsafe pa_context_connect(raw, server, .PA_CONTEXT_NOAUTOSPAWN, nil)
    isConnecting = false
    // What failed at once is told later, as everything else.
    if unsafe pa_context_get_state(raw) == .PA_CONTEXT_FAILED {
      AgentLoop.after(.zero) { [weak self] in self?.stateChanged() }
    }
  }

  isolated deinit {
    for answer in news where answer.isAnswer { answer.tell() }
    unsafe pa_context_set_state_callback(raw, nil, nil)
    unsafe pa_context_set_subscribe_callback(raw, nil, nil)
    unsafe pa_context_disconnect(raw)
    unsafe pa_context_unref(raw)
  }

  // MARK: What is told, and when

  /// Tells what the library has just said, in the order in which it said it, when the library is done. What it is ordered to send
  /// meanwhile leaves only after it has read all that is there: nobody thinks before that.
  func tell(_ event: @escaping @AgentLoop () -> Void) { add(News(tell: event, isAnswer: false)) }

  /// Lets whoever waits for an answer go on, in its order as well: it shows the world after what was said before it.
  func answer(_ answer: @escaping @AgentLoop () -> Void) { add(News(tell: answer, isAnswer: true)) }

  private func add(_ item: News) {
    news.append(item)
    tellSoon()
  }

  private func tellSoon() {
    guard !isTelling, !isHeldBack, !news.isEmpty else { return }
    isTelling = true
    AgentLoop.after(.zero) { [weak self] in self?.tellAll() }
  }

  private func tellAll() {
    isTelling = false
    while !isHeldBack, !news.isEmpty { news.removeFirst().tell() }
  }

  /// Holds back what is told until the server has obeyed: on a machine of few processors it does not come to that while we think.
  func holdBack(until obeyed: Reply<Void>) {
    isHeldBack = obeyed.onEnd { [weak self] in
      self?.isHeldBack = false
      self?.tellSoon()
    }
  }

  private static func from(_ pointer: UnsafeMutableRawPointer?) -> PulseContext {
    guard let pointer = unsafe pointer else { preconditionFailure("a callback without its context") }
    return unsafe Unmanaged<PulseContext>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// Why the last call into the library failed.
  func lastError(_ operation: String) -> PulseError {
    PulseError(.init(rawValue: unsafe pa_context_errno(raw)), in: operation)
  }

  private func stateChanged() {
    if isConnecting { return }
    switch unsafe pa_context_get_state(raw) {
    case .PA_CONTEXT_READY:
      subscribe()
      handler(.ready)
    case .PA_CONTEXT_FAILED, .PA_CONTEXT_TERMINATED: fail(lastError("reach the sound server"))
    case .PA_CONTEXT_UNCONNECTED, .PA_CONTEXT_CONNECTING, .PA_CONTEXT_AUTHORIZING, .PA_CONTEXT_SETTING_NAME:
      break
    }
  }

  private func fail(_ error: PulseError) {
    guard !hasFailed else { return }
    hasFailed = true
    handler(.failed(error))
  }

  private func subscribe() {
    let facilities: pa_subscription_mask_t = [
      .PA_SUBSCRIPTION_MASK_SINK, .PA_SUBSCRIPTION_MASK_CARD, .PA_SUBSCRIPTION_MASK_SERVER,
      .PA_SUBSCRIPTION_MASK_SINK_INPUT, .PA_SUBSCRIPTION_MASK_SOURCE_OUTPUT,
    ]
    // Whether it worked need not be waited for: a server that refuses it is about to drop us.
    if let request = unsafe pa_context_subscribe(raw, facilities, nil, nil) {
      unsafe pa_operation_unref(request)
    }
  }

  private func subscribed(_ what: pa_subscription_event_type_t, _ index: UInt32) {
    guard let facility = PulseServer.Facility(what), let kind = PulseServer.ChangeKind(what) else { return }
    handler(.changed(facility, kind, index))
  }

  /// Sends a request whose answer is a list or a record, collected by `start`'s callback.
  func request<Value>(
    _ operation: String, collecting initial: Value,
    _ start: (OpaquePointer, UnsafeMutableRawPointer) -> OpaquePointer?
  ) -> Reply<Value> {
    unsafe Reply(operation, of: self, collecting: initial, start)
  }

  /// Sends an order, whose answer is yes or no. `start` gets the callback and the pointer to hand to the library.
  func order(
    _ operation: String,
    _ start: (OpaquePointer, pa_context_success_cb_t, UnsafeMutableRawPointer) -> OpaquePointer?
  ) -> Reply<Void> {
    unsafe request(operation, collecting: ()) { context, reply in
      unsafe start(
        context,
        { context, isDone, reply in
          unsafe AgentLoop.assume((context, isDone, reply)) { context, isDone, reply in
            guard isDone == 0 else { return }
            unsafe Reply<Void>.from(reply).refusal = PulseError.Code(rawValue: pa_context_errno(context))
          }
        }, reply)
    }
  }
}
