// SPDX-License-Identifier: MIT

/// What somebody asks the queue to take in: an entry that has no identity yet.
public struct EntrySource: Sendable, Hashable {
  /// Where the sound is: a path or a URI, exactly as it is to be opened.
  public var location: String
  /// The part of it to play; nothing for all of it.
  public var span: CueSpan?
  /// Its album, for shuffling by albums.
  public var album: AlbumKey

  /// A source at this place.
  public init(_ location: String, span: CueSpan? = nil, album: AlbumKey = .unknown) {
    self.location = location
    self.span = span
    self.album = album
  }
}
