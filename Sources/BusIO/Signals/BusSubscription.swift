// SPDX-License-Identifier: MIT
package import AgentLoop

/// One subscription to signals. It ends when it is cancelled or its last reference goes. Only the loop's thread may use it.
@AgentLoop
package final class BusSubscription {
  private weak let connection: BusConnection?
  private let listener: UInt64

  init(_ connection: BusConnection, _ listener: UInt64) {
    self.connection = connection
    self.listener = listener
  }

  isolated deinit { cancel() }

  /// Ends the subscription. The handler gets no further signal, not even one that has
  /// arrived already. Calling it again does nothing.
  package func cancel() { connection?.removeListener(listener) }
}
