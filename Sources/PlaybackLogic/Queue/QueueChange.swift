// SPDX-License-Identifier: MIT

/// Everything that one call of a `PlayQueue` method has changed in the queue. The signals on the bus, the journal and a client's
/// copy of the queue are made from it.
package struct QueueChange: Sendable, Hashable {
  /// The edits of the list, in order. The positions in each edit refer to the list as the edits before it left it.
  package internal(set) var edits: [QueueEdit] = []
  /// How the current entry changed; nil if it did not. Also set if the same entry is to begin again.
  package internal(set) var current: CurrentChange?
  /// Whether `following` is another entry than before, so that another one has to be opened in advance.
  package internal(set) var hasNewFollowing = false
  /// The entry that will now follow the current one by itself; nil if none will.
  package internal(set) var following: EntryID?
  /// Whether the play order was made anew, because another mode was chosen or because a new shuffled order began.
  package internal(set) var isReordered = false

  /// The entries whose files have other locations now.
  package internal(set) var relocated: [EntryID] = []

  /// The command that was carried out, for the journal on disk. Passed to `PlayQueue.replay` on an equal queue, it has the same
  /// outcome. Nil if the call could not change anything.
  package internal(set) var command: QueueCommand?

  /// No change.
  package init() {}

  /// Whether nothing visible has changed. There may be a `command` nevertheless.
  package var isEmpty: Bool {
    edits.isEmpty && current == nil && !hasNewFollowing && !isReordered && relocated.isEmpty
  }

  /// The edits that reverse this change of the list.
  package var inverseEdits: [QueueEdit] { edits.reversed().map(\.inverse) }
}

/// One change of the list: enough to repeat it on a copy of the list, and to reverse it.
package enum QueueEdit: Sendable, Hashable {
  /// These entries were added. They now stand at these positions, in this order.
  case added([Entry], at: RangeSet<Int>)
  /// These entries were removed. They stood at these positions, in this order.
  case removed([Entry], at: RangeSet<Int>)
  /// The entries at these positions were moved together. The first of them now stands at `to`.
  case moved(Range<Int>, to: Int)
  /// Rows exchanged their entries, as sorting does.
  case arranged(Arrangement)

  /// The edit that reverses this one.
  package var inverse: QueueEdit {
    switch self {
    case .added(let entries, let positions): .removed(entries, at: positions)
    case .removed(let entries, let positions): .added(entries, at: positions)
    case .moved(let rows, let target): .moved(target..<target + rows.count, to: rows.lowerBound)
    case .arranged(let arrangement): .arranged(arrangement.inverse)
    }
  }
}

/// How the current entry has changed: to another entry, to none, or back to its own beginning.
package struct CurrentChange: Sendable, Hashable {
  /// Why the current entry changed. What the sound has to do depends on this.
  package enum Cause: Sendable, Hashable {
    /// Somebody chose the entry: it plays from its beginning.
    case chosen
    /// Somebody pressed Next. Music that plays goes on playing, and paused music stays paused.
    case skipped
    /// Somebody pressed Previous. Playing goes on and a pause stays, as with `skipped`.
    case wentBack
    /// The former current entry came to its end. The new one follows without a gap.
    case advanced
    /// The former current entry was removed. Playing goes on and a pause stays, as with `skipped`.
    case removed
    /// There is nothing left to play: playback stops.
    case ended
    /// Undo or redo brought back an entry that an edit had removed while it was current, or took out the one that was made to play instead of it. It is
    /// current again, at the place that the listener had reached. Playing goes on and a pause stays, and nothing starts by itself. Also used, with place zero,
    /// when edits that could not be stored are taken back.
    case restored(at: Duration)
  }

  /// The entry that was current before. It may no longer be in the queue.
  package let from: EntryID?
  /// The entry that is current now. It equals `from` if the entry is to begin again, and is nil if nothing is current.
  package let to: EntryID?
  package let cause: Cause

  package init(from: EntryID?, to: EntryID?, cause: Cause) {
    self.from = from
    self.to = to
    self.cause = cause
  }
}

/// How many entries one or more edits added, removed and moved in total. Undo and redo use it to tell the user what they took back.
package struct EditCounts: Sendable, Hashable {
  package var added = 0
  package var removed = 0
  package var moved = 0
  /// What the moved entries were sorted by, in the words of the command line; empty if nothing was sorted.
  package var order = ""

  package init(added: Int = 0, removed: Int = 0, moved: Int = 0, order: String = "") {
    self.added = added
    self.removed = removed
    self.moved = moved
    self.order = order
  }

  /// The counts of these edits, added up. Entries that were removed and added again, as by a shuffle, count as moved.
  package init(_ edits: [QueueEdit]) {
    var (came, went): (Set<EntryID>, Set<EntryID>) = ([], [])
    for edit in edits {
      switch edit {
      case .added(let entries, _): came.formUnion(entries.lazy.map(\.id))
      case .removed(let entries, _): went.formUnion(entries.lazy.map(\.id))
      case .moved(let rows, _): moved += rows.count
      case .arranged(let arrangement):
        moved += arrangement.origins.count
        order = arrangement.order
      }
    }
    let both = came.intersection(went).count
    (added, removed, moved) = (came.count - both, went.count - both, moved + both)
  }
}

