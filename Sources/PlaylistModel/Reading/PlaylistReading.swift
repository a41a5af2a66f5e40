// SPDX-License-Identifier: MIT

/// The result of reading a playlist file.
package struct PlaylistReading: Sendable, Equatable {
  /// The format of the file.
  package let format: PlaylistFormat
  /// The playlist.
  package let playlist: Playlist
  /// The lines that were left out, at most the first hundred.
  package let problems: [PlaylistProblem]
}
