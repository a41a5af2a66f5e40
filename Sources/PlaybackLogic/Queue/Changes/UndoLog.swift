// SPDX-License-Identifier: MIT

/// The steps for undo and redo. A value that is part of the queue and is stored with it.
///
/// It is limited both by the number of steps and by the number of entries they hold, because a hundred clears of a long queue
/// hold as much as a hundred queues. The latest step is kept however much it holds, so a clear can always be undone.
package struct UndoLog: Sendable, Hashable {
  /// The largest number of steps to undo, and also of steps to redo.
  package static let depth = 100
  /// The largest weight of all steps together, in entries and ranges.
  package static let capacity = 1_000_000

  /// The steps to undo. The last one undoes the latest edit.
  package private(set) var undo: [UndoStep] = []
  /// The steps to redo. The last one redoes the edit that was undone last.
  package private(set) var redo: [UndoStep] = []
  /// How many entries and ranges of positions all steps hold.
  private(set) var weight = 0

  /// A log made from stored steps. If they exceed the limits, the oldest are dropped.
  package init(undo: [UndoStep] = [], redo: [UndoStep] = []) {
    for step in redo { push(step, isRedo: true) }
    for step in undo { push(step, isRedo: false) }
  }

  /// Records the step that undoes a new edit. All steps to redo are dropped.
  mutating func record(_ step: UndoStep) {
    weight -= redo.reduce(0) { $0 + $1.weight }
    redo = []
    push(step, isRedo: false)
  }

  /// Removes and returns the next step to undo, or to redo if `isRedo`. Nil if there is none.
  mutating func pop(isRedo: Bool) -> UndoStep? {
    let step = isRedo ? redo.popLast() : undo.popLast()
    weight -= step?.weight ?? 0
    return step
  }

  /// The last step to undo, or to redo if `inRedo`.
  func last(inRedo: Bool) -> UndoStep? { inRedo ? redo.last : undo.last }

  /// Notes the listener's place in the current entry that the edit of the last step removed.
  mutating func noteLostPlace(_ place: Duration, inRedo: Bool) {
    if inRedo {
      if let last = redo.indices.last { redo[last].lostPlace = place }
    } else if let last = undo.indices.last {
      undo[last].lostPlace = place
    }
  }

  /// Adds a step to undo, or to redo if `isRedo`, and drops old steps beyond the limits.
  mutating func push(_ step: UndoStep, isRedo: Bool) {
    if isRedo { redo.append(step) } else { undo.append(step) }
    weight += step.weight
    while undo.count > Self.depth { weight -= undo.removeFirst().weight }
    while redo.count > Self.depth { weight -= redo.removeFirst().weight }
    // The oldest steps are dropped first, and steps to redo before steps to undo, but never the one just added.
    while weight > Self.capacity, undo.count + redo.count > 1 {
      let fromRedo = !redo.isEmpty && (redo.count > 1 || !isRedo)
      weight -= fromRedo ? redo.removeFirst().weight : undo.removeFirst().weight
    }
  }
}
