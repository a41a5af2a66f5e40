// SPDX-License-Identifier: MIT
package import AgentLoop

/// Keeps signals coming until it is cancelled or let go of.
@AgentLoop
package final class BusSubscription {
  private weak let connection: BusConnection?
  private let listener: UInt64

  init(_ connection: BusConnection, _ listener: UInt64) {
    self.connection = connection
    self.listener = listener
  }

  isolated deinit { cancel() }

  /// No signal comes after this, not even one that has arrived already. Once is enough.
  package func cancel() { connection?.removeListener(listener) }
}
