// SPDX-License-Identifier: MIT

extension MediaTags {
  /// What the fields of a file mean.
  public init(_ properties: TagProperties) {
    setNames(from: properties)
    setPlaces(from: properties)
    setDetails(from: properties)
    loudness = Loudness(properties)
    sort = SortNames(properties)
    mediaType = MediaType(properties)
  }

  private mutating func setNames(from properties: TagProperties) {
    title = properties.first("TITLE")
    artist = properties.all("ARTIST")
    album = properties.first("ALBUM")
    albumArtist = properties.all("ALBUMARTIST")
    composer = properties.all("COMPOSER")
    genre = properties.all("GENRE")
  }

  private mutating func setPlaces(from properties: TagProperties) {
    let ofTracks = properties.first("TRACKNUMBER").map(TagText.position)
    track = ofTracks?.number
    trackCount = ofTracks?.count ?? properties.first("TRACKTOTAL", "TOTALTRACKS", as: Self.count)
    let ofDiscs = properties.first("DISCNUMBER").map(TagText.position)
    disc = ofDiscs?.number
    discCount = ofDiscs?.count ?? properties.first("DISCTOTAL", "TOTALDISCS", as: Self.count)
  }

  private mutating func setDetails(from properties: TagProperties) {
    date = properties.first("DATE", "YEAR", "RELEASEDATE", "ORIGINALDATE", as: MediaDate.init(text:))
    bpm = properties.first("BPM", "TEMPO", as: TagText.bpm)
    comment = properties.first("COMMENT", "DESCRIPTION")
    lyrics = properties.first("LYRICS", "UNSYNCEDLYRICS")
    isCompilation = properties.first("COMPILATION").map(TagText.flag) ?? false
  }

  private static func count(_ text: String) -> Int? { TagText.position(text).number }
}

extension Loudness {
  /// The ReplayGain fields; where they are absent, those of Opus.
  init(_ properties: TagProperties) {
    self.init(
      r128TrackGain: properties.first("R128_TRACK_GAIN", as: TagText.r128Gain),
      albumGain: properties.first("R128_ALBUM_GAIN", as: TagText.r128Gain))
    trackGain = properties.first("REPLAYGAIN_TRACK_GAIN", as: TagText.gain) ?? trackGain
    trackPeak = properties.first("REPLAYGAIN_TRACK_PEAK", as: TagText.peak)
    albumGain = properties.first("REPLAYGAIN_ALBUM_GAIN", as: TagText.gain) ?? albumGain
    albumPeak = properties.first("REPLAYGAIN_ALBUM_PEAK", as: TagText.peak)
  }
}

extension SortNames {
  init(_ properties: TagProperties) {
    self.init(
      title: properties.first("TITLESORT"), artist: properties.first("ARTISTSORT"),
      album: properties.first("ALBUMSORT"), albumArtist: properties.first("ALBUMARTISTSORT"),
      composer: properties.first("COMPOSERSORT"))
  }
}

extension MediaType {
  /// No format has a field for it that all taggers fill: a podcast's mark or the genre has to do.
  init(_ properties: TagProperties) {
    let genres = properties.all("GENRE").map { $0.lowercased() }
    if properties.names.contains("PODCAST") || genres.contains("podcast") {
      self = .podcast
    } else if genres.contains("audiobook") || genres.contains("audio book") {
      self = .audiobook
    } else {
      self = .music
    }
  }
}
