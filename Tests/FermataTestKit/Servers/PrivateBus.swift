// SPDX-License-Identifier: MIT

/// A session bus of the test's own. It starts no services unless it is given folders of service files.
///
/// Ends with this object, or with `stop()`, which also says whether it had died before. Any thread may use it.
package final class PrivateBus: Sendable {
  /// What stands in DBUS_SESSION_BUS_ADDRESS for those who shall use it.
  package let address: String
  /// A whole environment for a child program that uses this bus and else knows nothing of this machine.
  package let environment: [String: String]

  private let home: ServerHome
  private let daemon: Child

  /// Starts a bus and waits until it listens. With folders of service files it also starts what they describe, in
  /// the environment above and what `activationEnvironment` adds. Throws when there is no dbus-daemon.
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

  /// Sends the daemon a signal: to kill it, or to have it stop and go on.
  package func send(signal: Int32) { daemon.send(signal: signal) }

  /// Throws when the bus has died, with its last words.
  package func check() throws { try daemon.check() }

  /// Ends the bus. Throws when it had died before.
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
