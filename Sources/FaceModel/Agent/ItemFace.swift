// SPDX-License-Identifier: MIT
package import BusModel
package import LibraryQuery
package import MediaModel
package import PlaybackLogic

/// An item as our own interfaces show it: an `a{sv}` with the same keys as the command line's JSON.
///
/// The fields that are sent are read back unchanged. Those that are not sent (sort
/// names, the tags' loudness, where the picture is stored) are then absent.
package struct ItemFace: Sendable, Hashable {
  package var item: MediaItem
  /// The item's entry in the queue; nil if it is not in the queue.
  package var entry: EntryID?
  /// The URI of the item's picture; nil if none is known.
  package var artURL: String?
  /// Whether the item's entry is the current one of the queue.
  package var isCurrent: Bool
  /// Whether the item's file was found to be gone.
  package var isMissing: Bool
  /// Why the item can't be played, as found when it was tried; nil if it can be, or if nobody has tried.
  package var unplayable: String?
  /// Which part of its file the item is, counted from 1, as far as that is known; nil if it is a whole file.
  package var chapter: Int?
  /// Whether the item's tags have not been read, so that only its location is known.
  package var isUnread = false
  /// The library's IDs of the item's artist, album and so on; empty for an item that is not from the library.
  package var names = LibraryItem.NameIDs()
  /// The podcast to which the item belongs; nil if it belongs to none.
  package var podcast: String?
  /// How much louder or softer the item should sound; nil if this was not asked for.
  package var gains: ItemGains?
  /// The user's notes on the item by their keys; empty if they were not asked for.
  package var notes: [String: String] = [:]

  /// An item, as a row of the queue if it has an entry.
  package init(
    _ item: MediaItem, entry: EntryID? = nil, artURL: String? = nil, isCurrent: Bool = false,
    isMissing: Bool = false, unplayable: String? = nil
  ) {
    self.item = item
    self.entry = entry
    self.artURL = artURL
    self.isCurrent = isCurrent
    self.isMissing = isMissing
    self.unplayable = unplayable
  }

  /// An item of the library.
  package init(_ known: LibraryItem) {
    self.init(known.item)
    (names, podcast) = (known.names, known.podcast)
    if item.part != nil { chapter = item.tags.track }
  }

  /// The current track of a player, with the length that the decoder found; nil if there is no current track.
  package init?(current face: PlayerFace) {
    guard let entry = face.entry, var item = face.item else { return nil }
    item.tags.duration = face.knownLength
    self.init(item, entry: entry, artURL: face.artURL)
  }

  /// The item as an `a{sv}`. In lists, lyrics and notes are left out and very long texts are cut.
  package func fields(inList: Bool = false) -> Fields {
    var fields = Fields()
    fields.add("id", value: item.id.map { .int64($0.rawValue) })
    fields.add("title", inList ? MediaTags.fitting(item.displayTitle) : item.displayTitle)
    let tags = inList ? item.tags.shortened : item.tags
    addNames(tags, to: &fields)
    addDetails(tags, inList: inList, to: &fields)
    addNumbers(to: &fields)
    fields.add("url", item.location.wireURI)
    fields.add("artUrl", artURL)
    if item.id != nil || item.listening != ListeningRecord() { add(item.listening, to: &fields) }
    fields.add("entry", value: entry.map { .uint64($0.rawValue) })
    if isCurrent { fields.add("current", true) }
    if isMissing { fields.add("missing", true) }
    fields.add("chapter", chapter)
    fields.add("start", item.part?.start.duration)
    fields.add("end", item.part?.end?.duration)
    if isUnread { fields.add("unread", true) }
    fields.add("unplayable", unplayable)
    gains?.add(to: &fields)
    if !inList { add(notes, to: &fields) }
    return fields
  }

  package func wireValue(inList: Bool = false) -> WireValue { fields(inList: inList).wireValue }

  private func addNames(_ tags: MediaTags, to fields: inout Fields) {
    fields.add("artist", tags.artist)
    fields.add("album", tags.album)
    fields.add("albumArtist", tags.albumArtist)
    fields.add("composer", tags.composer)
    fields.add("genre", tags.genre)
  }

  private func addDetails(_ tags: MediaTags, inList: Bool, to fields: inout Fields) {
    fields.add("duration", tags.duration)
    fields.add("track", tags.track)
    fields.add("trackCount", tags.trackCount)
    fields.add("disc", tags.disc)
    fields.add("discCount", tags.discCount)
    fields.add("date", tags.date?.description)
    fields.add("bpm", tags.bpm)
    fields.add("comment", tags.comment)
    if !inList { fields.add("lyrics", tags.lyrics) }
    fields.add("compilation", tags.isCompilation)
    // All items of a library are files in its folders, so none is in a cloud.
    if item.id != nil { fields.add("cloud", false) }
    fields.add("podcast", podcast)
    fields.add("mediaType", tags.mediaType.rawValue)
  }

  private func addNumbers(to fields: inout Fields) {
    fields.add("albumID", value: names.album.map { .int64($0) })
    fields.add("artistID", value: names.artist.map { .int64($0) })
    fields.add("albumArtistID", value: names.albumArtist.map { .int64($0) })
    fields.add("genreID", value: names.genre.map { .int64($0) })
    fields.add("composerID", value: names.composer.map { .int64($0) })
    fields.add("podcastID", value: names.podcast.map { .int64($0) })
  }

  /// Adds as many notes as fit into one answer, in the order of their keys.
  private func add(_ notes: [String: String], to fields: inout Fields) {
    var (sent, room) = (Fields(), AgentLibrary.largestReply)
    for (key, text) in notes.sorted(by: { $0.key < $1.key }) {
      room -= key.utf8.count + text.utf8.count
      if room >= 0 { sent.add(key, text) }
    }
    if !notes.isEmpty { fields.add("notes", sent) }
  }

  private func add(_ listening: ListeningRecord, to fields: inout Fields) {
    if listening.rating > 0 { fields.add("rating", listening.rating) }
    fields.add("playCount", listening.playCount)
    fields.add("skipCount", listening.skipCount)
    fields.add("lastPlayed", listening.lastPlayed.flatMap(WireTime.moment))
  }
}

