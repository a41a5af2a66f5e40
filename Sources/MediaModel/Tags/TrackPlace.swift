// SPDX-License-Identifier: MIT

/// Where a track stands: on which album, and there on which disc and at which number, as far as its tags say.
package struct TrackPlace: Sendable, Hashable {
  package let album: String?
  package let disc: Int?
  package let track: Int?

  package init(album: String?, disc: Int?, track: Int?) {
    (self.album, self.disc, self.track) = (album, disc, track)
  }

  package init(_ tags: MediaTags) { self.init(album: tags.album, disc: tags.disc, track: tags.track) }
}
