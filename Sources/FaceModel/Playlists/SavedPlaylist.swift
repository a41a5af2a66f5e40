// SPDX-License-Identifier: MIT
package import MediaModel

/// A playlist that is kept, as far as others are told of it.
package struct SavedPlaylist: Sendable, Hashable {
  /// Its file; this is who it is.
  package var file: FilePath
  /// What it is called.
  package var name: String
  /// The URI of a picture for it.
  package var icon: String?
  /// When it was made, in nanoseconds since 1970; absent where nobody noted it.
  package var created: Int64?
  /// When it was last written.
  package var modified: Int64?
  /// When it was last played.
  package var played: Int64?

  /// A playlist in a file.
  package init(
    file: FilePath, name: String, icon: String? = nil, created: Int64? = nil, modified: Int64? = nil,
    played: Int64? = nil
  ) {
    self.file = file
    self.name = name
    self.icon = icon
    self.created = created
    self.modified = modified
    self.played = played
  }
}
