// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import DecodeIO
import FermataAgent
import FermataTestKit
import PlaybackLogic
import PulseIO
import Testing

/// A sound engine on a private server, whose reports can be waited for.
@AgentLoop
final class EngineBench {
  let server: PulseServer
  let engine: SoundEngine
  /// What was reported, as words: "heard 1", "ended 1", "failed 1".
  private(set) var log: [String] = []
  /// How many streams were told of.
  private(set) var streams = 0
  private var hasRunDry = false
  private let waiter = LoopWaiter()

  init(_ address: String, thread: BlockingThread? = nil) {
    server = PulseServer(address: address, properties: ["application.name": "test"])
    engine = SoundEngine(server: server, properties: ["media.role": "music"], thread: thread)
    server.handler = { [weak self] _ in self?.waiter.look() }
    engine.report = { [weak self] in self?.heard($0) }
  }

  /// Not on the loop, which may not run before.
  nonisolated static func connected(to address: String, thread: BlockingThread? = nil) async throws
    -> EngineBench
  {
    let bench = try await onLoop { @AgentLoop in EngineBench(address, thread: thread) }
    await bench.connect()
    return bench
  }

  private func connect() async {
    server.start()
    await wait { self.server.isConnected }
  }

  private func heard(_ report: SoundEngine.Report) {
    switch report {
    case .sound(.heard(let play)): log.append("heard \(play)")
    case .sound(.ended(let play)): log.append("ended \(play)")
    case .sound(.failed(let play, _)): log.append("failed \(play)")
    case .sound(.soundLost): log.append("lost")
    case .stream(.ready): streams += 1
    case .stream(.underflow): hasRunDry = true
    case .stream(.ended): log.append("stream ended")
    // What follows from it is done in the same turn.
    case .sound(.opened): AgentLoop.after(.zero) { [weak self] in self?.waiter.look() }
    case .stream, .sound(.position), .progressed: break
    }
    waiter.look()
  }

  func waitUntilDry() async { await wait { self.hasRunDry } }

  func play(_ request: SoundRequest, then followers: SoundRequest...) {
    engine.isSounding = true
    engine.play(request)
    var last = request.play
    for follower in followers {
      engine.follow(last, with: follower)
      last = follower.play
    }
  }

  func follow(_ play: PlayID, with request: SoundRequest?) { engine.follow(play, with: request) }

  func setSounding(_ isSounding: Bool) { engine.isSounding = isSounding }

  func trustClock(for span: Duration) { engine.trustInClock = span }

  /// The place in the track as it is known without asking.
  var reckonedPosition: Duration { engine.position?.position ?? .zero }

  func position() async -> Duration {
    await engine.refreshPosition()
    return engine.position?.position ?? .zero
  }

  func close() {
    engine.stop()
    server.stop()
  }

  func wait(for line: String, _ location: SourceLocation = #_sourceLocation) async {
    await wait(line, location) { self.log.contains(line) }
  }

  /// Waits as long as patience lasts, and says then what has happened instead.
  func wait(
    _ what: String = "what the test waits for", _ location: SourceLocation = #_sourceLocation,
    _ check: @escaping @AgentLoop @Sendable () -> Bool
  ) async {
    do { try await waiter.wait(for: what, seen: { "\(self.log)" }, check) } catch {
      Issue.record(error, sourceLocation: location)
    }
  }
}
