// SPDX-License-Identifier: MIT

/// What somebody asks the queue to take in: an entry that has no identity yet.
package struct EntrySource: Sendable, Hashable {
  /// Where the sound is: a path or a URI, exactly as it is to be opened.
  package var location: String
  /// The part of it to play; nothing for all of it.
  package var span: CueSpan?
  /// Its album, for shuffling by albums.
  package var album: AlbumKey

  /// A source at this place.
  package init(_ location: String, span: CueSpan? = nil, album: AlbumKey = .unknown) {
    self.location = location
    self.span = span
    self.album = album
  }
}
