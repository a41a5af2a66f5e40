// SPDX-License-Identifier: MIT

/// What to add to the queue: an entry that has no identity yet.
package struct EntrySource: Sendable, Hashable {
  /// The location of the sound: a path or a URI, exactly as it will be opened.
  package var location: String
  /// The part of the file to play; nil for the whole file.
  package var span: CueSpan?
  /// The album, for shuffling by albums.
  package var album: AlbumKey

  /// A source with this location.
  package init(_ location: String, span: CueSpan? = nil, album: AlbumKey = .unknown) {
    self.location = location
    self.span = span
    self.album = album
  }
}
