// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import MediaModel
import PlaylistModel
import SourceIO

/// Kept playlists as text for a person and as JSON.
enum PlaylistText {
  /// The list of playlists, one a line with the date of its last change.
  static func lines(_ items: [PlaylistFolder.Item], width: Int?) -> [StyledText] {
    guard !items.isEmpty else {
      return [StyledText("There is no playlist. Keep the queue as one with 'fermata playlist save NAME'")]
    }
    var table = Table([.init(flexible: true), .init()])
    for item in items { table.append([.outside(item.name), StyledText(moment(item).day, .dim)]) }
    return table.lines(width: width)
  }

  /// The object that `playlist list --json` writes.
  static func json(_ items: [PlaylistFolder.Item]) -> JSONValue {
    .object(present: [
      "playlists": .array(
        items.map { item in
          .object(present: [
            "name": .string(item.name), "url": .string(item.file.uri), "modified": .string(moment(item).text),
          ])
        })
    ])
  }

  /// The entries of one playlist, in the same form as the queue.
  static func lines(_ playlist: Playlist, width: Int?) -> [StyledText] {
    let items = playlist.entries.map(face)
    guard !items.isEmpty else { return [StyledText("The playlist is empty.")] }
    return QueueText.lines(QueuePage(items: items, length: items.count, current: nil), width: width)
  }

  /// The object that `playlist show --json` writes.
  static func json(_ playlist: Playlist, of item: PlaylistFolder.Item) -> JSONValue {
    .object(present: [
      "name": .string(item.name), "url": .string(item.file.uri),
      "entries": .array(playlist.entries.compactMap { JSONValue(wire: face($0).wireValue(inList: true)) }),
      "length": .integer(playlist.entries.count),
    ])
  }

  private static func face(_ entry: PlaylistEntry) -> ItemFace {
    var tags = MediaTags()
    tags.title = entry.title
    tags.artist = entry.performer.map { [$0] } ?? []
    tags.album = entry.album
    tags.track = entry.track
    tags.duration = entry.duration
    return ItemFace(MediaItem(location: entry.location, tags: tags))
  }

  private static func moment(_ item: PlaylistFolder.Item) -> Moment {
    Moment(milliseconds: Int(item.modified / 1_000_000))
  }
}
