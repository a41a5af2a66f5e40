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
  private let waiter = LoopWaiter()
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
    waiter.look()
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
      self?.waiter.look()
    }
  }

  /// Waits until something has happened to the stream.
  func wait(for event: PlaybackStream.Event, _ location: SourceLocation = #_sourceLocation) async {
    await wait("\(event)", location) { self.events.contains(event) }
  }

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

  /// Reads the world anew at each change until it is as it should be.
  func waitForWorld(_ isReached: @escaping @Sendable (AudioWorld) -> Bool) async throws {
    let deadline = Deadline.patient
    while true {
      let seen = changes
      let world = try await onLoop("the server's state") { [server] in try await server.readWorld() }
      if isReached(world) { return }
      try await waiter.wait(
        for: "the expected state of the server", within: deadline.remaining, seen: { "\(world)" }
      ) {
        self.changes != seen
      }
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

  /// Waits as long as patience lasts, and says then what has happened instead.
  func wait(
    _ what: String = "what the test waits for", _ location: SourceLocation = #_sourceLocation,
    _ check: @escaping @AgentLoop @Sendable () -> Bool
  ) async {
    do {
      try await waiter.wait(for: what, seen: { "\(self.events), \(self.serverEvents)" }, check)
    } catch {
      Issue.record(error, sourceLocation: location)
    }
  }
}
