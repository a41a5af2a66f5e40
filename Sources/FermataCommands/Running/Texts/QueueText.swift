// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import MediaModel
import PlaybackLogic

/// The queue as text for a person.
enum QueueText {
  /// The lines of the queue. The current row is marked, and lengths are on the right. If `width` is given, no line is
  /// wider.
  static func lines(_ queue: QueuePage, width: Int?) -> [StyledText] {
    guard queue.length > 0 else {
      return [StyledText("The queue is empty. Fill it with 'fermata add SOURCE…'")]
    }
    var table = Table([
      .init(), .init(rightAligned: true), .init(flexible: true), .init(flexible: true, optional: true),
      .init(flexible: true, optional: true), .init(rightAligned: true),
    ])
    for (index, item) in queue.items.enumerated() {
      table.append(cells(item, row: index + 1, isCurrent: index + 1 == queue.current))
    }
    return table.lines(width: width) + ["", StyledText(summary(queue), .dim)]
  }

  private static func cells(_ face: ItemFace, row: Int, isCurrent: Bool) -> [StyledText] {
    let tags = face.item.tags
    let artists = tags.artist.isEmpty ? tags.albumArtist : tags.artist
    let style: Style = face.isMissing ? .dim : isCurrent ? .bold : .plain
    let title = StyledText.outside(face.item.displayTitle, style)
    return [
      isCurrent ? "▶" : " ", StyledText(String(row), .dim),
      face.isMissing ? title + StyledText(" (missing)", .dim) : title,
      .outside(artists.joined(separator: ", "), style), .outside(tags.album ?? "", .dim),
      StyledText(tags.duration.map(ClockText.text) ?? "–", .dim),
    ]
  }

  /// What an edit changed: "3 tracks added".
  static func edit(_ counts: EditCounts) -> String {
    if counts.added > 0, counts.removed > 0 { return "\(tracks(counts.removed)) replaced by \(counts.added)" }
    if counts.added > 0 { return "\(tracks(counts.added)) added" }
    return counts.removed > 0 ? "\(tracks(counts.removed)) removed" : "\(tracks(counts.moved)) moved"
  }

  private static func tracks(_ count: Int) -> String { count == 1 ? "1 track" : "\(count) tracks" }

  /// The number of tracks and their total length, as far as it is known.
  private static func summary(_ queue: QueuePage) -> String {
    let lengths = queue.items.compactMap(\.item.tags.duration)
    let tracks = tracks(queue.length)
    guard !lengths.isEmpty else { return tracks }
    let total = ClockText.text(lengths.reduce(.zero, +))
    return lengths.count == queue.length ? "\(tracks), \(total)" : "\(tracks), \(total) or more"
  }
}
