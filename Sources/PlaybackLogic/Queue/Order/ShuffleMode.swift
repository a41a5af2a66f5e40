// SPDX-License-Identifier: MIT

/// In which order the entries play.
package enum ShuffleMode: String, Sendable, Hashable, CaseIterable {
  /// As they stand in the list.
  case off
  /// Each entry by chance.
  case songs
  /// Albums by chance, the entries of each as they stand in the list.
  case albums
}
