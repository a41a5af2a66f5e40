// SPDX-License-Identifier: MIT

/// The rows that are marked on Library, Search and Lists, in the order in which they were marked. The next order to play or add is for all of them.
///
/// A row is kept as what it stands for and not by its number, so marks stay while the user looks at other albums, searches, or the library changes.
struct Picks: Sendable {
  private(set) var choices: [LibraryChoice] = []
  /// The row of the present list at which a range that is being marked begins; nil while none is.
  var rangeStart: Int?

  var isEmpty: Bool { choices.isEmpty && rangeStart == nil }

  /// What the marked rows stand for together; nil if none is marked.
  var choice: LibraryChoice? { choices.isEmpty ? nil : .several(choices) }

  mutating func toggle(_ choice: LibraryChoice) {
    if let place = choices.firstIndex(of: choice) {
      choices.remove(at: place)
    } else {
      choices.append(choice)
    }
  }

  /// Marks rows that are not marked yet.
  mutating func add(_ new: [LibraryChoice]) {
    var known = Set(choices)
    choices += new.filter { known.insert($0).inserted }
  }

  /// Unmarks those of these rows that are marked, and marks the others, after all that is marked otherwise.
  mutating func invert(_ rows: [LibraryChoice]) {
    let (known, here) = (Set(choices), Set(rows))
    choices.removeAll { here.contains($0) }
    add(rows.filter { !known.contains($0) })
  }

  mutating func clear() { self = Picks() }
}

/// The marks as a list draws them.
struct ShownPicks {
  private let choices: Set<LibraryChoice>
  private let range: ClosedRange<Int>?

  /// `cursor` is the chosen row of the list in which a range is being marked.
  init(_ picks: Picks, cursor: Int) {
    choices = Set(picks.choices)
    range = picks.rangeStart.map { min($0, cursor)...max($0, cursor) }
  }

  /// Whether a row is marked. `isActive` tells whether its list is the one in which a range may be marked.
  func has(_ row: Int, isActive: Bool, _ choice: @autoclosure () -> LibraryChoice?) -> Bool {
    if isActive, range?.contains(row) == true { return true }
    return !choices.isEmpty && choice().map(choices.contains) == true
  }
}

/// What the chosen row of Library, Search or Lists stood for when somebody began to choose an action for it.
struct HeldChoice: Sendable {
  /// The row alone.
  let row: LibraryChoice?
  /// The row and all that comes after it.
  let fromHere: LibraryChoice?
}
