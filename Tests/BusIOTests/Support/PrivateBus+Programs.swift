// SPDX-License-Identifier: MIT
import BusIO
import FermataTestKit
import Glibc

extension PrivateBus {
  /// A new connection.
  func connect(limits: BusLimits = BusLimits()) async throws -> BusConnection {
    try await BusConnection.open(.address(address), limits: limits, timeout: .patience)
  }

  /// Has the daemon neither read nor write until `thaw`.
  func freeze() { send(signal: SIGSTOP) }
  /// Has it go on.
  func thaw() { send(signal: SIGCONT) }
  /// Ends it the hard way.
  func kill() { send(signal: SIGKILL) }

  /// Runs a program on this bus to its end and answers what it wrote; throws when it fails.
  func run(_ arguments: [String]) throws -> String {
    try Child.run(
      .named(arguments[0], package: "dbus-bin, libglib2.0-bin or systemd"), Array(arguments.dropFirst()),
      environment: environment)
  }
}
