// SPDX-License-Identifier: MIT

/// A list of things to play, in order.
package struct Playlist: Sendable, Hashable {
  /// Its name; a CUE sheet's is the album's.
  package var title: String?
  /// Whose it is; a CUE sheet's is the album's artist.
  package var performer: String?
  /// What it holds.
  package var entries: [PlaylistEntry]

  /// A list of these.
  package init(title: String? = nil, performer: String? = nil, entries: [PlaylistEntry] = []) {
    self.title = title
    self.performer = performer
    self.entries = entries
  }
}
