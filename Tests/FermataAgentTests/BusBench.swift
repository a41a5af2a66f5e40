// SPDX-License-Identifier: MIT
import AgentLoop
import AudioModel
import BusIO
import BusModel
import FaceModel
import FermataAgent
import FermataTestKit
import MediaModel
import PlaybackLogic
import PulseIO
import Testing

/// A player on a private bus and a private sound server, and a client that calls it and hears what it tells.
@AgentLoop
final class BusBench {
  let service: PlayerService
  /// Where the sound server listens.
  let sound: String
  /// What the player's decisions were made from, in words.
  private(set) var evidence: [String] = []
  /// What the client heard, in order.
  private(set) var signals: [BusSignal] = []

  /// Where orders are looked up. It waits for its jobs however long they take, so a test may hold one.
  let orders = BlockingThread("orders", yieldsAfter: .seconds(3_600), givesUpAfter: .seconds(3_600))
  private let items: ItemService
  private let bus: BusService
  private let address: String
  private var client: BusConnection?
  private var subscriptions: [BusSubscription] = []
  private var name: BusName?
  private let waiter = LoopWaiter()

  private init(
    _ names: BusService.Names, bus address: String, sound: String, _ settings: SessionSettings
  ) {
    let thread = BlockingThread("test")
    let server = PulseServer(address: sound, properties: ["application.name": "test"])
    let items = ItemService(thread: thread, art: nil, reader: .beside)
    let service = PlayerService(
      player: Player(queue: PlayQueue(seed: 1), session: Session(settings: settings)), server: server,
      properties: ["media.role": "music"], items: items, thread: thread)
    self.address = address
    self.sound = sound
    self.service = service
    self.items = items
    let found = Found()
    bus = BusService(
      service, items: items, thread: orders, names: names, on: .address(address), quit: {},
      handler: { if case .owning(let name) = $0 { found.tell(name) } })
    found.tell = { [weak self] in
      self?.name = BusName($0)
      self?.waiter.look()
    }
    service.evidence = { [weak self] in
      self?.evidence.append($0)
      self?.waiter.look()
    }
    service.news = { [weak self] in
      self?.bus.hear($0)
      self?.waiter.look()
    }
  }

  /// Passes a name on to whoever is there by then.
  @AgentLoop
  private final class Found {
    var tell: @AgentLoop (String) -> Void = { _ in }
  }

  /// Runs a body with a player that has an output, and ends everything.
  nonisolated static func run(
    _ names: BusService.Names = .agent, settings: SessionSettings = SessionSettings(),
    _ body: @escaping @Sendable @AgentLoop (BusBench) async throws -> Void
  ) async throws {
    try await withPulse(sinks: ["speakers"]) { pulse in
      let bus = try PrivateBus()
      let (address, sound) = (bus.address, pulse.serverAddress)
      try await onLoop { @AgentLoop in
        let bench = BusBench(names, bus: address, sound: sound, settings)
        defer { bench.close() }
        try await bench.connect()
        try await body(bench)
      }
      try bus.stop()
    }
  }

  private func connect() async throws {
    service.start()
    bus.start()
    await wait(for: "an output and a name") { self.service.route != nil && self.name != nil }
    let client = try await BusConnection.open(.address(address), timeout: .patience)
    self.client = client
    // The agent and its player have a connection each.
    for sender in [name, AgentDescriptions.busName].compactMap(\.self) {
      subscriptions.append(
        try await client.subscribe(MatchRule(sender: sender)) { [weak self] signal in
          self?.signals.append(signal)
          self?.waiter.look()
        })
    }
    signals = []
  }

  private func close() {
    bus.stop()
    service.stop()
    client?.close()
  }

  // MARK: Calls

  /// Calls one of our own interfaces.
  @discardableResult
  func call(_ call: AgentCall) async throws -> [WireValue] {
    try await send(AgentDescriptions.path, call.interface, call.member, call.arguments)
  }

  /// Calls a method of one of our own interfaces, or of MPRIS's track list.
  @discardableResult
  func send(
    _ path: ObjectPath, _ interface: InterfaceName, _ member: MemberName, _ arguments: [WireValue]
  ) async throws -> [WireValue] {
    // Our own interfaces are offered by their own name only.
    let name = path == AgentDescriptions.path ? AgentDescriptions.busName : try #require(name)
    let target = BusTarget(name, path, interface, member)
    return try await #require(client).call(target, arguments, timeout: .patience)
  }

  @discardableResult
  func trackList(_ member: MemberName, _ arguments: WireValue...) async throws -> [WireValue] {
    try await send(MPRISDescriptions.path, MPRISDescriptions.trackList.name, member, arguments)
  }

  /// The entries that an edit answers.
  func entries(_ order: QueueOrder) async throws -> [UInt64] {
    try await Array(call(AgentCall(order)).prefix(1)).decoded(as: [UInt64].self)
  }

  /// The name of the error that a call is answered with.
  func refusal(_ call: AgentCall) async -> AgentError? {
    do {
      try await self.call(call)
      return nil
    } catch {
      return (error as? BusError).flatMap { AgentError($0.name) }
    }
  }

  /// What our own interfaces told until now: whatever was sent before the answer of this call has come when it has.
  func news() async throws -> [AgentNews] {
    try await call(.status)
    return signals.flatMap { AgentNews.news($0.interface, $0.member, $0.arguments) }
  }

  /// The client leaves the bus, as one does that is interrupted.
  func leave() {
    client?.close()
    client = nil
  }

  func forgetSignals() { signals = [] }

  // MARK: Waiting

  /// Waits for a signal.
  func wait(forSignal member: MemberName, _ location: SourceLocation = #_sourceLocation) async {
    await wait(for: member.text, location) { self.signals.contains { $0.member == member } }
  }

  /// Waits as long as patience lasts, and says then what was told instead.
  func wait(
    for what: String, _ location: SourceLocation = #_sourceLocation,
    _ check: @escaping @AgentLoop @Sendable () -> Bool
  ) async {
    do { try await waiter.wait(for: what, seen: { "\(self.signals.map(\.member.text))" }, check) } catch {
      Issue.record(error, sourceLocation: location)
    }
  }
}

/// Some sounds in a folder.
struct SoundFolder {
  let directory: TemporaryDirectory
  let sources: [MediaSource]

  init(_ count: Int) throws {
    let directory = try TemporaryDirectory()
    let format = AudioFormat(rate: 8_000, channels: 1)
    let samples = [Float](repeating: 0.25, count: 8_000 * 20)
    self.directory = directory
    sources = try (0..<count).map { index in
      let path = try ToneFile.wav("\(index).wav", samples, format, in: directory)
      return .file(try #require(FilePath(path)))
    }
  }

  /// A file that is not there.
  var missing: MediaSource { .file(FilePath(directory.path("missing.wav")) ?? "/missing.wav") }
}
