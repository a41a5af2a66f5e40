// SPDX-License-Identifier: MIT

/// A playlist as it was read.
public struct PlaylistReading: Sendable, Equatable {
  /// What kind of file it was.
  public let format: PlaylistFormat
  /// What it holds.
  public let playlist: Playlist
  /// The lines that were left out; the first hundred.
  public let problems: [PlaylistProblem]
}
