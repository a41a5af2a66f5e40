// SPDX-License-Identifier: MIT
public import MediaModel

/// A playlist that is kept, as far as others are told of it.
public struct SavedPlaylist: Sendable, Hashable {
  /// Its file; this is who it is.
  public var file: FilePath
  /// What it is called.
  public var name: String
  /// The URI of a picture for it.
  public var icon: String?
  /// When it was made, in nanoseconds since 1970; absent where nobody noted it.
  public var created: Int64?
  /// When it was last written.
  public var modified: Int64?
  /// When it was last played.
  public var played: Int64?

  /// A playlist in a file.
  public init(
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
