// SPDX-License-Identifier: MIT

/// The limits of one expansion. What exceeds them is left out and reported as a problem. They bound the memory that
/// an expansion uses and the time that it takes, whatever the files contain.
package struct SourceLimits: Sendable, Hashable {
  /// The most entries in total.
  package var entries = 1_000_000
  /// The most steps in total. Each name in a folder is one step, and so is each line of a playlist and every 64 bytes
  /// of one.
  package var steps = 20_000_000
  /// The most usable names from one folder. They are held in memory while the folder is sorted.
  package var namesPerFolder = 1_000_000
  /// How deep folders may be nested.
  package var folderDepth = 64
  /// How deep playlists may be nested.
  package var playlistDepth = 8
  /// The largest playlist that is read, in bytes.
  package var playlistBytes = 16 << 20
  /// The largest CUE sheet that is read when it was only found in a folder and not named by the user, in bytes.
  package var sheetBytes = 1 << 20
  /// If a folder has more sound files than this, their tags are not read and they are ordered by name.
  package var taggedFiles = 300
  /// The most problems that are kept. Further ones are only counted.
  package var problems = 1_000

  /// The default limits.
  package init() {}
}
