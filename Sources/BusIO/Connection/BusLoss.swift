// SPDX-License-Identifier: MIT

/// Why a connection ended without being asked to.
package enum BusLoss: Sendable, Hashable {
  /// The bus went away, or threw us out.
  case disconnected
  /// The bus read nothing while so many bytes came together.
  case congested(bytes: Int)
}
