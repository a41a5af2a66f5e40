// SPDX-License-Identifier: MIT
import AudioModel
import Synchronization

/// A private PipeWire for a test, with WirePlumber and the PulseAudio server pipewire-pulse.
///
/// It ends when this object is released, or with `stop()`, which throws if one of the servers had died before. Any
/// thread may use it.
package final class PrivatePipeWire: SoundServer {
  /// The value of PULSE_SERVER for programs that should use it.
  package let serverAddress: String
  /// A complete environment for a child program that uses this server and its bus.
  package let environment: [String: String]
  /// Controls the server for the test.
  package let control: SoundControl
  /// The session bus that WirePlumber uses: a new one, unless one was given.
  package let bus: PrivateBus

  private let home: ServerHome
  private let daemons: [Child]
  private let wasStopped = Atomic(false)

  /// Starts the servers and waits until they answer and the first sink is the default. Throws if one of them is not
  /// installed; if one doesn't start, throws with its error output.
  package convenience init(sinks: [NullSink] = [], bus: PrivateBus? = nil) throws {
    try self.init(in: try ServerHome(), sinks, try bus ?? PrivateBus())
  }

  private init(in home: ServerHome, _ sinks: [NullSink], _ bus: PrivateBus) throws {
    var environment = home.environment.merging(["DBUS_SESSION_BUS_ADDRESS": bus.address]) { $1 }
    environment["PIPEWIRE_RUNTIME_DIR"] = environment["XDG_RUNTIME_DIR"]
    try WirePlumberSettings.write(to: home.directory)
    try Self.setRate(of: sinks, in: home.directory)
    let socket = home.runtimePath("pulse/native")
    daemons = try Self.start(environment, socket, home)
    self.home = home
    self.bus = bus
    serverAddress = "unix:\(socket)"
    self.environment = environment.merging(["PULSE_SERVER": serverAddress]) { $1 }
    control = try SoundControl(address: serverAddress)
    do { try waitUntilReady(sinks) } catch {
      try check()  // the death of a server is the better error
      throw error
    }
  }

  /// All sinks run at one rate, 48 kHz where nobody says otherwise, and newer PipeWires change the sound on its way to a sink of another
  /// one. A test that hears each sample needs its sink's rate there.
  private static func setRate(of sinks: [NullSink], in directory: TemporaryDirectory) throws {
    guard let rate = sinks.first?.rate else { return }
    try directory.makeFolder(".config/pipewire/pipewire.conf.d")
    try directory.write(
      ".config/pipewire/pipewire.conf.d/60-private.conf",
      "context.properties = { default.clock.rate = \(rate) default.clock.allowed-rates = [ \(rate) ] }\n")
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

  // pipewire-pulse answers before WirePlumber has set up the devices. It is WirePlumber that chooses a default sink,
  // so this waits for that.
  private func waitUntilReady(_ sinks: [NullSink]) throws {
    for sink in sinks { try load(sink: sink) }
    if sinks.isEmpty { try waitForDefault(orElse: nil) }
    guard let first = sinks.first else { return }
    try control.setDefaultSink(first.name)
    try control.wait(for: "\(first.name) as the default") { $0.server.defaultSink == first.name }
  }

  /// Adds a null sink while the server runs, and waits until it exists and there is a default sink.
  ///
  /// If the first sink of WirePlumber 0.4 gets a stream before WirePlumber has chosen a default, one time in fifty it never chooses one. That is why this
  /// waits for a default too. An agent that is there already may be so quick; then the choice is made here, as a person would make it.
  package func load(sink: NullSink) throws {
    try control.load("module-null-sink", sink.arguments)
    try control.wait(for: "the new sink \(sink.name)") { $0.sink(named: sink.name) != nil }
    try waitForDefault(orElse: sink)
  }

  private func waitForDefault(orElse sink: NullSink?) throws {
    let isChosen = { (world: AudioWorld) in world.sink(named: world.server.defaultSink) != nil }
    let choice = "WirePlumber's choice of a sink"
    guard let sink else { return _ = try control.wait(for: choice, isChosen) }
    if (try? control.wait(for: choice, within: .seconds(20), isChosen)) != nil { return }
    try control.setDefaultSink(sink.name)
    try control.wait(for: choice, isChosen)
  }

  /// Plugs in a virtual card. Builds the card program first if needed.
  package func insert(_ layout: CardLayout) throws -> any VirtualCard {
    try PipeWireCard(layout, on: control, environment: environment)
  }

  /// Sends a signal to all servers, to stop and continue them.
  package func send(signal: Int32) { for daemon in daemons { daemon.send(signal: signal) } }

  /// Sends a signal to WirePlumber alone. While it is stopped the server says yes to whatever it would carry out, and nothing happens.
  package func send(signalToManager signal: Int32) { daemons[1].send(signal: signal) }

  /// Throws if one of the servers has died, with the end of its error output.
  package func check() throws {
    for daemon in daemons { try daemon.check() }
    try bus.check()
  }

  /// Ends the servers. Throws if one of them or the bus had died before. A bus that was not given ends with this
  /// object.
  package func stop() throws {
    defer { for daemon in daemons { daemon.stop() } }
    guard !wasStopped.exchange(true, ordering: .relaxed) else { return }
    try check()
  }

  /// Kills the servers as a crash would, so that their clients see the connection break.
  package func crash() {
    wasStopped.store(true, ordering: .relaxed)
    for daemon in daemons { daemon.kill() }
  }

  /// Starts another PipeWire at the same address. WirePlumber still has what it had stored.
  package func successor(sinks: [NullSink]) throws -> any SoundServer {
    try PrivatePipeWire(in: home, sinks, bus)
  }
}

/// Runs a body with a private PipeWire, then ends the servers. Throws if one of them died meanwhile.
package func withPipeWire<R>(
  sinks: [NullSink] = [], bus: PrivateBus? = nil, _ body: (PrivatePipeWire) throws -> R
) throws -> R {
  try using(try PrivatePipeWire(sinks: sinks, bus: bus), body)
}

/// The same with an asynchronous body.
package func withPipeWire<R>(
  sinks: [NullSink] = [], bus: PrivateBus? = nil, _ body: (PrivatePipeWire) async throws -> R
) async throws -> R {
  try await using(try PrivatePipeWire(sinks: sinks, bus: bus), body)
}
