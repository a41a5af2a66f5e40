// SPDX-License-Identifier: MIT
import AudioModel
import Synchronization

/// A PipeWire of the test's own, with WirePlumber and the PulseAudio server pipewire-pulse.
///
/// Ends with this object, or with `stop()`, which also says whether one of them had died before. Any thread may
/// use it.
package final class PrivatePipeWire: SoundServer {
  /// What stands in PULSE_SERVER for those who shall use it.
  package let serverAddress: String
  /// A whole environment for a child program that uses this server and its bus.
  package let environment: [String: String]
  /// The test's own hand on the server.
  package let control: SoundControl
  /// The session bus that WirePlumber is on: its own, unless it was given one.
  package let bus: PrivateBus

  private let home: ServerHome
  private let daemons: [Child]
  private let wasStopped = Atomic(false)

  /// Starts the servers and waits until they answer and the first sink is the default. Throws when one of them
  /// is not installed, and with its own words when it does not start.
  package convenience init(sinks: [NullSink] = [], bus: PrivateBus? = nil) throws {
    try self.init(in: try ServerHome(), sinks, try bus ?? PrivateBus())
  }

  private init(in home: ServerHome, _ sinks: [NullSink], _ bus: PrivateBus) throws {
    var environment = home.environment.merging(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { $1 }
    environment["PIPEWIRE_RUNTIME_DIR"] = environment["XDG_RUNTIME_DIR"]
    try WirePlumberSettings.write(to: home.directory)
    let socket = home.runtimePath("pulse/native")
    daemons = try Self.start(environment, socket, home)
    self.home = home
    self.bus = bus
    serverAddress = "unix:\(socket)"
    self.environment = environment.merging(["PULSE_SERVER": serverAddress]) { $1 }
    control = try SoundControl(address: serverAddress)
    do { try waitUntilReady(sinks) } catch {
      try check()  // a death explains it better
      throw error
    }
  }

  private static func start(_ environment: [String: String], _ socket: String, _ home: ServerHome) throws
    -> [Child]
  {
    let core = try Child(.named("pipewire", package: "pipewire"), environment: environment)
    try LocalSocket.waitConnectable(home.runtimePath("pipewire-0"), server: core, until: .patient)
    let manager = try Child(.named("wireplumber", package: "wireplumber"), environment: environment)
    let pulse = try Child(.named("pipewire-pulse", package: "pipewire-pulse"), environment: environment)
    try LocalSocket.waitConnectable(socket, server: pulse, until: .patient)
    return [pulse, manager, core]
  }

  // pipewire-pulse answers before WirePlumber has looked around; a default sink is WirePlumber's doing.
  private func waitUntilReady(_ sinks: [NullSink]) throws {
    for sink in sinks { try load(sink: sink) }
    try waitForDefault()
    guard let first = sinks.first else { return }
    try control.setDefaultSink(first.name)
    try control.wait(for: "\(first.name) as the default") { $0.server.defaultSink == first.name }
  }

  /// Adds a null sink while the server runs, and waits until it is there.
  ///
  /// WirePlumber 0.4 whose first sink gets a stream before it has chosen a default never chooses one, one time in fifty: so a default
  /// is there as well.
  package func load(sink: NullSink) throws {
    try control.load("module-null-sink", sink.arguments)
    try control.wait(for: "the new sink \(sink.name)") { $0.sink(named: sink.name) != nil }
    try waitForDefault()
  }

  private func waitForDefault() throws {
    try control.wait(for: "WirePlumber's choice of a sink") { world in
      world.sink(named: world.server.defaultSink) != nil
    }
  }

  /// Plugs in a card without hardware. Builds it first when that has not been done.
  package func insert(_ layout: CardLayout) throws -> any VirtualCard {
    try PipeWireCard(layout, on: control, environment: environment)
  }

  /// Sends all of the servers a signal: to have them stop and go on.
  package func send(signal: Int32) { for daemon in daemons { daemon.send(signal: signal) } }

  /// Throws when one of the servers has died, with its last words.
  package func check() throws {
    for daemon in daemons { try daemon.check() }
    try bus.check()
  }

  /// Ends the servers, and the bus when it is theirs. Throws when one had died before.
  package func stop() throws {
    defer { for daemon in daemons { daemon.stop() } }
    guard !wasStopped.exchange(true, ordering: .relaxed) else { return }
    try check()
  }

  /// Kills all of it as a crash would, so that its clients see the connection break.
  package func crash() {
    wasStopped.store(true, ordering: .relaxed)
    for daemon in daemons { daemon.kill() }
  }

  /// Another PipeWire at this address. WirePlumber remembers what it had stored.
  package func successor(sinks: [NullSink]) throws -> any SoundServer {
    try PrivatePipeWire(in: home, sinks, bus)
  }
}

/// Runs a body with a private PipeWire and ends the servers. Throws when one of them died meanwhile.
package func withPipeWire<R>(
  sinks: [NullSink] = [], bus: PrivateBus? = nil, _ body: (PrivatePipeWire) throws -> R
) throws -> R {
  try using(try PrivatePipeWire(sinks: sinks, bus: bus), body)
}

/// Runs an asynchronous body with a private PipeWire and ends the servers; see above.
package func withPipeWire<R>(
  sinks: [NullSink] = [], bus: PrivateBus? = nil, _ body: (PrivatePipeWire) async throws -> R
) async throws -> R {
  try await using(try PrivatePipeWire(sinks: sinks, bus: bus), body)
}
