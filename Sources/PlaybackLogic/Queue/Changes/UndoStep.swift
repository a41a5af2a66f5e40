// SPDX-License-Identifier: MIT

/// What has to be done to take one edit back. A value that is stored, so undo still works after the agent restarts.
package struct UndoStep: Sendable, Hashable {
  /// One action of a step.
  package enum Part: Sendable, Hashable {
    /// Put these entries back at these positions, and at their `places` in the play order. `asked` holds the indices within the
    /// entries of those that were asked to be next.
    case insert([Entry], at: RangeSet<Int>, places: OrderPlaces?, asked: RangeSet<Int> = RangeSet())
    /// Remove the entries at these positions.
    case remove(RangeSet<Int>)
    /// Move these rows so that the first of them stands at `to`. `asked` holds the indices within the rows of those that were
    /// asked to be next before.
    case move(Range<Int>, to: Int, asked: RangeSet<Int> = RangeSet())
    /// Set the list's own shuffle mode. Nil: the mode chosen for all lists applies.
    case shuffleList(ModeChoice<ShuffleMode>?)
  }

  /// The ranks that entries had in a shuffled order.
  package struct OrderPlaces: Sendable, Hashable {
    /// The shuffled pass that the ranks belong to.
    package var pass: UInt64
    /// The rank of the current entry at that time, or -1 if there was none. Entries up to this rank had been played.
    package var cursor: Int
    /// The rank of each entry.
    package var ranks: [UInt32]

    /// The places of some entries, in the same sequence as the entries.
    package init(pass: UInt64, cursor: Int, ranks: [UInt32]) {
      self.pass = pass
      self.cursor = cursor
      self.ranks = ranks
    }
  }

  /// The actions, in the order in which they are to be done.
  package var parts: [Part]
  /// The current entry that the edit removed. Taking the edit back makes it current again if nothing else is current by then.
  package var lostCurrent: EntryID?
  /// The listener's place in `lostCurrent`.
  package var lostPlace: Duration

  /// A step of these actions.
  package init(parts: [Part], lostCurrent: EntryID? = nil, lostPlace: Duration = .zero) {
    self.parts = parts
    self.lostCurrent = lostCurrent
    self.lostPlace = lostPlace
  }

  /// The entries that the step would bring back.
  package var entries: [Entry] {
    parts.flatMap { part -> [Entry] in
      if case .insert(let entries, _, _, _) = part { entries } else { [] }
    }
  }

  /// How many entries and ranges of positions the step holds in memory.
  var weight: Int {
    parts.reduce(0) { weight, part in
      switch part {
      case .insert(let entries, let positions, _, let asked):
        weight + entries.count + positions.ranges.count + asked.ranges.count
      case .remove(let positions): weight + positions.ranges.count
      case .move(_, _, let asked): weight + 1 + asked.ranges.count
      case .shuffleList: weight + 1
      }
    }
  }

  /// Whether the step can be done to a list of this length. `isPresent` tells whether an entry is in that list. A stored step has
  /// to be checked because it may not belong to the list that was stored with it.
  func fits(count: Int, isPresent: (EntryID) -> Bool) -> Bool {
    var count = count
    var comers: [EntryID] = []
    for part in parts {
      switch part {
      case .insert(let entries, let positions, let places, let asked):
        count += entries.count
        guard positions.lies(within: count), positions.size == entries.count,
          asked.lies(within: entries.count),
          places.map({ $0.ranks.count == entries.count }) ?? true,
          count == entries.count || !entries.contains(where: { isPresent($0.id) })
        else { return false }
        comers += entries.lazy.map(\.id)
      case .remove(let positions):
        guard positions.lies(within: count) else { return false }
        count -= positions.size
      case .move(let rows, let target, let asked):
        guard rows.lowerBound >= 0, rows.upperBound <= count, (0...count - rows.count).contains(target),
          asked.lies(within: rows.count)
        else { return false }
      case .shuffleList: break
      }
    }
    // Identities usually come in ascending order, which proves that none occurs twice. Otherwise a set finds out.
    return zip(comers, comers.dropFirst()).allSatisfy(<) || Set(comers).count == comers.count
  }
}

extension RangeSet<Int> {
  /// How many positions it has.
  var size: Int { ranges.reduce(0) { $0 + $1.count } }

  /// Whether all positions are within a list of this length.
  func lies(within count: Int) -> Bool {
    (ranges.first?.lowerBound ?? 0) >= 0 && (ranges.last?.upperBound ?? 0) <= count
  }
}
