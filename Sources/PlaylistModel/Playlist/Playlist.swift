// SPDX-License-Identifier: MIT

/// A list of things to play, in order.
public struct Playlist: Sendable, Hashable {
  /// Its name; a CUE sheet's is the album's.
  public var title: String?
  /// Whose it is; a CUE sheet's is the album's artist.
  public var performer: String?
  /// What it holds.
  public var entries: [PlaylistEntry]

  /// A list of these.
  public init(title: String? = nil, performer: String? = nil, entries: [PlaylistEntry] = []) {
    self.title = title
    self.performer = performer
    self.entries = entries
  }
}
