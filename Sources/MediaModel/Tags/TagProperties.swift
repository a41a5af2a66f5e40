// SPDX-License-Identifier: MIT

/// The fields of a file's tag, with several values each. Only the fields of `TagField` are kept, so that the rest of a tag takes no memory.
package struct TagProperties: Sendable, Equatable {
  /// The most values of one field that are kept; nobody shows more.
  package static let mostValues = 256

  private var fields: [TagField: [String]] = [:]

  package init() {}

  /// Adds a value to the field of this name. A name that `TagField` doesn't have is ignored.
  package mutating func add(_ value: String, to name: String) {
    if let field = TagField(name: name) { add(value, to: field) }
  }

  /// Adds a value to a field. A blank one says nothing, so that a less trusted tag may; only a podcast's mark counts without a text.
  package mutating func add(_ value: String, to field: TagField) {
    guard field == .podcast || TagText.words(value) != nil else { return }
    if self[field].count < Self.mostValues { fields[field, default: []].append(value) }
  }

  /// Adds those fields of a less trusted tag of the same file that are missing here.
  package mutating func fill(from other: TagProperties) {
    fields.merge(other.fields) { own, _ in own }
  }

  /// All values of a field, unchanged.
  package subscript(field: TagField) -> [String] { fields[field] ?? [] }

  /// The field's values without white space around them, with composed letters, without duplicates and in order. Blank ones are left out.
  func all(_ field: TagField) -> [String] {
    var seen: Set<String> = []
    return self[field].compactMap(TagText.words).map(TagText.composed).filter { seen.insert($0).inserted }
  }

  /// The first value in these fields that `parse` can read.
  func first<Value>(_ fields: TagField..., as parse: (String) -> Value?) -> Value? {
    for field in fields {
      for text in self[field] {
        if let value = parse(text) { return value }
      }
    }
    return nil
  }

  /// The first value in these fields that is not blank.
  func first(_ field: TagField, _ others: TagField...) -> String? {
    ([field] + others).lazy.compactMap { self.all($0).first }.first
  }
}

/// The fields of tags that are used here. The raw value is the field's name in Vorbis comments; readers of other kinds of tag translate their names
/// to these.
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

  /// The field with this name, in upper or lower case; nil if it is not used here. `ALBUM ARTIST` and `UNSYNCED LYRICS` may have a space.
  package init?(name: String) {
    let name = name.uppercased()
    let isSpaced = name == "ALBUM ARTIST" || name == "UNSYNCED LYRICS"
    self.init(rawValue: isSpaced ? name.filter { $0 != " " } : name)
  }
}

extension MediaTags {
  /// The values of these fields, parsed. `duration` stays nil, because no field has it.
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
  /// Reads the gains and peaks from ReplayGain's fields of a tag. A gain that they lack is taken from the field for gains that Opus files have.
  init(_ properties: TagProperties) {
    self.init(
      trackGain: properties.first(.trackGain, as: TagText.gain)
        ?? properties.first(.r128TrackGain, as: TagText.r128Gain),
      trackPeak: properties.first(.trackPeak, as: TagText.peak),
      albumGain: properties.first(.albumGain, as: TagText.gain)
        ?? properties.first(.r128AlbumGain, as: TagText.r128Gain),
      albumPeak: properties.first(.albumPeak, as: TagText.peak))
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
  /// Decides by a podcast's mark or the genre, because no format has a field for this that all taggers fill.
  init(_ properties: TagProperties) {
    let genres = properties.all(.genre).map { $0.lowercased() }
    let isMarked = properties[.podcast].contains { !["0", "no", "false"].contains($0.lowercased()) }
    if isMarked || genres.contains("podcast") {
      self = .podcast
    } else if genres.contains("audiobook") || genres.contains("audio book") {
      self = .audiobook
    } else {
      self = .music
    }
  }
}
