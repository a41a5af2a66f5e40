// SPDX-License-Identifier: MIT
import AudioModel
import Synchronization

/// A PulseAudio server of the test's own.
///
/// Ends with this object, or with `stop()`, which also says whether it had died before. Any thread may use it.
package final class PrivatePulse: SoundServer {
  /// What stands in PULSE_SERVER for those who shall use it.
  package let serverAddress: String
  /// A whole environment for a child program that uses this server.
  package let environment: [String: String]
  /// The test's own hand on the server.
  package let control: SoundControl

  private let home: ServerHome
  private let modules: [PulseModule]
  private let settings: [String: String]
  private let daemon: Child
  private let wasStopped = Atomic(false)

  /// Starts a server and waits until it answers; its sinks are there by then, and the first is the default.
  /// `settings` are lines of daemon.conf. Throws when there is no PulseAudio, when it does
  /// not start, and when it refuses one of these.
  package convenience init(
    sinks: [NullSink] = [], modules: [PulseModule] = .usual, settings: [String: String] = [:]
  ) throws {
    try self.init(in: try ServerHome(), sinks, modules, settings)
  }

  private init(
    in home: ServerHome, _ sinks: [NullSink], _ modules: [PulseModule], _ settings: [String: String]
  ) throws {
    let socket = home.runtimePath("pulse/native")
    try home.directory.makeFolder("run/pulse")
    try home.directory.makeFolder(".config/pulse")
    try home.directory.write(".config/pulse/daemon.conf", Self.settings(settings))
    let script = try home.directory.write(
      "server.pa", "load-module module-native-protocol-unix auth-anonymous=1 socket=\(socket)\n")
    let daemon = try Child(
      Self.program(),
      [
        "-n", "--dl-search-path=\(Self.modulePath.get())", "--daemonize=no", "--exit-idle-time=-1",
        "--log-target=stderr", "-F", script,
      ],
      environment: home.environment)
    try LocalSocket.waitConnectable(socket, server: daemon, until: .patient)
    self.home = home
    self.modules = modules
    self.settings = settings
    self.daemon = daemon
    serverAddress = "unix:\(socket)"
    environment = home.environment.merging(["PULSE_SERVER": serverAddress]) { $1 }
    control = try SoundControl(address: serverAddress)
    // Not in the script: server 16.1 passes over a module that fails there.
    for sink in sinks { try load(sink: sink) }
    for module in modules { try control.load(module.name, module.arguments) }
    if let first = sinks.first { try control.setDefaultSink(first.name) }
  }

  /// Adds a null sink while the server runs, and waits until it is there.
  package func load(sink: NullSink) throws {
    try control.load("module-null-sink", sink.pulseArguments)
    try control.wait(for: "the new sink \(sink.name)") { $0.sink(named: sink.name) != nil }
  }

  /// Plugs in a card without hardware. Builds it first when that has not been done; the first time this fetches
  /// the server's headers.
  package func insert(_ layout: CardLayout) throws -> any VirtualCard {
    try PulseCard(layout, on: control)
  }

  /// Sends the server a signal: to have it stop and go on.
  package func send(signal: Int32) { daemon.send(signal: signal) }

  /// Throws when the server has died, with its last words.
  package func check() throws { try daemon.check() }

  /// Ends the server. Throws when it had died before.
  package func stop() throws {
    defer { daemon.stop() }
    guard !wasStopped.exchange(true, ordering: .relaxed) else { return }
    try check()
  }

  /// Kills the server as a crash would, so that its clients see the connection break.
  package func crash() {
    wasStopped.store(true, ordering: .relaxed)
    daemon.kill()
  }

  /// Another PulseAudio at this address, with the same modules and settings.
  package func successor(sinks: [NullSink]) throws -> any SoundServer {
    try PrivatePulse(in: home, sinks, modules, settings)
  }

  private static func program() throws -> Program { try .named("pulseaudio", package: "pulseaudio") }

  // The server takes modules from folders named at its start only: its own, which it has to be asked for, and
  // the one of virtual cards.
  private static let modulePath = Result<String, any Error> {
    let settings = try Child.run(program(), ["--dump-conf"])
    let line = settings.split(separator: "\n").first { $0.hasPrefix("dl-search-path") }
    guard let own = line?.split(separator: " ").last else {
      throw KitError("pulseaudio has no module folder")
    }
    return "\(own):\(CardProgram.folder)"
  }

  // Floats throughout, so that a recording is what was played, bit for bit. Nothing that asks other programs of
  // the machine for favours.
  private static func settings(_ settings: [String: String]) -> String {
    let usual = [
      "default-sample-format": "float32le", "flat-volumes": "no", "realtime-scheduling": "no",
      "high-priority": "no", "system-instance": "no",
    ]
    return usual.merging(settings) { $1 }.map { "\($0) = \($1)\n" }.sorted().joined()
  }
}

/// Runs a body with a private PulseAudio and ends the server. Throws when the server died meanwhile.
package func withPulse<R>(
  sinks: [NullSink] = [], modules: [PulseModule] = .usual, _ body: (PrivatePulse) throws -> R
) throws -> R {
  try using(try PrivatePulse(sinks: sinks, modules: modules), body)
}

/// Runs an asynchronous body with a private PulseAudio and ends the server; see above.
package func withPulse<R>(
  sinks: [NullSink] = [], modules: [PulseModule] = .usual, _ body: (PrivatePulse) async throws -> R
) async throws -> R {
  try await using(try PrivatePulse(sinks: sinks, modules: modules), body)
}