/// Walks over all entries of a queue, some at a time, while the queue is edited. It visits every entry that was there at the
/// beginning and stays. Entries added meanwhile may be visited or not. A value; its owner must pass every edit to `follow`.
package struct QueueSweep: Sendable {
  /// How many rows from the top have been visited.
  private var done = 0

  /// A walk that has not begun yet.
  package init() {}

  /// Returns the next entries to visit, at most `count`, and counts them as visited. Empty at the end of the list.
  package mutating func next(_ count: Int, of queue: PlayQueue) -> [Entry] {
    let rows = min(done, queue.count)..<min(done + count, queue.count)
    done = rows.upperBound
    return queue.entries(at: rows)
  }

  /// Adjusts the walk to an edit of the queue.
  package mutating func follow(_ edit: QueueEdit) {
    switch edit {
    case .added(_, let positions):
      // Positions count in the list after the edit, so each run of added rows shifts the rows below it before the next run is
      // looked at.
      for run in positions.ranges where run.lowerBound < done { done += run.count }
    case .removed(_, let positions):
      done -= positions.ranges.reduce(0) { $0 + $1.clamped(to: 0..<done).count }
    case .moved(let rows, let target):
      // The move may bring unvisited rows among the visited ones, so the walk goes back to the first row that it touched.
      if rows.upperBound > done || target + rows.count > done { done = min(done, rows.lowerBound, target) }
    case .arranged(let arrangement):
      let rows = arrangement.rows
      if let first = rows.first, let last = rows.last, last.upperBound > done {
        done = min(done, first.lowerBound)
      }
    }
  }
}

/// Rows of the queue's list whose entries change places with each other, as sorting does. All other rows stay as they are.
///
/// It holds four bytes for each row instead of the entries themselves, so an undo log can keep many of them.
package struct Arrangement: Sendable, Hashable {
  /// The rows that exchange their entries, as runs in ascending order. They count from 0. Not a `RangeSet`: iterating over one takes ten times as
  /// long, and rows that a user marked may make fifty thousand runs.
  let rows: [Range<Int>]
  /// For each row of `rows`, from the top down, the number of the row that its new entry comes from. The topmost of `rows` is
  /// number 0. Each number occurs once.
  package let origins: [UInt32]
  /// What the rows were sorted by, in the words of the command line. It is kept so that undo can say what it took back.
  package let order: String

  /// The longest text that `order` may have, in bytes of UTF-8. Instead of a longer one the empty text is kept.
  static let longestOrder = 200

  /// An arrangement of these rows. It is not checked; `fits` tells whether it is valid for a list.
  init(rows: [Range<Int>], origins: [UInt32], order: String) {
    (self.rows, self.origins) = (rows, origins)
    self.order = order.utf8.count <= Self.longestOrder ? order : ""
  }

  /// How many of the rows have another entry afterwards.
  package var movedRows: Int { zip(origins, 0...).count { $0 != $1 } }
  /// Whether every entry stays where it is.
  var isNothing: Bool { zip(origins, 0...).allSatisfy { $0 == $1 } }

  /// Whether a list of `count` rows has all these rows, and `origins` names each of them once.
  func fits(_ count: Int) -> Bool {
    var (next, size) = (0, 0)
    for run in rows {
      guard run.lowerBound >= next else { return false }
      next = run.upperBound
      size += run.count
    }
    guard next <= count, size == origins.count else { return false }
    var seen = Array(repeating: false, count: origins.count)
    for origin in origins {
      guard origin < UInt32(clamping: seen.count), !seen[Int(origin)] else { return false }
      seen[Int(origin)] = true
    }
    return true
  }

  /// The arrangement that undoes this one.
  package var inverse: Arrangement {
    var back = origins
    for (place, origin) in origins.enumerated() { back[Int(origin)] = UInt32(place) }
    return Arrangement(rows: rows, origins: back, order: order)
  }

  /// Puts `entries`, which are those of `rows` from the top down, into their new order.
  func arranged<Row>(_ entries: [Row]) -> [Row] { origins.map { entries[Int($0)] } }
}

// MARK: Bytes

extension ByteWriter {
  mutating func put(_ arrangement: Arrangement) {
    put(arrangement.rows) { $0.put($1) }
    put(arrangement.origins) { $0.put(UInt64($1)) }
    put(arrangement.order.utf8)
  }
}

extension ByteReader {
  mutating func arrangement() throws(Malformed) -> Arrangement {
    let rows = try runs()
    let origins = try array { reader throws(Malformed) in try reader.uint32() }
    return Arrangement(rows: rows, origins: origins, order: String(decoding: try text(), as: UTF8.self))
  }
}
