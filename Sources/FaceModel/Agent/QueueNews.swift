// SPDX-License-Identifier: MIT
import BusModel
package import PlaybackLogic

/// How the list came to differ, one edit at a time, as our own interface tells it. A client that does the
/// same to its copy has the same list.
package struct QueueNews: Sendable, Hashable {
  /// One edit.
  package enum Edit: Sendable, Hashable {
    /// These have come; they stand in these rows now, from the top down.
    case added([RowRun])
    /// These have gone; they stood in these rows, from the top down.
    case removed([RowRun])
    /// So many rows have moved together, from that row to this.
    case moved(row: Int, count: Int, to: Int)
    /// Too much has changed to be told: the list is to be asked for.
    case replaced
  }

  /// More runs than this are not told one by one.
  package static let mostRuns = 4096
  /// A copy of more rows than this is not kept: no queue is as long.
  package static let longest = 1 << 24

  /// What happened.
  package var edit: Edit
  /// How many rows there are after it.
  package var length: Int

  /// An edit that left so many rows.
  package init(_ edit: Edit, length: Int) {
    self.edit = edit
    self.length = length
  }

  /// How many rows it is about; none where that is not told.
  package var rows: Int {
    switch edit {
    case .added(let runs), .removed(let runs): runs.reduce(0) { $0 + $1.count }
    case .moved(_, let count, _): count
    case .replaced: 0
    }
  }

  /// What there is to tell of a change that left the queue at this length, in order.
  package static func news(of change: QueueChange, length: Int) -> [QueueNews] {
    var length = length
    var news: [QueueNews] = []
    for edit in change.edits.reversed() {
      news.append(QueueNews(Edit(edit), length: length))
      switch edit {
      case .added(let entries, _): length -= entries.count
      case .removed(let entries, _): length += entries.count
      case .moved: break
      }
    }
    return news.reversed()
  }

  /// Does the same to a copy of the list. Says whether it fits; if not, the copy is as it was, and the list
  /// is to be asked for.
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
    }
  }
}
