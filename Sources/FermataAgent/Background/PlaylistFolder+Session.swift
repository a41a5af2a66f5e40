// SPDX-License-Identifier: MIT
package import SourceIO

extension PlaylistFolder {
  /// Where this user's playlists are kept; nil if the environment names no home.
  package static var session: PlaylistFolder? { Surroundings.playlistFolder.map { PlaylistFolder($0) } }
}