/// How much louder or softer an item of the library should sound, and where these numbers come from.
package struct ItemGains: Sendable, Hashable {
  package enum Origin: String, Sendable, Hashable { case tags, measured }

  /// The item's own gain and that of its album, in hundredths of a decibel. Nil where there is none: for silence, for an item
  /// on no album, and for an album of which some tracks have no gain.
  package var track, album: Int?
  package var origin: Origin

  /// The gains in this loudness; nil if it has none.
  package init?(_ loudness: Loudness, from origin: Origin) {
    guard !loudness.isUnknown else { return nil }
    (track, album) = (Self.hundredths(loudness.trackGain), Self.hundredths(loudness.albumGain))
    self.origin = origin
  }

  /// A gain in hundredths of a decibel, brought into a sane range, because tags may hold any number; nil if there is no gain, or if it is infinite or
  /// not a number.
  private static func hundredths(_ gain: Float?) -> Int? {
    gain.flatMap { $0.isFinite ? Int((min(max(Double($0), -1_000), 1_000) * 100).rounded()) : nil }
  }

  fileprivate func add(to fields: inout Fields) {
    fields.add("gain", track.map { Double($0) / 100 })
    fields.add("albumGain", album.map { Double($0) / 100 })
    fields.add("gainFrom", origin.rawValue)
  }

  fileprivate init?(_ fields: FieldReader) {
    guard let origin = (fields("gainFrom") as String?).flatMap(Origin.init(rawValue:)) else { return nil }
    let (track, album): (Double?, Double?) = (fields("gain"), fields("albumGain"))
    self.init(
      Loudness(trackGain: track.map { Float($0) }, albumGain: album.map { Float($0) }), from: origin)
  }
}

extension ItemFace {
  /// The artist of the item's whole album, for people. Nil for a compilation without one: one of its tracks says nothing of the others.
  package var albumArtist: String? {
    let tags = item.tags
    let names = tags.albumArtist.isEmpty && !tags.isCompilation ? tags.artist : tags.albumArtist
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  /// About how many bytes the item takes in a list.
  var cost: Int { 512 + min(item.tags.textBytes, MediaTags.mostTextBytes) + (artURL?.utf8.count ?? 0) }
}

// Tags are shortened for lists, because a file's tags may be of any length.
extension MediaTags {
  /// Tags with no more bytes of text than this are not shortened.
  fileprivate static let mostTextBytes = 1 << 14

