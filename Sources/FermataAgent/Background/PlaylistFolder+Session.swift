// SPDX-License-Identifier: MIT
public import SourceIO

extension PlaylistFolder {
  /// Where this user's playlists are kept; nil where the environment says of no home.
  public static var session: PlaylistFolder? { Surroundings.playlistFolder.map { PlaylistFolder($0) } }
}
