// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import MediaModel

/// A text in place of the list: the keys, the output of a command, or everything that is known of a row. After `/` only the lines that have the typed
/// words are shown.
struct Pager: Sendable {
  private let title: String
  private var lines: [(left: String, right: String)]
  /// The track that the text is about; nil if it is about something else.
  let track: TrackRow?
  private var words = ""
  /// The rows that the lines take in a window of so many columns; nil until they are drawn. Kept, because a text may have a megabyte.
  private var laid: Laid?
  /// Counts rows of the screen: a line that is longer than one takes several.
  private var cursor = ListCursor()

  /// A text of lines in two columns; `right` may be empty.
  init(_ title: String, _ lines: [(left: String, right: String)], of track: TrackRow? = nil) {
    (self.title, self.lines, self.track) = (title, lines, track)
  }

  init(_ title: String, text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
      (left: String($0), right: "")
    }
    self.init(title, lines.last?.left.isEmpty == true ? lines.dropLast() : lines)
  }

  private var shown: [(left: String, right: String)] {
    let wanted = SearchText.words(words)
    return lines.filter { line in
      wanted.isEmpty
        || wanted.allSatisfy { SearchText.contains(SearchText.folded("\(line.left) \(line.right)"), $0) }
    }
  }

  /// Shows other lines, as more has become known.
  mutating func set(_ lines: [(left: String, right: String)]) {
    (self.lines, laid) = (lines, nil)
  }

  mutating func narrow(_ words: String) {
    (self.words, laid) = (words, nil)
  }

  /// Handles an action that moves in the text; returns false for any other.
  mutating func take(_ action: KeyAction) -> Bool { cursor.scroll(action) }

  mutating func draw(_ frame: inout Frame, rows area: Range<Int>) {
    let list = area.lowerBound + 1..<area.upperBound
    if laid?.columns != frame.size.columns { laid = Laid(shown, columns: frame.size.columns) }
    let (rows, gap) = laid.map { ($0.rows, $0.gap) } ?? ([], 0)
    cursor.set(count: rows.count)
    cursor.set(height: list.count)
    for (offset, index) in cursor.visible.enumerated() where offset < list.count {
      let (left, right) = rows[index]
      let row = list.lowerBound + offset
      if right.isEmpty {
        frame.put(left, at: row, 3)
      } else {
        frame.put(left, at: row, 3, width: gap - 4, .accent)
        frame.put(right, at: row, 3 + gap - 2)
      }
    }
    let more = rows.count - cursor.visible.upperBound
    let end = frame.putRight(
      more > 0 ? "\(more) more below" : "", at: area.lowerBound, endingAt: frame.size.columns - 1, .dim)
    frame.put(title, at: area.lowerBound, 1, width: end - 2, .heading)
    frame.cursor = (list.lowerBound, 0)
  }

  /// Lines as they are laid out in a window.
  private struct Laid: Sendable {
    let columns: Int
    let rows: [(left: String, right: String)]
    /// Where the right parts stand.
    let gap: Int

    init(_ lines: [(left: String, right: String)], columns: Int) {
      let longest = lines.reduce(0) { max($0, $1.right.isEmpty ? 0 : TerminalText.width($1.left)) }
      let gap = min(longest + 4, columns / 2)
      (self.columns, self.gap) = (columns, gap)
      rows = lines.flatMap { Self.wrapped($0, columns: columns - 4, right: gap - 2) }
    }

    /// The rows that a line takes. Its left part stands in the first of them, which has so many columns, and its right part from the column `right` on.
    private static func wrapped(
      _ line: (left: String, right: String), columns: Int, right: Int
    ) -> [(left: String, right: String)] {
      guard !line.right.isEmpty else { return Wrap.line(line.left, width: columns).map { ($0, "") } }
      return Wrap.line(line.right, width: columns - right).enumerated().map { index, text in
        (index == 0 ? line.left : "", text)
      }
    }
  }
}

/// All that is known of a track, as lines for the pager.
enum Details {
  /// The lines about a track of a list. What the list does not know of it comes from `face`.
  static func lines(_ track: TrackRow, _ face: ItemFace?) -> [(left: String, right: String)] {
    var lines: [(String, String?)] = [
      ("title", track.title), ("artist", track.artist), ("album", track.album),
    ]
    if let face { lines += tags(face) }
    lines.append(("length", track.duration.map(ClockText.text)))
    if let face {
      lines += listening(face)
    } else {
      lines += [("track", track.track.map(String.init)), ("rating", stars(track.rating))]
    }
    lines += [("trouble", track.trouble), ("place", track.place)]
    lines.append(("number", (face?.item.id ?? track.item).map { "\($0.rawValue)" }))
    if let face { lines += texts(face) }
    return lines.compactMap { left, right in
      right.flatMap { $0.isEmpty ? nil : (left: left, right: $0) }
    }
  }

  private static func tags(_ face: ItemFace) -> [(String, String?)] {
    let tags = face.item.tags
    return [
      ("album artist", tags.albumArtist.joined(separator: ", ")),
      ("composer", tags.composer.joined(separator: ", ")), ("genre", tags.genre.joined(separator: ", ")),
      ("date", tags.date?.description), ("track", number(tags.track, of: tags.trackCount)),
      ("disc", number(tags.disc, of: tags.discCount)), ("tempo", tags.bpm.map { "\($0) beats a minute" }),
      ("compilation", tags.isCompilation ? "yes" : nil), ("podcast", face.podcast),
      ("kind", tags.mediaType == .music ? nil : tags.mediaType.rawValue),
    ]
  }

  private static func listening(_ face: ItemFace) -> [(String, String?)] {
    let record = face.item.listening
    return [
      ("rating", stars(record.rating)), ("played", times(record.playCount)),
      ("skipped", times(record.skipCount)), ("last played", record.lastPlayed.flatMap(moment)),
    ]
  }

  /// The texts, which may have several lines: notes, the comment and the words.
  private static func texts(_ face: ItemFace) -> [(String, String?)] {
    let tags = face.item.tags
    let notes = face.notes.sorted { $0.key < $1.key }.map { ("note '\($0.key)'", $0.value) }
    let texts = notes + [("comment", tags.comment ?? ""), ("words", tags.lyrics ?? "")]
    return texts.flatMap { name, text in
      text.split(whereSeparator: \.isNewline).enumerated().map {
        ($0.offset == 0 ? name : "", String($0.element))
      }
    }
  }

  private static func number(_ number: Int?, of count: Int?) -> String? {
    number.map { number in count.map { "\(number) of \($0)" } ?? "\(number)" }
  }

  private static func stars(_ rating: Int) -> String { String(repeating: "★", count: rating) }

  private static func times(_ count: Int) -> String? {
    count == 0 ? nil : count == 1 ? "once" : "\(count) times"
  }

  /// The minute of a moment, such as `2026-01-31 17:05 UTC`.
  private static func moment(_ seconds: Int64) -> String? {
    MomentText.text(seconds).map { String($0.prefix(16).map { $0 == "T" ? " " : $0 }) + " UTC" }
  }
}
