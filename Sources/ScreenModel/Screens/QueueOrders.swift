// SPDX-License-Identifier: MIT
import FaceModel

/// The orders that keys give about rows of the queue, and those among them that have to wait.
///
/// The agent reports an edit a moment after its key. Until then the rows have other numbers on the screen than in the queue, so an order about rows
/// waits, and is carried out on what was chosen and marked when its key was pressed.
struct QueueOrders: Sendable {
  /// What a key does to the marked rows, or to the chosen one.
  enum Order: Sendable {
    case play, remove
    /// Move the rows down by 1, or up by -1.
    case shift(Int)
    /// Sort the marked rows among themselves, or all rows if none is marked.
    case sort(String)

    /// Whether it is for all rows, whatever they are.
    func isForAll(_ subject: Subject) -> Bool {
      if case .sort = self { !subject.isOfMarks } else { false }
    }
  }

  /// The rows that an order is for, noted when its key was pressed. While the order waits, the rows move, and somebody may choose another.
  struct Subject: Sendable {
    var marked: RangeSet<Int>
    /// The chosen row; nil in an empty list.
    var chosen: Int?
    let isOfMarks: Bool

    init(marked: RangeSet<Int>, chosen: Int?) {
      (self.marked, self.chosen, isOfMarks) = (marked, chosen, !marked.isEmpty)
    }

    /// The marked rows, or else the chosen one. If rows were marked and all of them are gone, there are none.
    var rows: RangeSet<Int> {
      isOfMarks ? marked : chosen.map { RangeSet($0..<$0 + 1) } ?? RangeSet()
    }
  }

  /// How many edits by keys the agent has not told of yet.
  private var editsUnderWay = 0
  /// How many orders the agent has not answered yet whose edits only it knows: sorts, undos, and tracks of the library.
  private var answersAwaited = 0
  private var waiting: [(order: Order, subject: Subject)] = []
  /// How many orders were dropped, because nobody knows any more which rows they were for.
  private var lost = 0

  /// How many orders wait.
  var waitingCount: Int { waiting.count }

  private var mayGo: Bool { editsUnderWay == 0 && answersAwaited == 0 }

  /// Whether an order may be carried out now. If not, it waits.
  mutating func mayGo(_ order: Order, _ subject: Subject) -> Bool {
    if !mayGo { waiting.append((order, subject)) }
    return mayGo
  }

  /// The next of the orders that waited, if it may be carried out now.
  mutating func next() -> (order: Order, subject: Subject)? {
    mayGo && !waiting.isEmpty ? waiting.removeFirst() : nil
  }

  /// Notes that an order was sent that edits the queue so many times.
  mutating func went(edits: Int) { editsUnderWay = edits }

  /// Notes that an order was sent whose edit only the agent knows. The next one waits for its answer.
  mutating func waitForAnswer() { answersAwaited += 1 }

  /// Notes the agent's answer to an order. After a failure all orders that wait are dropped: they were given for what it would have made of the queue.
  mutating func ended(_ order: ScreenEffect, isGood: Bool) {
    if order.editsUnseen { answersAwaited = max(0, answersAwaited - 1) }
    // Other orders whose edits only the agent knows may still be under way.
    if !isGood { dropWaiting() }
  }

  /// Notes an edit of which the agent tells. `moved` says which rows the subject of a waiting order are after it. If the agent does not tell what has
  /// become of the rows, orders for some of them are dropped: the same row is another track by now.
  mutating func told(of edit: QueueNews.Edit, moved: (Subject) -> Subject) {
    if case .moved = edit { editsUnderWay = max(0, editsUnderWay - 1) } else { editsUnderWay = 0 }
    let known = edit == .replaced ? waiting.filter { $0.order.isForAll($0.subject) } : waiting
    lost += waiting.count - known.count
    waiting = known.map { ($0.order, moved($0.subject)) }
  }

  /// Drops an order, because it is not known which rows it is for.
  mutating func lose() { lost += 1 }

  /// Whether orders were dropped since the last call. They are told when all answers have come, because an answer is told too.
  mutating func takeLost() -> Bool {
    guard mayGo, lost > 0 else { return false }
    lost = 0
    return true
  }

  /// Drops the orders to play that wait.
  mutating func dropPlays() {
    waiting.removeAll { if case .play = $0.order { true } else { false } }
  }

  /// Forgets what waits, and what is waited for.
  mutating func drop() {
    dropWaiting()
    answersAwaited = 0
  }

  private mutating func dropWaiting() { (editsUnderWay, waiting, lost) = (0, [], 0) }
}

/// Where an edit of the queue moves each row, so that all that is known of rows can move with them.
struct RowShifts: Sendable {
  /// Rows, as they were counted from 0 before the edit, that move by the same distance.
  struct Run: Sendable {
    let rows: Range<Int>
    let distance: Int
  }

  /// No queue has a row of this number.
  private static let end = 1 << 40

  /// From the top down. Rows in none of these are gone.
  private(set) var runs: [Run] = []

  /// Nil if the news of the edit do not say which rows were edited, so all rows have to be read again.
  init?(_ edit: QueueNews.Edit) {
    switch edit {
    case .added(let added):
      var (start, distance) = (0, 0)
      for run in added {
        // The rows of what was added are those after the edit.
        let place = run.row - 1 - distance
        add(start, place, by: distance)
        (start, distance) = (max(start, place), distance + run.count)
      }
      add(start, Self.end, by: distance)
    case .removed(let removed):
      var (start, distance) = (0, 0)
      for run in removed {
        add(start, run.row - 1, by: distance)
        (start, distance) = (max(start, run.row - 1 + run.count), distance - run.count)
      }
      add(start, Self.end, by: distance)
    case .moved(let row, let count, let target):
      let (first, after, distance) = (row - 1, row - 1 + count, target - row)
      add(0, min(first, first + distance), by: 0)
      add(first + distance, first, by: count)
      add(first, after, by: distance)
      add(after, after + distance, by: -count)
      add(max(after, after + distance), Self.end, by: 0)
    case .replaced: return nil
    }
  }

  /// Adds the rows from `start` to before `end`, if there are any and no row would get a number below 0.
  private mutating func add(_ start: Int, _ end: Int, by distance: Int) {
    let start = max(start, 0, -distance)
    if start < end { runs.append(Run(rows: start..<end, distance: distance)) }
  }

  /// Where this row is after the edit. For a row that is gone, the place of the next one that is left.
  func place(of row: Int) -> Int {
    guard let run = runs.first(where: { $0.rows.upperBound > row }) else { return row }
    return max(row, run.rows.lowerBound) + run.distance
  }

  /// Where this row is after the edit; nil if it is gone.
  func row(_ row: Int) -> Int? {
    runs.contains { $0.rows.contains(row) } ? place(of: row) : nil
  }

  /// Where these rows are after the edit.
  func rows(_ rows: RangeSet<Int>) -> RangeSet<Int> {
    var moved = RangeSet<Int>()
    for run in runs {
      for range in rows.intersection(RangeSet(run.rows)).ranges {
        moved.insert(contentsOf: range.lowerBound + run.distance..<range.upperBound + run.distance)
      }
    }
    return moved
  }
}
