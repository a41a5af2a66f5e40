// SPDX-License-Identifier: MIT

/// A playlist as it was read.
package struct PlaylistReading: Sendable, Equatable {
  /// What kind of file it was.
  package let format: PlaylistFormat
  /// What it holds.
  package let playlist: Playlist
  /// The lines that were left out; the first hundred.
  package let problems: [PlaylistProblem]
}
