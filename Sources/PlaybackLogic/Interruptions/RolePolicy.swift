// SPDX-License-Identifier: MIT

/// What the music does while another program's stream takes precedence.
package enum RolePolicy: String, Sendable, CaseIterable {
  /// It falls silent, and goes on afterwards.
  case pause
  /// It becomes quieter.
  case duck
  /// It goes on unchanged.
  case ignore
}
