// SPDX-License-Identifier: MIT
package import BusModel
package import PlaybackLogic

/// One edit of the queue as our own interface reports it. A client that applies every report
/// to its copy of the list has the same list as the agent.
package struct QueueNews: Sendable, Hashable {
  package enum Edit: Sendable, Hashable {
    /// These entries were added. Their rows are those after the edit, from the top down.
    case added([RowRun])
    /// These entries were removed. Their rows are those before the edit, from the top down.
    case removed([RowRun])
    /// `count` rows have moved together, beginning with row `row`. The first of them is in row `to` afterwards.
    case moved(row: Int, count: Int, to: Int)
    /// Too much has changed to be listed: the client has to ask for the whole list.
    case replaced
  }

  /// An edit of more runs of consecutive rows than this is reported as `replaced`.
  package static let mostRuns = 4096
  /// The most rows that a client's copy may grow to; no real queue is as long.
  package static let longest = 1 << 24

  package var edit: Edit
  /// How many rows the queue has after the edit.
  package var length: Int

  package init(_ edit: Edit, length: Int) {
    self.edit = edit
    self.length = length
  }

  /// How many rows were edited; 0 for `replaced`, where that is not known.
  package var rows: Int {
    switch edit {
    case .added(let runs), .removed(let runs): runs.reduce(0) { $0 + $1.count }
    case .moved(_, let count, _): count
    case .replaced: 0
    }
  }

  /// One report for each edit in a change, in order. `length` is the length of the queue after the whole change.
  package static func news(of change: QueueChange, length: Int) -> [QueueNews] {
    var length = length
    var news: [QueueNews] = []
    for edit in change.edits.reversed() {
      news.append(QueueNews(Edit(edit), length: length))
      switch edit {
      case .added(let entries, _): length -= entries.count
      case .removed(let entries, _): length += entries.count
      case .moved, .arranged: break
      }
    }
    return news.reversed()
  }

  /// Applies the edit to a copy of the list and returns whether it fits. If not, the
  /// copy is unchanged, and the client has to ask for the whole list.
  package func apply(to list: inout [EntryID]) -> Bool {
    var copy = list
    switch edit {
    case .added(let runs):
      guard runs.allSatisfy({ Self.insert($0, into: &copy, upTo: length) }) else { return false }
    case .removed(let runs):
      guard runs.reversed().allSatisfy({ Self.remove($0, from: &copy) }) else { return false }
    case .moved(let row, let count, let target):
      guard Self.move(row - 1, count, to: target - 1, in: &copy) else { return false }
    case .replaced: return false
    }
    guard copy.count == length else { return false }
    list = copy
    return true
  }

  private static func insert(_ run: RowRun, into list: inout [EntryID], upTo length: Int) -> Bool {
    guard run.row <= list.count + 1, run.count <= min(length, longest) - list.count else { return false }
    list.insert(contentsOf: run.entries, at: run.row - 1)
    return true
  }

  private static func remove(_ run: RowRun, from list: inout [EntryID]) -> Bool {
    let start = run.row - 1
    guard run.count <= list.count - start,
      list[start..<start + run.count].elementsEqual(run.entries)
    else { return false }
    list.removeSubrange(start..<start + run.count)
    return true
  }

  private static func move(_ start: Int, _ count: Int, to target: Int, in list: inout [EntryID]) -> Bool {
    guard start >= 0, target >= 0, start + count <= list.count, target + count <= list.count else {
      return false
    }
    let moved = list[start..<start + count]
    list.removeSubrange(start..<start + count)
    list.insert(contentsOf: moved, at: target)
    return true
  }
}

extension QueueNews.Edit {
  fileprivate init(_ edit: QueueEdit) {
    switch edit {
    case .added(let entries, let positions):
      let runs = RowRun.runs(of: entries, at: positions)
      self = runs.count > QueueNews.mostRuns ? .replaced : .added(runs)
    case .removed(let entries, let positions):
      let runs = RowRun.runs(of: entries, at: positions)
      self = runs.count > QueueNews.mostRuns ? .replaced : .removed(runs)
    case .moved(let rows, let target):
      self = .moved(row: rows.lowerBound + 1, count: rows.count, to: target + 1)
    // A list of where each row went would be as long as the whole list.
    case .arranged: self = .replaced
    }
  }
}

