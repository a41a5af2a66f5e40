// SPDX-License-Identifier: MIT
package import AgentLoop
package import AudioModel
import CPulse

/// Keeps a connection to the sound server. If it is lost or cannot be made, another try follows after 50 ms, and further ones after longer waits of
/// up to 5 s.
///
/// `handler` is called with every event, and decides what it means. Used on the loop only; no call blocks.
@AgentLoop
package final class PulseServer {
  /// What happens to the connection and on the server.
  package enum Event {
    /// The server answers. Streams can be made now.
    case connected
    /// The server is gone, or was not found; `retryIn` is the wait until the next try. Streams of this connection are dead.
    case disconnected(PulseError, retryIn: Duration)
    /// Something on the server came, went or changed. `index` is the server's number for it.
    case changed(Facility, ServerChange, index: UInt32)
  }

  /// The kinds of things on the server whose changes are reported.
  package enum Facility: Sendable { case sink, card, server, sinkInput, sourceOutput }

  private let address: String?
  private let properties: [String: String]
  private var backoff: Backoff
  private var retry: LoopTimer?
  /// The connection, from `start` to `stop`, ready or not. A lost connection stays here until the next try replaces it.
  private(set) var context: PulseContext?
  /// Counts the changes that the server reported, so that `readWorld` can see whether any came while it was reading.
  private(set) var changes = 0

  /// Called with every event, on the loop, never from within a call to this object. Set it before `start`.
  package var handler: @AgentLoop (Event) -> Void = { _ in }

  /// Whether the server answers at this moment.
  package private(set) var isConnected = false

  /// Prepares a connection to the server at `address`, or to the one that the environment and the user's settings name.
  /// `start` opens it.
  ///
  /// - Parameter properties: how the program calls itself there: `application.name` and the like.
  package init(address: String? = nil, properties: [String: String], backoff: Backoff = Backoff()) {
    self.address = address
    self.properties = properties
    self.backoff = backoff
  }

  /// Begins to connect, and goes on trying until `stop`.
  package func start() {
    guard context == nil, retry == nil else { return }
    connect()
  }

  /// Closes the connection; no event comes afterwards. Streams end.
  package func stop() {
    retry?.cancel()
    retry = nil
    context = nil
    isConnected = false
  }

  private func connect() {
    context = PulseContext(server: address, properties: properties) { [weak self] event in self?.handle(event)
    }
  }

  private func handle(_ event: PulseContext.Event) {
    switch event {
    case .ready:
      backoff.reset()
      isConnected = true
      tell(.connected)
    case .failed(let error): lost(error)
    case .changed(let facility, let kind, let index):
      changes += 1
      tell(.changed(facility, kind, index: index))
    }
  }

  private func tell(_ event: Event) {
    context?.tell { [weak self] in
      // No event may come after `stop`.
      if let self, context != nil { handler(event) }
    }
  }

  private func lost(_ error: PulseError) {
    isConnected = false
    let wait = backoff.next()
    // The old context stays until then, because its streams still have to be told that they have ended.
    retry = AgentLoop.after(wait) { [weak self] in
      self?.retry = nil
      self?.connect()
    }
    tell(.disconnected(error, retryIn: wait))
  }

  /// The connection, if it is ready. Otherwise throws an error that names `operation`.
  func connected(to operation: String) throws(PulseError) -> PulseContext {
    guard isConnected, let context else { throw PulseError(.badState, in: operation) }
    return context
  }
}

extension PulseServer.Facility {
  init?(_ type: pa_subscription_event_type_t) {
    switch type.rawValue & PA_SUBSCRIPTION_EVENT_FACILITY_MASK.rawValue {
    case PA_SUBSCRIPTION_EVENT_SINK.rawValue: self = .sink
    case PA_SUBSCRIPTION_EVENT_CARD.rawValue: self = .card
    case PA_SUBSCRIPTION_EVENT_SERVER.rawValue: self = .server
    case PA_SUBSCRIPTION_EVENT_SINK_INPUT.rawValue: self = .sinkInput
    case PA_SUBSCRIPTION_EVENT_SOURCE_OUTPUT.rawValue: self = .sourceOutput
    default: return nil
    }
  }
}

extension ServerChange {
  init?(_ type: pa_subscription_event_type_t) {
    switch type.rawValue & PA_SUBSCRIPTION_EVENT_TYPE_MASK.rawValue {
    case PA_SUBSCRIPTION_EVENT_NEW.rawValue: self = .new
    case PA_SUBSCRIPTION_EVENT_CHANGE.rawValue: self = .changed
    case PA_SUBSCRIPTION_EVENT_REMOVE.rawValue: self = .removed
    default: return nil
    }
  }
}
