// SPDX-License-Identifier: MIT
import CommandModel
import FaceModel
import MediaModel

/// Search as you type in the whole library: words in any field, or a predicate.
///
/// Each change asks at once; the agent calls an earlier question off, and a late answer to it is dropped here.
struct SearchScreen: Sendable {
  private(set) var field = LineEditor()
  /// Whether keys go into the field. Otherwise they go to the list.
  private(set) var isTyping = true
  private var rows = RowWindow<TrackRow>()
  var cursor = ListCursor()
  private var number = 0
  private var asked = ""
  private var failure: String?

  mutating func type() { isTyping = true }
  mutating func leaveField() { isTyping = false }

  /// Takes a key while the field has the keyboard; returns false for one that is not the field's.
  mutating func take(_ press: KeyPress) -> Bool {
    switch press.key {
    case .enter, .down, .escape:
      isTyping = false
      return true
    case .up, .tab, .backTab, .pageUp, .pageDown, .control("c"), .control("z"), .control("l"): return false
    default: return field.take(press)
    }
  }

  mutating func paste(_ text: String) { field.insert(text) }

  mutating func forget() { asked = "" }

  // MARK: Questions

  /// Whether a text is a predicate rather than words: it has an operator in it.
  static func isExpression(_ text: String) -> Bool {
    let words = text.split(separator: " ")
    let operators: Set<Substring> = ["==", "!=", "<", ">", "<=", ">=", "contains", "begins", "in"]
    return words.count >= 3 && words.dropFirst().contains { operators.contains($0) }
  }

  private var request: LibraryRequest {
    Self.isExpression(field.text) ? LibraryRequest(field.text) : LibraryRequest(search: field.text)
  }

  mutating func needs() -> [ScreenEffect] {
    guard !SearchText.words(field.text).isEmpty else {
      if rows.total != nil {
        (asked, failure) = ("", nil)
        number += 1
        rows.reset(total: nil)
        cursor.set(count: 0)
      }
      return []
    }
    if field.text != asked {
      asked = field.text
      // The rows stay in view until the answer comes.
      rows.invalidate()
      cursor.move(to: 0)
    }
    let visible = cursor.visible
    guard let range = rows.need(visible.isEmpty ? 0..<cursor.height : visible) else { return [] }
    number += 1
    var request = request
    (request.first, request.count) = (range.lowerBound + 1, max(range.count, cursor.height * 2))
    return [.needLibrary(request, LibraryTicket(asker: .search, number: number, first: range.lowerBound))]
  }

  mutating func take(_ answer: LibraryAnswer, _ ticket: LibraryTicket) {
    guard ticket.number == number else { return }
    switch answer {
    case .items(let items, let total):
      failure = nil
      rows.take(items.map(TrackRow.init), first: ticket.first, total: total)
    case .collections: return
    case .failed(let why):
      failure = why
      rows.take([], first: 0, total: 0)
    }
    cursor.set(count: rows.count)
  }

  // MARK: Keys

  var chosen: TrackRow? { rows[cursor.row] }

  /// The chosen track, and those after it if it is to be played from here.
  func choice(fromHere: Bool) -> LibraryChoice? {
    let end = fromHere ? rows.count : min(rows.count, cursor.row + 1)
    let items = (cursor.row..<max(cursor.row, end)).prefix(1000).compactMap { rows[$0]?.item }
    return items.isEmpty ? nil : .items(items)
  }

  // MARK: Drawing

  func draw(_ frame: inout Frame, rows area: Range<Int>, playing: MediaItem.ID?) {
    let list = area.lowerBound + 2..<max(area.lowerBound + 2, area.upperBound)
    if rows.count == 0, !list.isEmpty {
      let text =
        field.text.isEmpty
        ? "words in any field, or a predicate such as  year > 1990"
        : rows.total == nil ? "" : "nothing like that"
      frame.putMiddle([(failure ?? text, failure == nil ? .dim : .failure)], rows: list)
    }
    let table = TrackTable(width: frame.size.columns, digits: 0)
    for (offset, index) in cursor.visible.enumerated() where offset < list.count {
      var look = TrackTable.Look(isChosen: index == cursor.row, isActive: !isTyping)
      look.isCurrent = playing != nil && rows[index]?.item == playing
      look.sign = look.isCurrent ? "▶" : " "
      table.show(rows[index], look, &frame, list.lowerBound + offset)
    }
    let shown = rows.total.map { $0 == 0 ? "" : "\($0) found" } ?? ""
    field.draw("Search: ", &frame, area.lowerBound, hint: shown)
    guard !isTyping else { return }
    frame.isCursorShown = false
    frame.cursor = (list.lowerBound + cursor.row - cursor.top, 0)
  }

  var summary: (left: String, right: String) {
    isTyping ? ("Enter goes to the list", "") : ("/ types again", "Enter plays from here, a adds, A next")
  }
}
