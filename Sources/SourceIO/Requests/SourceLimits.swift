// SPDX-License-Identifier: MIT

/// How far an expansion goes before it leaves out the rest and says so. What it holds in memory and how
/// long it can be kept busy follow from these, whatever the files say.
package struct SourceLimits: Sendable, Hashable {
  /// Entries in all.
  package var entries = 1_000_000
  /// Steps in all: a name in a folder, a line of a playlist and 64 bytes of one are a step each.
  package var steps = 20_000_000
  /// Names of use in one folder, which are held while it is put in order.
  package var namesPerFolder = 1_000_000
  /// Folders within folders.
  package var folderDepth = 64
  /// Playlists within playlists.
  package var playlistDepth = 8
  /// Bytes of a playlist.
  package var playlistBytes = 16 << 20
  /// Bytes of a CUE sheet that nobody named, in a folder.
  package var sheetBytes = 1 << 20
  /// Files in a folder whose tags are read for their order.
  package var taggedFiles = 300
  /// Problems that are kept; the others are counted.
  package var problems = 1_000

  /// The usual limits.
  package init() {}
}
