// SPDX-License-Identifier: MIT

/// What the music does while somebody else's stream goes before it.
package enum RolePolicy: String, Sendable, CaseIterable {
  /// Falls silent, and goes on afterwards.
  case pause
  /// Becomes quieter.
  case duck
  /// Nothing.
  case ignore
}
