// SPDX-License-Identifier: MIT
package import MediaModel

/// A saved playlist, with what clients are told of it.
package struct SavedPlaylist: Sendable, Hashable {
  /// Its file, which identifies it.
  package var file: FilePath
  /// What it is called.
  package var name: String
  /// The URI of a picture for it.
  package var icon: String?
  /// When it was made, in nanoseconds since 1970; nil if that is not known.
  package var created: Int64?
  /// When it was last written, in the same unit.
  package var modified: Int64?
  /// When it was last played, in the same unit; nil if that is not known.
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
