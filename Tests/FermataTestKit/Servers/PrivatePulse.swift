// SPDX-License-Identifier: MIT
import AudioModel
import Synchronization

/// A private PulseAudio server for a test.
///
/// It ends when this object is released, or with `stop()`, which throws if it had died before. Any thread may use it.
package final class PrivatePulse: SoundServer {
  /// The value of PULSE_SERVER for programs that should use it.
  package let serverAddress: String
  /// A complete environment for a child program that uses this server.
  package let environment: [String: String]
  /// Controls the server for the test.
  package let control: SoundControl

  private let home: ServerHome
  private let modules: [PulseModule]
  private let settings: [String: String]
  private let daemon: Child
  private let wasStopped = Atomic(false)

  /// Starts a server and waits until it answers. By then its sinks exist, and the first is the default. `settings`
  /// are lines of daemon.conf. Throws if PulseAudio isn't installed, if it doesn't start, and if it rejects one of
  /// the sinks or modules.
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
    // These are not in the script, because server 16.1 ignores a module that fails there.
    for sink in sinks { try load(sink: sink) }
    for module in modules { try control.load(module.name, module.arguments) }
    if let first = sinks.first { try control.setDefaultSink(first.name) }
  }

  /// Adds a null sink while the server runs, and waits until it exists.
  package func load(sink: NullSink) throws {
    try control.load("module-null-sink", sink.pulseArguments)
    try control.wait(for: "the new sink \(sink.name)") { $0.sink(named: sink.name) != nil }
  }

  /// Plugs in a virtual card. Builds the card module first if needed; the first build fetches the server's headers.
  package func insert(_ layout: CardLayout) throws -> any VirtualCard {
    try PulseCard(layout, on: control)
  }

  /// Sends a signal to the server, to stop and continue it.
  package func send(signal: Int32) { daemon.send(signal: signal) }

  /// Throws if the server has died, with the end of its error output.
  package func check() throws { try daemon.check() }

  /// Ends the server. Throws if it had died before.
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

  /// Starts another PulseAudio at the same address, with the same modules and settings.
  package func successor(sinks: [NullSink]) throws -> any SoundServer {
    try PrivatePulse(in: home, sinks, modules, settings)
  }

  private static func program() throws -> Program { try .named("pulseaudio", package: "pulseaudio") }

  // The server loads modules only from folders that are given at its start. They are its own folder, which it has to
  // be asked for, and the one of the virtual cards.
  private static let modulePath = Result<String, any Error> {
    let settings = try Child.run(program(), ["--dump-conf"])
    let line = settings.split(separator: "\n").first { $0.hasPrefix("dl-search-path") }
    guard let own = line?.split(separator: " ").last else {
      throw KitError("pulseaudio has no module folder")
    }
    return "\(own):\(CardProgram.folder)"
  }

  // Floats throughout, so that a recording is the same as what was played, bit for bit. And nothing for which the
  // server would need other programs of the machine.
  private static func settings(_ settings: [String: String]) -> String {
    let usual = [
      "default-sample-format": "float32le", "flat-volumes": "no", "realtime-scheduling": "no",
      "high-priority": "no", "system-instance": "no",
    ]
    return usual.merging(settings) { $1 }.map { "\($0) = \($1)\n" }.sorted().joined()
  }
}

/// Runs a body with a private PulseAudio, then ends the server. Throws if the server died meanwhile.
package func withPulse<R>(
  sinks: [NullSink] = [], modules: [PulseModule] = .usual, _ body: (PrivatePulse) throws -> R
) throws -> R {
  try using(try PrivatePulse(sinks: sinks, modules: modules), body)
}

/// The same with an asynchronous body.
package func withPulse<R>(
  sinks: [NullSink] = [], modules: [PulseModule] = .usual, _ body: (PrivatePulse) async throws -> R
) async throws -> R {
  try await using(try PrivatePulse(sinks: sinks, modules: modules), body)
}
