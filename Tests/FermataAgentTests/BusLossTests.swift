// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import FaceModel
import FermataTestKit
import PlaybackLogic
import PulseIO
import Synchronization
import Testing

@testable import FermataAgent

@Suite("A bus that is lost", .realTime, .endsAnyway)
struct BusLossTests {
  @Test(
    "while it is greeted, time and again, is tried once at a time, and no more often than five times a second"
  )
  func lostInHandshake() async throws {
    let bus = try LyingBus()
    let address = bus.address
    let waits = Mutex<[Duration]>([])
    let service = try await onLoop { @AgentLoop in
      let service = Self.player(on: .address(address)) { event in
        if case .lost(_, let wait, _) = event { waits.withLock { $0.append(wait) } }
      }
      service.start()
      return service
    }
    for _ in 0..<6 { try bus.serve(LyingBus.welcome) }
    try await onLoop { @AgentLoop in service.stop() }
    // A second try beside the first would show as more waits, and as longer ones.
    let told = waits.withLock { $0 }
    #expect(told.prefix(5) == [50, 100, 200, 200, 200].map { .milliseconds($0) }[...])
    #expect(told.count <= 6)
  }

  @Test("where there is none for long, that is told once, and again when the reason is another")
  func told() {
    var losses = BusLosses()
    let waits = [50, 5_000, 5_000, 5_000].map { Duration.milliseconds($0) }
    #expect(waits.map { losses.isNew("not there", $0) } == [true, true, false, false])
    #expect(losses.isNew("refused", .seconds(5)) && !losses.isNew("refused", .seconds(5)))
  }

  /// A player that nobody hears, kept on a bus.
  @AgentLoop
  private static func player(
    on endpoint: BusEndpoint, handler: @escaping @AgentLoop (BusService.Event) -> Void
  ) -> BusService {
    let thread = BlockingThread("test")
    let items = ItemService(thread: thread, art: nil, reader: .beside)
    let service = PlayerService(
      player: Player(queue: PlayQueue(seed: 1)), server: PulseServer(properties: [:]), properties: [:],
      items: items)
    return BusService(
      service, items: items, thread: thread, names: .instance(of: .fermata), on: endpoint, quit: {},
      handler: handler)
  }
}
