// SPDX-License-Identifier: MIT

/// The edits that can be taken back, and those that were.
///
/// Bounded twice: by the number of steps, and by the entries they hold, for a hundred clears of a long queue
/// are a hundred queues. The latest step is kept whatever it holds, so a clear can always be undone.
package struct UndoLog: Sendable, Hashable {
  /// How many edits can be taken back.
  package static let depth = 100
  /// How many entries all steps together may hold.
  package static let capacity = 1_000_000

  /// What undo would do, the latest edit last.
  package private(set) var undo: [UndoStep] = []
  /// What redo would do, the edit taken back latest last.
  package private(set) var redo: [UndoStep] = []
  /// How many entries and stretches all steps hold.
  private(set) var weight = 0

  /// A log of stored steps, within its bounds.
  package init(undo: [UndoStep] = [], redo: [UndoStep] = []) {
    for step in redo { push(step, isRedo: true) }
    for step in undo { push(step, isRedo: false) }
  }

  /// Notes a new edit, with which what had been taken back is lost.
  mutating func record(_ step: UndoStep) {
    weight -= redo.reduce(0) { $0 + $1.weight }
    redo = []
    push(step, isRedo: false)
  }

  /// Takes the next step out: of the edits to take back, or of those to do again.
  mutating func pop(isRedo: Bool) -> UndoStep? {
    let step = isRedo ? redo.popLast() : undo.popLast()
    weight -= step?.weight ?? 0
    return step
  }

  /// The step that was noted last.
  func last(inRedo: Bool) -> UndoStep? { inRedo ? redo.last : undo.last }

  /// Notes the place in the current entry that the last step's edit took away.
  mutating func noteLostPlace(_ place: Duration, inRedo: Bool) {
    if inRedo {
      if let last = redo.indices.last { redo[last].lostPlace = place }
    } else if let last = undo.indices.last {
      undo[last].lostPlace = place
    }
  }

  /// Notes what takes a popped step back.
  mutating func push(_ step: UndoStep, isRedo: Bool) {
    if isRedo { redo.append(step) } else { undo.append(step) }
    weight += step.weight
    while undo.count > Self.depth { weight -= undo.removeFirst().weight }
    while redo.count > Self.depth { weight -= redo.removeFirst().weight }
    // The oldest go first, those that wait for a redo before those that wait for an undo.
    while weight > Self.capacity, undo.count + redo.count > 1 {
      let fromRedo = !redo.isEmpty && (redo.count > 1 || !isRedo)
      weight -= fromRedo ? redo.removeFirst().weight : undo.removeFirst().weight
    }
  }
}