/// Entries in consecutive rows whose identities are consecutive too. So 100,000 entries that were added at once make one run.
package struct RowRun: Sendable, Hashable, WireConvertible {
  /// The row of the first entry, counted from 1.
  package var row: Int
  package var first: EntryID
  package var count: Int

  package static var wireType: WireType { "(utu)" }

  package var wireValue: WireValue {
    .structure([
      .uint32(UInt32(clamping: row)), .uint64(first.rawValue), .uint32(UInt32(clamping: count)),
    ])
  }

  /// Reads a run; nil if its row or count is 0, or if its identities would exceed 64 bits.
  package init?(wire: WireValue) {
    guard case .structure(let fields) = wire,
      let (row, first, count) = try? fields.decoded(as: UInt32.self, UInt64.self, UInt32.self),
      row > 0, count > 0, !first.addingReportingOverflow(UInt64(count)).overflow
    else { return nil }
    self.init(row: Int(row), first: EntryID(rawValue: first), count: Int(count))
  }

  package init(row: Int, first: EntryID, count: Int) {
    self.row = row
    self.first = first
    self.count = count
  }

  /// The identities of all entries of the run.
  package var entries: some RandomAccessCollection<EntryID> {
    (0..<UInt64(count)).lazy.map { EntryID(rawValue: first.rawValue + $0) }
  }

  /// Groups entries at these positions, which count from 0, into runs, in order.
  static func runs(of entries: [Entry], at positions: RangeSet<Int>) -> [RowRun] {
    var runs: [RowRun] = []
    for (entry, position) in zip(entries, positions.ranges.joined()) {
      if let last = runs.last, last.continues(with: entry.id, at: position + 1) {
        runs[runs.count - 1].count += 1
      } else {
        runs.append(RowRun(row: position + 1, first: entry.id, count: 1))
      }
    }
    return runs
  }

  private func continues(with entry: EntryID, at row: Int) -> Bool {
    row == self.row + count && entry.rawValue == first.rawValue &+ UInt64(count)
  }
}

extension QueueNews {
  /// The signal that reports the edit.
  package var signal: (MemberName, [WireValue]) {
    let length = UInt32(clamping: length)
    return switch edit {
    case .added(let runs): AgentQueue.queueChanged(runs, [], [], length)
    case .removed(let runs): AgentQueue.queueChanged([], runs, [], length)
    case .moved(let row, let count, let target):
      AgentQueue.queueChanged([], [], [RowMove(row: row, count: count, target: target)], length)
    case .replaced: AgentQueue.queueReplaced(length)
    }
  }

  /// Reads an edit from a signal. Nil for any other signal, and for one that reports no edit or several at once.
  package init?(signal: MemberName, _ arguments: [WireValue]) {
    if let length = AgentQueue.queueReplaced.arguments(of: signal, arguments) {
      self.init(.replaced, length: Int(length))
    } else if let (added, removed, moved, length) = AgentQueue.queueChanged.arguments(of: signal, arguments),
      let edit = Edit(added, removed, moved)
    {
      self.init(edit, length: Int(length))
    } else {
      return nil
    }
  }
}

extension QueueNews.Edit {
  fileprivate init?(_ added: [RowRun], _ removed: [RowRun], _ moved: [RowMove]) {
    switch (added.isEmpty, removed.isEmpty, moved.count) {
    case (false, true, 0): self = .added(added)
    case (true, false, 0): self = .removed(removed)
    case (true, true, 1): self = .moved(row: moved[0].row, count: moved[0].count, to: moved[0].target)
    default: return nil
    }
  }
}

/// Rows that have moved together, as a message carries them.
struct RowMove: WireConvertible {
  let row: Int
  let count: Int
  let target: Int

  static var wireType: WireType { "(uuu)" }
  var wireValue: WireValue { .structure([row, count, target].map { .uint32(UInt32(clamping: $0)) }) }

  init(row: Int, count: Int, target: Int) {
    self.row = row
    self.count = count
    self.target = target
  }

  init?(wire: WireValue) {
    guard let numbers = wire.fields?.compactMap(UInt32.init(wire:)), numbers.count == 3 else { return nil }
    self.init(row: Int(numbers[0]), count: Int(numbers[1]), target: Int(numbers[2]))
  }
}
