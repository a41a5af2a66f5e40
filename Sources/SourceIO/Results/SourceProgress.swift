// SPDX-License-Identifier: MIT
public import MediaModel

/// How far an expansion has come.
public struct SourceProgress: Sendable, Hashable {
  /// The entries found so far.
  public let entries: Int
  /// The folder or playlist that comes next.
  public let current: FilePath
}
