// SPDX-License-Identifier: MIT

/// The order in which the entries play.
package enum ShuffleMode: String, Sendable, Hashable, CaseIterable {
  /// In the order of the list.
  case off
  /// All entries in random order.
  case songs
  /// Albums in random order, and the entries of each album in the order of the list.
  case albums
}
