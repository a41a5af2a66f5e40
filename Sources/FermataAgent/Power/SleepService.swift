// SPDX-License-Identifier: MIT
package import AgentLoop
package import BusIO
import BusModel
import PlaybackLogic

/// Learns from logind that the machine is about to sleep, and delays that until the sound has ended.
///
/// Without a system bus, sleep is not announced: the log gets one line, and the bus is tried again only when `start` is called again. Without logind
/// it is not announced either, but the bus tells when logind starts.
@AgentLoop
package final class SleepService {
  private static let logind: BusName = "org.freedesktop.login1"
  private static let path: ObjectPath = "/org/freedesktop/login1"
  private static let manager: InterfaceName = "org.freedesktop.login1.Manager"

  private let service: PlayerService
  private let endpoint: BusEndpoint
  private let log: Log
  private var watch = SleepWatch()
  private var connection: BusConnection?
  private var subscriptions: [BusSubscription] = []
  /// logind's inhibitor: while this is held, the machine does not sleep, but only as long as logind allows.
  private var delay: BusDescriptor?
  private var isStarted = false
  private var isStopped = false
  private var hasComplained = false

  package init(_ service: PlayerService, on endpoint: BusEndpoint = .system, _ log: Log = .quiet) {
    self.service = service
    self.endpoint = endpoint
    self.log = log
  }

  /// Begins to listen to logind. Does nothing if it does so already, or has lost the system bus.
  package func start() {
    guard !isStarted, !isStopped else { return }
    isStarted = true
    AgentLoop.task { [weak self] in await self?.connect() }
  }

  /// Lets the machine sleep, and leaves the bus.
  package func stop() {
    isStopped = true
    delay = nil
    subscriptions = []
    connection?.close()
    connection = nil
  }

  private func connect() async {
    let connection: BusConnection
    do throws(BusError) {
      connection = try await BusConnection.open(endpoint)
    } catch {
      isStarted = false
      return complain(error)
    }
    guard !isStopped else { return connection.close() }
    do throws(BusError) {
      self.connection = connection
      // The system bus usually ends only with the machine, so we do not connect to it again.
      connection.onLoss = { [weak self] _ in self?.lost() }
      try await listen(on: connection)
    } catch {
      guard !isStopped else { return }
      complain(error)
      subscriptions = []
      connection.close()
      (self.connection, isStarted) = (nil, false)
    }
  }

  private func listen(on connection: BusConnection) async throws(BusError) {
    let rule = MatchRule(
      sender: Self.logind, path: Self.path, interface: Self.manager, member: "PrepareForSleep")
    subscriptions.append(try await connection.subscribe(rule) { [weak self] in self?.hear($0) })
    subscriptions.append(
      try await connection.nameOwnerChanges(of: Self.logind) { [weak self] in self?.hear($0) })
    // This question does not start logind: if it does not run, no sleep is announced.
    if try await connection.owner(of: Self.logind) != nil { take(.logindCame) }
  }

  private func lost() {
    complain(BusError(.disconnected, "the system bus is gone"))
    take(.logindWent)
    connection = nil
  }

  private func complain(_ error: BusError) {
    guard !hasComplained else { return }
    hasComplained = true
    log(.info, "the machine's sleep is not waited for: \(error.message)")
  }

  // MARK: What logind says

  private func hear(_ change: BusNameChange) {
    // A new logind does not know the inhibitor that the old one granted.
    if change.oldOwner != nil { take(.logindWent) }
    if change.newOwner != nil { take(.logindCame) }
  }

  private func hear(_ signal: BusSignal) {
    guard case .boolean(let isBefore)? = signal.arguments.first else { return }
    take(isBefore ? .prepares : .woke)
  }

  // MARK: What follows

  private func take(_ event: SleepWatch.Event) {
    for output in watch.handle(event) {
      switch output {
      case .askForDelay: askForDelay()
      case .release: delay = nil
      case .fallAsleep: fallAsleep()
      case .wakeUp: service.wakeUp()
      }
    }
  }

  private func fallAsleep() {
    // At once: that the machine woke up may be told next, before any task begins.
    service.fallAsleep()
    AgentLoop.task { [weak self, service] in
      await service.untilSilent()
      self?.take(.silent)
    }
  }

  private func askForDelay() {
    guard let connection else { return }
    let target = BusTarget(Self.logind, Self.path, Self.manager, "Inhibit")
    let arguments: [WireValue] = .arguments("sleep", "fermata", "the music pauses first", "delay")
    AgentLoop.task { [weak self] in
      do throws(BusError) {
        let granted = try await connection.callForDescriptor(target, arguments)
        self?.delay = granted
        self?.take(.answered(isGranted: true))
      } catch {
        self?.complain(error)
        self?.take(.answered(isGranted: false))
      }
    }
  }
}
