// SPDX-License-Identifier: MIT

/// Why a connection ended without a call to `close`.
package enum BusLoss: Sendable, Hashable {
  /// The bus went away, or closed the connection.
  case disconnected
  /// The bus did not read, and this many bytes were waiting to be sent.
  case congested(bytes: Int)
}