  /// How many bytes of text the tags have, without the lyrics.
  fileprivate var textBytes: Int {
    [artist, albumArtist, composer, genre].joined().reduce(0) { $0 + $1.utf8.count }
      + [title, album, comment].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
  }

  /// The same tags, with the beginning of each text if there is too much of it for a list.
  var shortened: MediaTags {
    guard textBytes > Self.mostTextBytes else { return self }
    var tags = self
    for list in [\MediaTags.artist, \.albumArtist, \.composer, \.genre] {
      tags[keyPath: list] = tags[keyPath: list].prefix(8).map(Self.beginning)
    }
    for text in [\MediaTags.title, \.album, \.comment] {
      tags[keyPath: text] = tags[keyPath: text].map(Self.beginning)
    }
    return tags
  }

  /// A text, or its beginning if it is too long for a list.
  fileprivate static func fitting(_ text: String) -> String {
    text.utf8.count > mostTextBytes ? beginning(text) : text
  }

  private static func beginning(_ text: String) -> String { String(text.unicodeScalars.prefix(256)) }
}

extension ItemFace {
  /// Reads an item from a dictionary; nil if that has no usable `url`.
  package init?(wire: WireValue) {
    guard let fields = FieldReader(wire), let url: String = fields("url"), !url.isEmpty,
      let location = try? MediaLocation(url.utf8, in: "/")
    else { return nil }
    let id = (fields("id") as Int64?).map(MediaItem.ID.init)
    let item = MediaItem(
      id: id, location: location, part: FilePart(fields), tags: MediaTags(fields),
      listening: ListeningRecord(fields))
    self.init(
      item, entry: (fields("entry") as UInt64?).map(EntryID.init(rawValue:)), artURL: fields("artUrl"),
      isCurrent: fields("current") ?? false, isMissing: fields("missing") ?? false,
      unplayable: fields("unplayable"))
    podcast = fields("podcast")
    gains = ItemGains(fields)
    notes = fields.fields("notes").flatMap(FieldReader.init)?.texts ?? [:]
    chapter = fields("chapter")
    isUnread = fields("unread") ?? false
    (names.album, names.artist, names.albumArtist) = (
      fields("albumID"), fields("artistID"), fields("albumArtistID")
    )
    (names.genre, names.composer, names.podcast) = (
      fields("genreID"), fields("composerID"), fields("podcastID")
    )
  }
}

extension FilePart {
  /// The part whose beginning and end are sent in seconds; nil for a whole file.
  init?(_ fields: FieldReader) {
    func time(_ key: String) -> DiscTime? {
      (fields(key) as Duration?).flatMap { DiscTime(seconds: $0 / .seconds(1)) }
    }
    guard let start = time("start") else { return nil }
    self.init(start: start, end: time("end"))
  }
}

extension MediaTags {
  init(_ fields: FieldReader) {
    self.init()
    title = fields("title")
    artist = fields.list("artist")
    album = fields("album")
    albumArtist = fields.list("albumArtist")
    composer = fields.list("composer")
    genre = fields.list("genre")
    addDetails(fields)
  }

  private mutating func addDetails(_ fields: FieldReader) {
    duration = fields("duration")
    (track, trackCount) = (fields("track"), fields("trackCount"))
    (disc, discCount) = (fields("disc"), fields("discCount"))
    date = fields("date").flatMap(MediaDate.init(text:))
    bpm = fields("bpm")
    comment = fields("comment")
    lyrics = fields("lyrics")
    isCompilation = fields("compilation") ?? false
    mediaType = fields("mediaType").flatMap(MediaType.init(rawValue:)) ?? .music
  }
}

extension ListeningRecord {
  init(_ fields: FieldReader) {
    self.init()
    rating = min(max(fields("rating") ?? 0, Self.ratings.lowerBound), Self.ratings.upperBound)
    playCount = max(0, fields("playCount") ?? 0)
    skipCount = max(0, fields("skipCount") ?? 0)
    lastPlayed = fields("lastPlayed").flatMap(WireTime.seconds(ofMoment:))
  }
}
