// SPDX-License-Identifier: MIT
package import AgentLoop
import CPulse

/// The way to the sound server, kept open: whenever the connection is lost, or cannot be made, it is tried again, after 50 ms
/// at first and at most every 5 s.
///
/// Everything that happens is told to one handler; what it means is decided by whoever listens. No call blocks.
@AgentLoop
package final class PulseServer {
  /// What the server tells without being asked.
  package enum Event {
    /// The server answers. Streams can be made now.
    case connected
    /// The server is gone, or was not found; `retryIn` is the wait until the next try. Streams of this connection are dead.
    case disconnected(PulseError, retryIn: Duration)
    /// Something in the server's world came, went or changed.
    case changed(Facility, ChangeKind, index: UInt32)
  }

  /// The parts of the server's world that are watched.
  package enum Facility: Sendable { case sink, card, server, sinkInput, sourceOutput }

  /// What can happen to them.
  package enum ChangeKind: Sendable { case new, changed, removed }

  private let address: String?
  private let properties: [String: String]
  private var backoff: Backoff
  private var retry: LoopTimer?
  /// Present from `start` until the connection is lost, ready or not.
  private(set) var context: PulseContext?
  /// Counts what the server told, so that a reading can see whether it was overtaken.
  private(set) var changes = 0

  /// Hears every event, on the loop, never from within a call to this object. To be set before `start`.
  package var handler: @AgentLoop (Event) -> Void = { _ in }

  /// Whether the server answers at this moment.
  package private(set) var isConnected = false

  /// A way to the server at `address`, or to the one that the environment and the user's settings name.
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
      // After `stop` nobody is told.
      if let self, context != nil { handler(event) }
    }
  }

  private func lost(_ error: PulseError) {
    isConnected = false
    let wait = backoff.next()
    // The old context stays until then: its streams still have to learn of their end.
    retry = AgentLoop.after(wait) { [weak self] in
      self?.retry = nil
      self?.connect()
    }
    tell(.disconnected(error, retryIn: wait))
  }

  /// The connection, where there is one to ask.
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

extension PulseServer.ChangeKind {
  init?(_ type: pa_subscription_event_type_t) {
    switch type.rawValue & PA_SUBSCRIPTION_EVENT_TYPE_MASK.rawValue {
    case PA_SUBSCRIPTION_EVENT_NEW.rawValue: self = .new
    case PA_SUBSCRIPTION_EVENT_CHANGE.rawValue: self = .changed
    case PA_SUBSCRIPTION_EVENT_REMOVE.rawValue: self = .removed
    default: return nil
    }
  }
}
