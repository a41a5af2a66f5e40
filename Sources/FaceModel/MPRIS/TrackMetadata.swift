// SPDX-License-Identifier: MIT
import BusModel
package import MediaModel
package import PlaybackLogic

extension MPRISPlayer {
  /// The metadata of the current track. If there is none, it holds MPRIS's own name for "no track".
  package static func metadata(of face: PlayerFace) -> Fields {
    guard let entry = face.entry else { return metadata(of: nil, nil) }
    return metadata(of: entry, face.item, artURL: face.artURL, length: face.knownLength)
  }

  /// The metadata of any track: a dictionary whose values have exactly the types that the MPRIS specification demands. If `length` is
  /// given, it is used instead of the length in the tags. An item always gets a title, since desktop shells show nothing without one.
  package static func metadata(
    of entry: EntryID?, _ item: MediaItem?, artURL: String? = nil, length: Duration? = nil
  ) -> Fields {
    var fields = Fields()
    fields.add("mpris:trackid", value: TrackPath.path(of: entry).wireValue)
    if let length = length ?? item?.tags.duration, length > .zero {
      fields.add("mpris:length", value: .int64(WireTime.microseconds(length)))
    }
    fields.add("mpris:artUrl", artURL)
    guard let item else { return fields }
    fields.add("xesam:title", item.displayTitle)
    fields.add("xesam:url", item.location.wireURI)
    add(item.tags, to: &fields)
    if item.id != nil || item.listening != ListeningRecord() { add(item.listening, to: &fields) }
    return fields
  }

  private static func add(_ tags: MediaTags, to fields: inout Fields) {
    fields.add("xesam:album", tags.album)
    fields.add("xesam:artist", tags.artist)
    fields.add("xesam:albumArtist", tags.albumArtist)
    fields.add("xesam:composer", tags.composer)
    fields.add("xesam:genre", tags.genre)
    fields.add("xesam:trackNumber", tags.track)
    fields.add("xesam:discNumber", tags.disc)
    fields.add("xesam:contentCreated", tags.date?.description)
    fields.add(
      "xesam:audioBPM", value: tags.bpm.flatMap { Int32(exactly: $0.rounded()) }.map(WireValue.int32))
    fields.add("xesam:comment", tags.comment.map { [$0] } ?? [])
    fields.add("xesam:asText", tags.lyrics)
  }

  /// Adds the play count, the rating and the last time of listening. Called only for items of the library, and for items that have been listened to.
  /// A play count of 0 is written, since it says "never played"; a rating of 0 is left out, since it says "not rated".
  private static func add(_ listening: ListeningRecord, to fields: inout Fields) {
    fields.add("xesam:useCount", listening.playCount)
    if listening.rating > 0 {
      fields.add("xesam:userRating", Double(listening.rating) / Double(ListeningRecord.ratings.upperBound))
    }
    fields.add("xesam:lastUsed", listening.lastPlayed.flatMap(WireTime.moment))
  }
}

extension MediaLocation {
  /// The URI in the form that other programs accept; nil for a relative path, which an entry of the queue never has.
  package var wireURI: String? {
    if case .file(let path) = self, !path.isAbsolute { return nil }
    return uri
  }
}
