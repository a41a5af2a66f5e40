// SPDX-License-Identifier: MIT

/// The fields of tags that mean something here. The raw value is the name that Vorbis comments have for it; readers
/// translate other kinds of tag to these.
package enum TagField: String, Sendable, CaseIterable {
  case title = "TITLE"
  case artist = "ARTIST"
  case album = "ALBUM"
  case albumArtist = "ALBUMARTIST"
  case composer = "COMPOSER"
  case genre = "GENRE"
  case trackNumber = "TRACKNUMBER"
  case trackTotal = "TRACKTOTAL"
  case totalTracks = "TOTALTRACKS"
  case discNumber = "DISCNUMBER"
  case discTotal = "DISCTOTAL"
  case totalDiscs = "TOTALDISCS"
  case date = "DATE"
  case year = "YEAR"
  case releaseDate = "RELEASEDATE"
  case originalDate = "ORIGINALDATE"
  case bpm = "BPM"
  case tempo = "TEMPO"
  case comment = "COMMENT"
  case description = "DESCRIPTION"
  case lyrics = "LYRICS"
  case unsyncedLyrics = "UNSYNCEDLYRICS"
  case compilation = "COMPILATION"
  case podcast = "PODCAST"
  case titleSort = "TITLESORT"
  case artistSort = "ARTISTSORT"
  case albumSort = "ALBUMSORT"
  case albumArtistSort = "ALBUMARTISTSORT"
  case composerSort = "COMPOSERSORT"
  case trackGain = "REPLAYGAIN_TRACK_GAIN"
  case trackPeak = "REPLAYGAIN_TRACK_PEAK"
  case albumGain = "REPLAYGAIN_ALBUM_GAIN"
  case albumPeak = "REPLAYGAIN_ALBUM_PEAK"
  case r128TrackGain = "R128_TRACK_GAIN"
  case r128AlbumGain = "R128_ALBUM_GAIN"

  /// The field of this name, in any case; `ALBUM ARTIST` and `UNSYNCED LYRICS` are written with a space too.
  package init?(name: String) {
    let name = name.uppercased()
    let isSpaced = name == "ALBUM ARTIST" || name == "UNSYNCED LYRICS"
    self.init(rawValue: isSpaced ? name.filter { $0 != " " } : name)
  }
}
