// SPDX-License-Identifier: MIT
package import MediaModel

/// How far an expansion has come.
package struct SourceProgress: Sendable, Hashable {
  /// The entries found so far.
  package let entries: Int
  /// The folder or playlist that is read next.
  package let current: FilePath
}
