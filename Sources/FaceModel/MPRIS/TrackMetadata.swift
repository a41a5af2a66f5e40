// SPDX-License-Identifier: MIT
package import BusModel
import MediaModel
package import PlaybackLogic

/// One track as MPRIS describes it: a dictionary whose values have exactly the types that the MPRIS specification demands.
struct TrackMetadata {
  private(set) var entries: [(String, WireValue)] = []

  /// The metadata of an entry. An item always gets a title, since desktop shells show nothing without one.
  init(_ entry: EntryID?, _ item: MediaItem?, artURL: String?, length: Duration?) {
    add("mpris:trackid", .objectPath(TrackPath.path(of: entry)))
    if let length, length > .zero { add("mpris:length", .int64(WireTime.microseconds(length))) }
    add("mpris:artUrl", artURL.map(WireText.value))
    if let item {
      add(item)
      add(item.tags)
      if item.id != nil || item.listening != ListeningRecord() { add(item.listening) }
    }
  }

  /// The dictionary.
  var value: WireValue { .properties(entries) }

  private mutating func add(_ key: String, _ value: WireValue?) {
    if let value { entries.append((key, value)) }
  }

  private mutating func add(_ key: String, _ number: Int?) {
    if let number { add(key, .int32(Int32(clamping: number))) }
  }

  private mutating func add(_ item: MediaItem) {
    add("xesam:title", WireText.value(item.displayTitle))
    add("xesam:url", item.location.wireURI.map(WireText.value))
  }

  private mutating func add(_ tags: MediaTags) {
    add("xesam:album", tags.album.map(WireText.value))
    add("xesam:artist", WireText.list(tags.artist))
    add("xesam:albumArtist", WireText.list(tags.albumArtist))
    add("xesam:composer", WireText.list(tags.composer))
    add("xesam:genre", WireText.list(tags.genre))
    add("xesam:trackNumber", tags.track)
    add("xesam:discNumber", tags.disc)
    add("xesam:contentCreated", tags.date.map { .string($0.description) })
    add("xesam:audioBPM", tags.bpm.flatMap { Int32(exactly: $0.rounded()) }.map(WireValue.int32))
    add("xesam:comment", tags.comment.flatMap { WireText.list([$0]) })
    add("xesam:asText", tags.lyrics.map(WireText.value))
  }

  /// Called only for items that the library keeps or that have been listened to. A play count of 0 is written, since it
  /// says "never played". A rating of 0 is left out, since it says "not rated".
  private mutating func add(_ listening: ListeningRecord) {
    add("xesam:useCount", listening.playCount)
    if listening.rating > 0 {
      add("xesam:userRating", .double(Double(listening.rating) / Double(ListeningRecord.ratings.upperBound)))
    }
    add("xesam:lastUsed", listening.lastPlayed.flatMap(WireTime.moment).map(WireValue.string))
  }
}

extension MediaLocation {
  /// The URI as other programs take it; nil for a relative path, which nothing that plays has.
  var wireURI: String? {
    if case .file(let path) = self, !path.isAbsolute { return nil }
    return uri
  }
}

/// Names entries of the queue as MPRIS does: by object paths. A path is made of the entry's identity and not of its
/// position. So it stays the same when rows move, and it stands for nothing when the row is gone.
package enum TrackPath {
  /// The MPRIS specification's name for "no track".
  package static let none: ObjectPath = "/org/mpris/MediaPlayer2/TrackList/NoTrack"

  private static let prefix = "/org/fermata/Entry/"

  /// The path of an entry; `none` for nil.
  package static func path(of entry: EntryID?) -> ObjectPath {
    entry.map { ObjectPath(unchecked: prefix + String($0.rawValue)) } ?? none
  }

  /// The entry that a path stands for; nil for any other path, even if it looks like one of ours.
  package static func entry(at path: ObjectPath) -> EntryID? {
    guard path.text.utf8.starts(with: prefix.utf8) else { return nil }
    let number = UInt64(path.text.dropFirst(prefix.count))
    // A number can be written in many ways, such as with leading zeros. Only the way we write it makes a path of ours.
    guard let number, number > 0, Self.path(of: EntryID(rawValue: number)) == path else { return nil }
    return EntryID(rawValue: number)
  }
}
