// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import CPulse

/// One connection to a sound server, from its beginning to its end. A lost connection is never mended, but replaced by
/// another. Used on the loop only.
///
/// Owns libpulse's context. When this object goes, it clears the callbacks first, then closes the connection (which
/// cancels all requests, so that every waiting reply ends), and then releases the context.
@AgentLoop @safe
final class PulseContext {
  enum Event {
    case ready
    case failed(PulseError)
    case changed(PulseServer.Facility, ServerChange, UInt32)
  }

  private struct News {
    let tell: @AgentLoop () -> Void
    /// Whether this is an answer that a task waits for. Answers are delivered even when the connection is given up.
    let isAnswer: Bool
  }

  let raw: OpaquePointer
  /// Which program the server is; nil until it has answered that question. While it is nil, the server is treated as PulseAudio.
  var serverKind: AudioServer.Kind?
  private let handler: @AgentLoop (Event) -> Void
  /// The server's events and answers that have not been passed on yet, the oldest first.
  private var news: [News] = []
  private var isTelling = false
  /// Whether nothing may be passed on, because the server has not yet obeyed an order that comes first.
  private var isHeldBack = false
  private var isConnecting = false
  private var hasFailed = false

  /// Begins to connect to `server`, or to the one that the environment names. `handler` is told `ready` or `failed`,
  /// the latter at most once, and never from within this call.
  init(server: String?, properties: [String: String], handler: @escaping @AgentLoop (Event) -> Void) {
    self.handler = handler
    let list = PropertyList(properties)
    // This fails only if there is no memory left.
    guard let raw = unsafe pa_context_new_with_proplist(PulseLoop.api, nil, list.raw) else {
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
    // A desktop starts its sound server itself. A second one, started by a player, would conflict with it.
    isConnecting = true
    _ = unsafe pa_context_connect(raw, server, .PA_CONTEXT_NOAUTOSPAWN, nil)
    isConnecting = false
    // A connection that failed at once is reported later: the handler is never called from within `init`.
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

  /// Passes an event on, in the order in which libpulse reported it, after libpulse has returned. If a callback orders libpulse
  /// to send something, libpulse sends it only after it has read everything that has arrived. So no handler may run before
  /// that.
  func tell(_ event: @escaping @AgentLoop () -> Void) { add(News(tell: event, isAnswer: false)) }

  /// Resumes whoever waits for an answer. Answers keep their order among the events, because an answer already shows
  /// the effect of what was reported before it.
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

  /// Holds back events and answers until the server has obeyed an order. Otherwise, on a machine with few processors, our
  /// handlers would run first and keep the server from obeying.
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

  /// The error for the last call into libpulse, which failed. `operation` is worded to follow "cannot".
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
    // The reply is not awaited: a server that refuses a subscription is about to drop us.
    if let request = unsafe pa_context_subscribe(raw, facilities, nil, nil) {
      unsafe pa_operation_unref(request)
    }
  }

  private func subscribed(_ what: pa_subscription_event_type_t, _ index: UInt32) {
    guard let facility = PulseServer.Facility(what), let kind = ServerChange(what) else { return }
    handler(.changed(facility, kind, index))
  }

  /// The server's number for this connection; nil until it is ready, and with servers that don't tell it.
  var clientIndex: AudioClient.Index? {
    let index = unsafe pa_context_get_index(raw)
    return index == cpulse_invalid_index ? nil : AudioClient.Index(rawValue: index)
  }

  /// Sends a request whose answer is a list or a record. `start` makes it, and gives libpulse a callback that collects the answer.
  func request<Value>(
    _ operation: String, collecting initial: Value,
    _ start: (OpaquePointer, UnsafeMutableRawPointer) -> OpaquePointer?
  ) -> Reply<Value> {
    unsafe Reply(operation, of: self, collecting: initial, start)
  }

  /// Sends an order, which the server obeys or refuses. `start` gets the callback and the pointer to hand to libpulse.
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

/// libpulse's form of a property list, made for one call and freed after it.
@safe
struct PropertyList: ~Copyable {
  let raw: OpaquePointer

  /// Makes the list. libpulse accepts all keys, because they are our own or the protocol's. It leaves out a value that is not valid text.
  init(_ properties: [String: String]) {
    unsafe raw = pa_proplist_new()
    for (key, value) in properties { unsafe pa_proplist_sets(raw, key, value) }
  }

  deinit { unsafe pa_proplist_free(raw) }
}

extension [String: String] {
  /// The text values of a property list from the server; values of raw bytes, such as icons, are left out.
  init(_ list: OpaquePointer?) {
    self.init()
    guard let list = unsafe list else { return }
    var state: UnsafeMutableRawPointer?
    while let key = unsafe pa_proplist_iterate(list, &state) {
      if let value = unsafe pa_proplist_gets(list, key) {
        unsafe self[String(cString: key)] = String(cString: value)
      }
    }
  }
}
