// SPDX-License-Identifier: MIT

/// Which file it is, whatever path leads to it.
public struct FileIdentity: Sendable, Hashable {
  /// The file system that it is on.
  public let device: UInt64
  /// Its number there.
  public let number: UInt64
}
