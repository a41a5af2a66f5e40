// SPDX-License-Identifier: MIT

/// Identifies a file independently of the path that leads to it.
package struct FileIdentity: Sendable, Hashable {
  /// The device number of its file system.
  package let device: UInt64
  /// Its inode number in that file system.
  package let number: UInt64
}
