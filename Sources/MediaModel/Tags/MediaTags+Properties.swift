// SPDX-License-Identifier: MIT

extension MediaTags {
  /// What the fields of a file mean.
  package init(_ properties: TagProperties) {
    setNames(from: properties)
    setPlaces(from: properties)
    setDetails(from: properties)
    loudness = Loudness(properties)
    sort = SortNames(properties)
    mediaType = MediaType(properties)
  }

  private mutating func setNames(from properties: TagProperties) {
    title = properties.first(.title)
    artist = properties.all(.artist)
    album = properties.first(.album)
    albumArtist = properties.all(.albumArtist)
    composer = properties.all(.composer)
    genre = properties.all(.genre)
  }

  private mutating func setPlaces(from properties: TagProperties) {
    let ofTracks = properties.first(.trackNumber).map(TagText.position)
    track = ofTracks?.number
    trackCount = ofTracks?.count ?? properties.first(.trackTotal, .totalTracks, as: Self.count)
    let ofDiscs = properties.first(.discNumber).map(TagText.position)
    disc = ofDiscs?.number
    discCount = ofDiscs?.count ?? properties.first(.discTotal, .totalDiscs, as: Self.count)
  }

  private mutating func setDetails(from properties: TagProperties) {
    date = properties.first(.date, .year, .releaseDate, .originalDate, as: MediaDate.init(text:))
    bpm = properties.first(.bpm, .tempo, as: TagText.bpm)
    comment = properties.first(.comment, .description)
    lyrics = properties.first(.lyrics, .unsyncedLyrics)
    isCompilation = properties.first(.compilation).map(TagText.flag) ?? false
  }

  private static func count(_ text: String) -> Int? { TagText.position(text).number }
}

extension Loudness {
  /// The ReplayGain fields; where they are absent, those of Opus.
  init(_ properties: TagProperties) {
    self.init(
      r128TrackGain: properties.first(.r128TrackGain, as: TagText.r128Gain),
      albumGain: properties.first(.r128AlbumGain, as: TagText.r128Gain))
    trackGain = properties.first(.trackGain, as: TagText.gain) ?? trackGain
    trackPeak = properties.first(.trackPeak, as: TagText.peak)
    albumGain = properties.first(.albumGain, as: TagText.gain) ?? albumGain
    albumPeak = properties.first(.albumPeak, as: TagText.peak)
  }
}

extension SortNames {
  init(_ properties: TagProperties) {
    self.init(
      title: properties.first(.titleSort), artist: properties.first(.artistSort),
      album: properties.first(.albumSort), albumArtist: properties.first(.albumArtistSort),
      composer: properties.first(.composerSort))
  }
}

extension MediaType {
  /// Goes by a podcast's mark or the genre, because no format has a field for this that all taggers fill.
  init(_ properties: TagProperties) {
    let genres = properties.all(.genre).map { $0.lowercased() }
    if properties.has(.podcast) || genres.contains("podcast") {
      self = .podcast
    } else if genres.contains("audiobook") || genres.contains("audio book") {
      self = .audiobook
    } else {
      self = .music
    }
  }
}
