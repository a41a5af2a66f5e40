// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import MediaModel
import PlaylistModel
import SourceIO

/// Kept playlists as text for a person and as JSON.
enum PlaylistText {
  /// One playlist in the list of all.
  struct Row {
    let playlist: KeptPlaylist
    /// How many entries the playlist has; nil for a plain one that can't be read.
    let count: Int?
    /// The sum of the entries' lengths. Entries whose length is not known are left out.
    let duration: Duration
    /// True if the length of every entry is known; false if the playlist is longer than `duration`, because the lengths of some entries are not.
    let isWhole: Bool

    /// Reads the file of a plain playlist, which blocks.
    init(_ playlist: KeptPlaylist) {
      self.playlist = playlist
      switch playlist {
      case .plain(let item):
        let entries = (try? KeptPlaylists.playlist(item))?.entries
        count = entries?.count
        let lengths = entries?.compactMap(\.duration) ?? []
        (duration, isWhole) = (lengths.reduce(.zero, +), lengths.count == count)
      case .smart(let list): (count, duration, isWhole) = (list.count, list.duration, true)
      }
    }

    /// The length as text; empty if nothing is known of it.
    var length: String {
      guard duration > .zero else { return "" }
      return ClockText.text(duration) + (isWhole ? "" : " or more")
    }
  }

  /// The list of playlists, one a line: its name, the number and length of its entries, and when it was last changed or its query.
  static func lines(_ rows: [Row], width: Int?) -> [StyledText] {
    guard !rows.isEmpty else {
      return [StyledText("There is no playlist. Keep the queue as one with 'fermata playlist save NAME'")]
    }
    var table = Table([
      .init(flexible: true), .init(rightAligned: true), .init(rightAligned: true), .init(flexible: true),
    ])
    for row in rows {
      let about: StyledText =
        switch row.playlist {
        case .plain(let item): StyledText(moment(item).day, .dim)
        case .smart(let list): .outside(list.query, .dim)
        }
      table.append([
        .outside(row.playlist.name), StyledText(row.count.map { CountText.text($0, "track") } ?? ""),
        StyledText(row.length, .dim), about,
      ])
    }
    return table.lines(width: width)
  }

  /// The object that `playlist list --json` writes.
  static func json(_ rows: [Row]) -> JSONValue { .object(present: ["playlists": .array(rows.map(json))]) }

  private static func json(_ row: Row) -> JSONValue {
    switch row.playlist {
    case .plain(let item):
      .object(present: [
        "name": .string(item.name), "count": row.count.map(JSONValue.integer),
        "duration": row.isWhole ? .seconds(row.duration) : nil, "smart": .bool(false),
        "url": .string(item.file.uri), "modified": .string(moment(item).text),
      ])
    case .smart(let list): JSONValue(wire: list.fields.wireValue) ?? .object([])
    }
  }

  /// The entries of one playlist, in the same form as the queue.
  static func lines(_ playlist: Playlist, width: Int?) -> [StyledText] {
    lines(playlist.entries.map(face), width: width)
  }

  static func lines(_ items: [ItemFace], width: Int?) -> [StyledText] {
    guard !items.isEmpty else { return [StyledText("The playlist is empty.")] }
    return QueueText.lines(QueuePage(items: items, length: items.count, current: nil), width: width)
  }

  /// The object that `playlist show --json` writes.
  static func json(_ playlist: Playlist, of item: PlaylistFolder.Item) -> JSONValue {
    .object(present: [
      "name": .string(item.name), "smart": .bool(false), "url": .string(item.file.uri),
      "entries": .array(playlist.entries.compactMap { JSONValue(wire: face($0).wireValue(inList: true)) }),
      "length": .integer(playlist.entries.count),
    ])
  }

  static func json(_ list: SmartPlaylistFace, _ items: [ItemFace]) -> JSONValue {
    .object(present: [
      "name": .string(list.name), "smart": .bool(true), "query": .string(list.query),
      "sort": list.sort.isEmpty ? nil : .array(list.sort.map(JSONValue.string)),
      "limit": list.limit.map(JSONValue.integer),
      "entries": .array(items.compactMap { JSONValue(wire: $0.wireValue(inList: true)) }),
      "length": .integer(items.count),
    ])
  }

  private static func face(_ entry: PlaylistEntry) -> ItemFace {
    var tags = MediaTags()
    tags.title = entry.title
    tags.artist = entry.performer.map { [$0] } ?? []
    tags.album = entry.album
    tags.track = entry.track
    tags.duration = entry.duration ?? entry.part?.duration(in: nil)
    return ItemFace(MediaItem(location: entry.location, part: entry.part, tags: tags))
  }

  private static func moment(_ item: PlaylistFolder.Item) -> Moment {
    Moment(milliseconds: Int(item.modified / 1_000_000))
  }
}
