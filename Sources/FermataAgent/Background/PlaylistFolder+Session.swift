// SPDX-License-Identifier: MIT
package import SourceIO

extension PlaylistFolder {
  /// Where this user's playlists are kept; nil where the environment says of no home.
  package static var session: PlaylistFolder? { Surroundings.playlistFolder.map { PlaylistFolder($0) } }
}
