// SPDX-License-Identifier: MIT
import CommandModel

/// A menu of the actions for the chosen or marked rows, each with its key. It is shown in place of the list.
struct Menu: Sendable {
  struct Entry: Sendable {
    let key: String
    let text: String
    let action: KeyAction
  }

  private let title: String
  let entries: [Entry]
  private var cursor = ListCursor()

  /// A menu for a screen, on which a track is chosen or another row. It has only actions with a key on that screen; nil if there are none.
  init?(_ title: String, on tab: ScreenTab, isTrack: Bool, _ keys: KeyTable) {
    self.title = title
    entries = Self.actions(on: tab, isTrack: isTrack).compactMap { action in
      keys.binding(of: action, on: tab).map {
        Entry(key: $0.keys, text: Self.rating(action) ?? $0.summary, action: action)
      }
    }
    if entries.isEmpty { return nil }
    cursor.set(count: entries.count)
  }

  private static func actions(on tab: ScreenTab, isTrack: Bool) -> [KeyAction] {
    let track: [KeyAction] = [.addToList, .details, .copy] + (0...5).reversed().map { .rate($0) }
    switch tab {
    case .queue:
      // With marks, the chosen row is only one of many, or none of them.
      let edits: [KeyAction] = [.shift(1), .shift(-1), .markAlbum, .remove]
      return isTrack ? [.enter] + edits + track : edits + [.addToList]
    case .library, .search: return [.enter, .append, .addNext] + (isTrack ? track : [.addToList])
    case .lists: return [.enter, .append, .addNext, .addToList]
    case .now: return [.lyrics] + track
    case .jobs: return [.enter, .suspendJob, .cancelJob]
    case .pads: return [.stopPads]
    }
  }

  private static func rating(_ action: KeyAction) -> String? {
    guard case .rate(let stars) = action else { return nil }
    return stars == 0 ? "take the rating away" : "rate \(String(repeating: "★", count: stars))"
  }

  var chosen: KeyAction { entries[cursor.row].action }

  func has(_ action: KeyAction) -> Bool { entries.contains { $0.action == action } }

  /// Handles an action that moves in the menu; returns false for any other.
  mutating func take(_ action: KeyAction) -> Bool {
    switch action {
    case .move(let step): cursor.move(by: step)
    case .halfPage(let step), .page(let step): cursor.move(by: step * cursor.height)
    case .top: cursor.move(to: 0)
    case .bottom: cursor.move(to: cursor.count - 1)
    default: return false
    }
    return true
  }

  /// Chooses the entry on a line of the menu, counted from 0. Returns whether it was chosen already.
  mutating func choose(line: Int) -> Bool {
    let index = cursor.top + line
    guard line >= 0, entries.indices.contains(index) else { return false }
    defer { cursor.move(to: index) }
    return index == cursor.row
  }

  mutating func draw(_ frame: inout Frame, rows area: Range<Int>) {
    frame.put(title, at: area.lowerBound, 1, width: frame.size.columns - 2, .heading)
    let list = area.lowerBound + 1..<area.upperBound
    cursor.set(height: list.count)
    let gap = entries.reduce(0) { max($0, $1.key.count) } + 3
    for (offset, index) in cursor.visible.enumerated() where offset < list.count {
      let row = list.lowerBound + offset
      frame.put(entries[index].key, at: row, 3, width: gap, .accent)
      frame.put(entries[index].text, at: row, 3 + gap, width: frame.size.columns - gap - 4)
      if index == cursor.row { frame.choose(row, 0..<frame.size.columns) }
    }
    frame.cursor = (list.lowerBound + cursor.row - cursor.top, 0)
  }
}
