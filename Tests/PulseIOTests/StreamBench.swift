// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import FermataTestKit
import Testing

@testable import PulseIO

/// A connected server and a stream that plays numbers; what happened to it can be waited for.
@AgentLoop
final class StreamBench {
  let server: PulseServer
  private(set) var stream: PlaybackStream?
  private(set) var events: [PlaybackStream.Event] = []
  private(set) var serverEvents: [String] = []
  private var changes = 0
  private var waiters:
    [(check: @AgentLoop @Sendable () -> Bool, continuation: UnsafeContinuation<Void, Never>)] = []
  private var queue: [Float] = []

  init(_ address: String, backoff: Backoff = Backoff()) {
    server = PulseServer(address: address, properties: ["application.name": "test"], backoff: backoff)
    server.handler = { [weak self] in self?.heard($0) }
  }

  private func heard(_ event: PulseServer.Event) {
    switch event {
    case .connected: serverEvents.append("connected")
    case .disconnected: serverEvents.append("disconnected")
    case .changed: changes += 1
    }
    check()
  }

  func connect() async {
    server.start()
    await wait { self.server.isConnected }
  }

  func open(_ settings: PlaybackStream.Settings) throws {
    stream = try PlaybackStream(on: server, settings) { [weak self] in
      self?.fill(&$0)
    } handler: { [weak self] event in
      self?.events.append(event)
      self?.check()
    }
  }

  /// Waits until something has happened to the stream.
  func wait(for event: PlaybackStream.Event) async { await wait { self.events.contains(event) } }

  func play(_ samples: [Float]) {
    queue += samples
    stream?.refill()
  }

  private func fill(_ span: inout OutputSpan<Float>) {
    let channels = stream?.format.channels ?? 1
    let count = min(span.freeCapacity, queue.count) / channels * channels
    for sample in queue.prefix(count) { span.append(sample) }
    queue.removeFirst(count)
  }

  /// Reads the world anew at each change until it is as it should be; the suite's time limit is the deadline.
  func waitForWorld(_ isReached: @escaping @Sendable (AudioWorld) -> Bool) async throws {
    while true {
      let seen = changes
      if isReached(try await server.readWorld()) { return }
      await wait { self.changes != seen }
    }
  }

  /// Asks for the stream when something has been done at the server of which the loop has not heard yet. Returns also what had
  /// been told by the time of the answer.
  func readSinkInput(after act: (SinkInput.Index) throws -> Void) async throws
    -> (SinkInput, [PlaybackStream.Event])
  {
    guard let stream, let index = stream.index else { throw KitError("no stream") }
    try act(index)
    let input = try await stream.readSinkInput()
    return (input, events)
  }

  /// As a move does it, for a stream that then ends.
  func corkFirstAndLetGo() {
    stream?.corkFirst()
    stream = nil
  }

  func close() {
    stream = nil
    server.stop()
  }

  /// Waits for ten seconds at most, and says then what has happened instead.
  func wait(_ check: @escaping @AgentLoop @Sendable () -> Bool) async {
    if check() { return }
    var isOver = false
    let patience = AgentLoop.after(.patience) {
      Issue.record("in vain; there was \(self.events)")
      isOver = true
      self.check()
    }
    await withUnsafeContinuation { waiters.append(({ isOver || check() }, $0)) }
    patience.cancel()
  }

  private func check() {
    let ready = waiters.filter { $0.check() }
    waiters.removeAll { $0.check() }
    for waiter in ready { waiter.continuation.resume() }
  }
}
