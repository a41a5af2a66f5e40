// SPDX-License-Identifier: MIT

/// A private session bus for a test. It starts no services unless it is given folders of service files.
///
/// It ends when this object is released, or with `stop()`, which throws if it had died before. Any thread may use it.
package final class PrivateBus: Sendable {
  /// The value of DBUS_SESSION_BUS_ADDRESS for programs that should use it.
  package let address: String
  /// A complete environment for a child program that uses this bus and nothing else of this machine.
  package let environment: [String: String]

  private let home: ServerHome
  private let daemon: Child

  /// Starts a bus and waits until it listens. With folders of service files it also starts the services that they
  /// describe, in the environment above plus `activationEnvironment`. Throws if dbus-daemon isn't installed.
  package init(serviceFolders: [String] = [], activationEnvironment: [String: String] = [:]) throws {
    home = try ServerHome()
    let socket = home.runtimePath("bus")
    address = "unix:path=\(socket)"
    environment = home.environment.merging(["DBUS_SESSION_BUS_ADDRESS": address]) { $1 }
    let configuration = try home.directory.write("bus.conf", Self.configuration(address, serviceFolders))
    daemon = try Child(
      .named("dbus-daemon", package: "dbus-daemon"),
      ["--config-file=\(configuration)", "--nofork", "--nopidfile", "--nosyslog"],
      environment: environment.merging(activationEnvironment) { $1 })
    try LocalSocket.waitConnectable(socket, server: daemon, until: .patient)
  }

  /// Sends a signal to the daemon, to kill it or to stop and continue it.
  package func send(signal: Int32) { daemon.send(signal: signal) }

  /// Throws if the bus has died, with the end of its error output.
  package func check() throws { try daemon.check() }

  /// Ends the bus. Throws if it had died before.
  package func stop() throws {
    defer { daemon.stop() }
    try check()
  }

  private static func configuration(_ address: String, _ serviceFolders: [String]) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>\(address)</listen>
      <auth>EXTERNAL</auth>
      \(serviceFolders.map { "<servicedir>\($0)</servicedir>" }.joined())
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
      <!-- The limits of a desktop's session bus; without them it keeps those of a system bus. -->
      <limit name="max_incoming_bytes">1000000000</limit>
      <limit name="max_outgoing_bytes">1000000000</limit>
      <limit name="max_message_size">1000000000</limit>
      <limit name="max_replies_per_connection">50000</limit>
      <limit name="max_match_rules_per_connection">50000</limit>
    </busconfig>
    """
  }
}
