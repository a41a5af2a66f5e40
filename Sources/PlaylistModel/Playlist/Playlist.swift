// SPDX-License-Identifier: MIT

/// A list of things to play, in order.
package struct Playlist: Sendable, Hashable {
  /// Its name; for a CUE sheet, the title of the album.
  package var title: String?
  /// Its creator; for a CUE sheet, the artist of the album.
  package var performer: String?
  /// Its entries, in order.
  package var entries: [PlaylistEntry]

  /// A playlist with these entries.
  package init(title: String? = nil, performer: String? = nil, entries: [PlaylistEntry] = []) {
    self.title = title
    self.performer = performer
    self.entries = entries
  }
}
