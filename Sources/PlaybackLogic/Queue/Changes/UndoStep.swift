// SPDX-License-Identifier: MIT

/// What has to be done to take one edit back: a value to be stored, so that undo outlives the agent.
package struct UndoStep: Sendable, Hashable {
  /// One part of it, as it is to be done.
  package enum Part: Sendable, Hashable {
    /// Put these entries back at these positions, and into the play order where they were. `asked` says by their numbers which of
    /// them were asked to be next.
    case insert([Entry], at: RangeSet<Int>, places: OrderPlaces?, asked: RangeSet<Int> = RangeSet())
    /// Take what stands at these positions out.
    case remove(RangeSet<Int>)
    /// Move these rows so that the first of them stands there; some of them were asked to be next before.
    case move(Range<Int>, to: Int, asked: RangeSet<Int> = RangeSet())
    /// Shuffle the list so, or as it was chosen.
    case shuffleList(ModeChoice<ShuffleMode>?)
  }

  /// Where entries stood in a shuffled order.
  package struct OrderPlaces: Sendable, Hashable {
    /// The shuffled pass that the ranks belong to.
    package var pass: UInt64
    /// The rank of the current entry then, or -1: what lay behind it had been played.
    package var cursor: Int
    /// The rank of each entry.
    package var ranks: [UInt32]

    /// The places of some entries.
    package init(pass: UInt64, cursor: Int, ranks: [UInt32]) {
      self.pass = pass
      self.cursor = cursor
      self.ranks = ranks
    }
  }

  /// The parts, in the order in which they are to be done.
  package var parts: [Part]
  /// The current entry that the edit took away. Undo marks it again if nothing else is current by then.
  package var lostCurrent: EntryID?
  /// Where in it the listener was.
  package var lostPlace: Duration

  /// A step of these parts.
  package init(parts: [Part], lostCurrent: EntryID? = nil, lostPlace: Duration = .zero) {
    self.parts = parts
    self.lostCurrent = lostCurrent
    self.lostPlace = lostPlace
  }

  /// The entries that it would bring back.
  package var entries: [Entry] {
    parts.flatMap { part -> [Entry] in
      if case .insert(let entries, _, _, _) = part { entries } else { [] }
    }
  }

  /// How many entries and stretches it holds in memory.
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

  /// Whether it can be done to a list of that length, whose entries `isPresent` knows. A step that was stored
  /// may not belong to the list that was stored beside it.
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
    // Most often they come in the order in which they were made, and then there is no need to count.
    return zip(comers, comers.dropFirst()).allSatisfy(<) || Set(comers).count == comers.count
  }
}

extension RangeSet<Int> {
  /// How many positions it has.
  var size: Int { ranges.reduce(0) { $0 + $1.count } }

  /// Whether all positions are those of a list of that length.
  func lies(within count: Int) -> Bool {
    (ranges.first?.lowerBound ?? 0) >= 0 && (ranges.last?.upperBound ?? 0) <= count
  }
}
