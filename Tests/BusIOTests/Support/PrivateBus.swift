// SPDX-License-Identifier: MIT
import BusIO
import Glibc

/// A bus of the test's own in a directory of its own; both end with this.
final class PrivateBus: Sendable {
  let address: String
  let directory: String
  private let daemon: Child

  init() throws {
    var template = Array("/tmp/fermata-bus-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SupportError("no directory: errno \(errno)") }
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let configuration = directory + "/bus.conf"
    try Self.write(Self.configuration(directory), to: configuration)
    daemon = try Child(
      ["dbus-daemon", "--config-file=" + configuration, "--nofork", "--nopidfile", "--print-address=1"],
      environment: ["XDG_RUNTIME_DIR": directory, "HOME": directory])
    // It is printed once the socket listens.
    address = try daemon.read(upTo: UInt8(ascii: "\n"))
    guard !address.isEmpty else { throw SupportError("the bus ended at once") }
  }

  deinit {
    daemon.end()
    for file in ["bus.conf", "socket"] { unlink(directory + "/" + file) }
    rmdir(directory)
  }

  /// Ends the daemon the hard way; what is left of it is tidied up with the object.
  func kill() { Glibc.kill(daemon.pid, SIGKILL) }
  /// Has the daemon neither read nor write until `thaw`.
  func freeze() { Glibc.kill(daemon.pid, SIGSTOP) }
  /// Has it go on.
  func thaw() { Glibc.kill(daemon.pid, SIGCONT) }

  /// A new connection.
  func connect(limits: BusLimits = BusLimits()) async throws -> BusConnection {
    try await BusConnection.open(.address(address), limits: limits)
  }

  /// Runs a program on this bus to its end and answers what it wrote; a failure is answered as its status.
  func run(_ arguments: [String]) throws -> String {
    let child = try Child(
      arguments,
      environment: ["DBUS_SESSION_BUS_ADDRESS": address, "XDG_RUNTIME_DIR": directory, "HOME": directory])
    let output = try child.read(upTo: nil)
    let status = child.end(nil)
    return status == 0 ? output : output + "(status \(status >> 8))"
  }

  private static func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "w") else { throw SupportError("\(path): errno \(errno)") }
    defer { fclose(file) }
    fputs(text, file)
  }

  private static func configuration(_ directory: String) -> String {
    """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <keep_umask/>
      <listen>unix:path=\(directory)/socket</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
      <limit name="max_incoming_bytes">1000000000</limit>
      <limit name="max_outgoing_bytes">1000000000</limit>
      <limit name="max_message_size">134217728</limit>
      <limit name="max_replies_per_connection">50000</limit>
    </busconfig>

    """
  }
}
