// SPDX-License-Identifier: MIT
import CommandModel

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
