// SPDX-License-Identifier: MIT
package import AgentLoop
import FaceModel
import PlaybackLogic
import PulseIO
import ReaderIO
import SettingsModel
import UserFiles

/// The agent process for users who play music with other programs: it pauses other players whose device is gone, and does nothing else. It has no
/// queue, no stream, no state on disk and no player's name on the bus.
///
/// It lives until a signal, a Quit on the bus or the end of the session ends it.
@AgentLoop
package final class GuardAgent {
  /// The error that answers every order that this agent does not carry out.
  static let refusal = AgentError.refused(StatusFace.guardRefusal)

  private let log: Log
  private let service: PlayerService
  private let settings: SettingsKeeper?
  private let shutdown: Shutdown
  private let unlessRunning: Bool
  private let notice = ServiceNotice.ofThisProcess
  private var bus: BusService?
  private lazy var session = SessionWatch { [weak self] in
    self?.log(.notice, "the session bus does not come back: the session is over")
    self?.end(0)
  }

  /// The guard of this process, so that the signal handler can find and end it.
  private static var current: GuardAgent?

  /// Runs the guard until it ends, and returns its exit status. If an agent runs already, which guards as well, the status is 1, or 0 with
  /// `unlessRunning`. Blocks. Call it on the main thread, before any other thread exists.
  package nonisolated static func run(_ log: Log, unlessRunning: Bool = false) -> Int32 {
    Process.prepareForService()
    AgentLoop.task {
      let signals = SignalWatch(SignalWatch.ending) { signal in
        log(.info, "ending on signal \(signal)")
        GuardAgent.current?.end(0) ?? AgentLoop.stop(0)
      }
      let agent = GuardAgent(log, unlessRunning: unlessRunning)
      current = agent
      agent.start()
      // Waits for ever: the process ends because the loop stops. Until then the waiting task keeps the signal watch alive.
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      withExtendedLifetime(signals) {}
    }
    return AgentLoop.run()
  }

  private init(_ log: Log, unlessRunning: Bool) {
    self.log = log
    self.unlessRunning = unlessRunning
    let threads = (orders: BlockingThread("orders"), reading: BlockingThread("reading"))
    settings = SettingsFile.standard.map { SettingsKeeper($0, log) }
    shutdown = Shutdown { log(.warning, "\($0) does not end in time: ending without it") }
    // The queue stays empty, because no order that could fill it is accepted.
    let items = ItemService(thread: threads.reading, art: nil, reader: ReaderClient())
    service = PlayerService(
      player: Player(queue: PlayQueue(seed: 0)), server: PulseServer(properties: StreamIdentity.application),
      properties: StreamIdentity.music, items: items)
    service.guardOthers()
    bus = BusService(
      service, items: items, thread: threads.orders, names: .guardian,
      quit: { [weak self] in self?.end(0) }, handler: { [weak self] in self?.hear($0) })
  }

  private func start() {
    bus?.readSettings = { [settings] in await settings?.readAgain() }
    if log.least == .debug { service.evidence = { [log] in log(.debug, $0) } }
    service.news = { [weak self] in self?.hear($0) }
    settings?.follow { [service] in service.apply($0) }
    service.apply(settings?.settings ?? Settings())
    shutdown.add("sound") { [service] in service.stop() }
    shutdown.add("bus") { [bus] in bus?.stop() }
    service.start()
    bus?.start()
  }

  private func end(_ code: Int32) {
    notice?.stopping()
    bus?.tellEnd()
    shutdown.begin(code)
  }

  private func hear(_ news: PlayerNews) {
    bus?.hear(news)
    if case .guarded(let report) = news { Agent.tell(report, log) }
  }

  private func hear(_ event: BusService.Event) {
    switch event {
    case .owning(let name):
      log(.info, "on the bus as \(name), guarding only")
      session.found()
      notice?.ready()
      notice?.status("guarding other players")
    case .second(_, let first):
      log(
        unlessRunning ? .info : .error,
        "an agent runs already\(first.map { " (process \($0))" } ?? ""): it guards as well, so this one is not needed"
      )
      end(unlessRunning ? 0 : 1)
    case .lost(let reason, let wait, let isNew):
      if isNew { log(.warning, "no bus (\(reason)): trying again in \(wait)") }
      session.lost()
    }
  }
}
