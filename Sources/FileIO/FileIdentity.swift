// SPDX-License-Identifier: MIT

/// Which file it is, whatever path leads to it.
package struct FileIdentity: Sendable, Hashable {
  /// The file system that it is on.
  package let device: UInt64
  /// Its number there.
  package let number: UInt64
}
