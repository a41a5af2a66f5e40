// SPDX-License-Identifier: MIT

/// What is to be played, in which order, and which of it is current: a value.
///
/// An entry has three numbers that have nothing to do with each other: who it is (`EntryID`), where it stands
/// in the list (positions count from 0), and when it plays. Every call that changes something returns the
/// difference. No edit changes the current entry unless it removes it.
///
/// Positions and identities that came from outside must be checked by the caller: positions outside the list
/// trap, unknown identities change nothing. An edit of one entry costs O(log n), and the shift of some
/// hundred numbers; an edit of many costs at most what the list costs, once. A copy shares everything until
/// one of the two is edited, then that one pays for its own: keep one and hand out what it says.
package struct PlayQueue: Sendable {
  var table = EntryTable()
  var list: RankedSlots
  /// The play order while it is shuffled. Without it the list is the play order.
  var shuffled: ShuffleOrder?
  /// The current entry.
  var playing: Slot?
  /// Whether the play order was played to its end, and nothing is current since.
  var isOver = false
  /// What the next shuffled pass will begin with, drawn as soon as the end of this one is in sight.
  var nextFirst: Slot?
  /// The entries that somebody asked to hear next and that nobody has heard to the end or skipped. They count where they directly
  /// follow the current one, so who goes elsewhere and comes back finds them as they were.
  var asked: Set<Slot> = []
  var history = PlayHistory()
  var random: QueueRandom
  /// How many play orders there were, so that places noted in one are not used in another.
  var passes: UInt64 = 0
  /// The number given to an entry last.
  var lastID: UInt64 = 0

  /// What undo and redo would do: to be stored with the entries.
  package internal(set) var log = UndoLog()
  /// What to repeat, as it was asked for.
  package internal(set) var repeatChoice = ModeChoice<RepeatMode>.default
  /// How to shuffle, as it was asked for.
  package internal(set) var shuffleChoice = ModeChoice<ShuffleMode>.default
  /// How this list was asked to be shuffled when it came, whatever was chosen; until another list takes its place, or somebody
  /// chooses anew.
  package internal(set) var listShuffle: ModeChoice<ShuffleMode>?
  /// What it would take to do again all that was done since it was made or restored; one edit of one entry is 1.
  package internal(set) var work = 0
  /// What the settings say of repeating.
  package internal(set) var repeatPreference: RepeatMode
  /// What the settings say of shuffling.
  package internal(set) var shufflePreference: ShuffleMode

  /// An empty queue. The seed decides all that is left to chance, from now on.
  package init(seed: UInt64, repeat: RepeatMode = .none, shuffle: ShuffleMode = .off) {
    self.init(seed: seed, repeat: `repeat`, shuffle: shuffle, chunkSize: RankedSlots.usualSize)
  }

  init(seed: UInt64, repeat: RepeatMode, shuffle: ShuffleMode, chunkSize: Int) {
    random = QueueRandom(state: seed)
    list = RankedSlots(chunkSize: chunkSize)
    repeatPreference = `repeat`
    shufflePreference = shuffle
    if shuffle != .off { reshuffle(around: nil) }
  }

  // MARK: The list

  /// How many entries there are.
  package var count: Int { list.count }
  /// How much there is to store: the entries, and those that undo holds.
  package var bulk: Int { count + log.weight }
  /// Whether there are none.
  package var isEmpty: Bool { list.count == 0 }

  /// The entry at a position. Traps outside `0..<count`.
  package subscript(position: Int) -> Entry { table[list[position]] }
  /// The entries at these positions, in the list's order. Traps outside `0..<count`.
  package func entries(at positions: Range<Int>) -> [Entry] { list.slots(positions).map { table[$0] } }
  /// The entry with this identity, if it is in the queue.
  package func entry(_ id: EntryID) -> Entry? { table.slot(of: id).map { table[$0] } }
  /// Where an entry stands in the list, if it is in the queue.
  package func position(of id: EntryID) -> Int? { table.slot(of: id).map { list.rank(of: $0) } }

  // MARK: The play order

  /// What is repeated now.
  package var repeatMode: RepeatMode { repeatChoice.resolved(repeatPreference) }
  /// How it is shuffled now.
  package var shuffleMode: ShuffleMode { (listShuffle ?? shuffleChoice).resolved(shufflePreference) }

  /// The current entry; there is none before anything was played, after the end, and in an empty queue.
  package var current: EntryID? { playing.map { table[$0].id } }
  /// Where the current entry stands in the list.
  package var currentPosition: Int? { playing.map { list.rank(of: $0) } }

  /// What comes by itself when the current entry ends: known in advance, and the same until a change says
  /// otherwise.
  package var following: EntryID? {
    (repeatMode == .one ? playing : slotAfterCurrent).map { table[$0].id }
  }
  /// What Next leads to. Under "repeat one" it is still the entry after.
  package var next: EntryID? { slotAfterCurrent.map { table[$0].id } }
  /// What Previous leads to: in a shuffled order what was really played before, else the row above.
  package var previous: EntryID? { slotBeforeCurrent.map { table[$0].id } }
  /// What `start` begins with; nothing if something is current already.
  package var opening: EntryID? { openingSlot.map { table[$0].id } }

  /// The entries after the current one in the order in which this pass will play them, at most so many.
  package func upcoming(_ limit: Int) -> [EntryID] {
    if isOver { return [] }
    let start = playing.map { rank(of: $0) + 1 } ?? 0
    let ranks = start..<min(count, start + max(0, limit))
    return (shuffled?.ranks ?? list).slots(ranks).map { table[$0].id }
  }

  // MARK: Notes on entries

  /// The identity that was given last, whether or not its entry is still there.
  package var lastIdentity: EntryID { EntryID(rawValue: lastID) }

  /// Gives none of the identities up to this one from now on: others have heard of them, and the entries are not there any
  /// more. Returns whether it can be an identity.
  package mutating func skipIdentities(through id: EntryID) -> Bool {
    guard id.rawValue <= Self.highest else { return false }
    work += 1
    lastID = max(lastID, id.rawValue)
    return true
  }

  /// Notes the album of an entry once its tags are read. No place in any order changes by it, and it is no
  /// edit to undo. Returns whether it was news.
  package mutating func setAlbum(_ album: AlbumKey, of id: EntryID) -> Bool {
    guard let slot = table.slot(of: id), table[slot].album != album else { return false }
    work += 1
    shuffled?.unanchor(slot, table)
    table.setAlbum(album, in: slot)
    shuffled?.anchorIfFirst(slot, table)
    return true
  }

  /// Notes whether the file of an entry is gone; it stays in its place. Returns whether it was news.
  package mutating func setMissing(_ isMissing: Bool, of id: EntryID) -> Bool {
    guard let slot = table.slot(of: id), table[slot].isMissing != isMissing else { return false }
    work += 1
    table.setMissing(isMissing, in: slot)
    return true
  }
}
