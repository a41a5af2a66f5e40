// SPDX-License-Identifier: MIT
package import BusModel
import MediaModel
import PlaybackLogic

extension ItemFace {
  /// Reads an item from a dictionary; nil if that has no usable `url`.
  package init?(wire: WireValue) {
    guard let fields = FieldReader(wire), let url: String = fields("url"), !url.isEmpty,
      let location = try? MediaLocation(url.utf8, in: "/")
    else { return nil }
    let id = (fields("id") as Int64?).map(MediaItem.ID.init)
    let item = MediaItem(
      id: id, location: location, tags: MediaTags(fields), listening: ListeningRecord(fields))
    self.init(
      item, entry: (fields("entry") as UInt64?).map(EntryID.init), artURL: fields("artUrl"),
      isCurrent: fields("current") ?? false, isMissing: fields("missing") ?? false)
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
