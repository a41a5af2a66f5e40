// SPDX-License-Identifier: MIT

/// The play queue: the list of entries, the order in which they play, and which entry is current. It is a value with no thread of
/// its own.
///
/// An entry has three independent numbers: its identity (`EntryID`), its position in the list (counted from 0), and its rank in
/// the play order. Every call that changes the list, the play order or the current entry returns a `QueueChange` that describes
/// the difference. No edit changes the current entry unless the edit removes it.
///
/// Callers must check positions that come from outside: a position outside the list traps. An unknown identity changes nothing.
/// An edit of one entry costs O(log n) and moves some hundred numbers in memory. An edit of many entries costs at most one pass
/// over the list. A copy shares its storage until one of the two is edited; that one then pays for a copy of its own. So keep one
/// queue, and hand out its answers rather than copies of it.
package struct PlayQueue: Sendable {
  var table = EntryTable()
  var list: RankedSlots
  /// The play order while shuffle is on. It is nil while shuffle is off: then the list is the play order.
  var shuffled: ShuffleOrder?
  /// The current entry.
  var playing: Slot?
  /// Whether the play order was played to its end and nothing has become current since.
  var isOver = false
  /// The first entry of the next shuffled pass. Under "repeat all" it is drawn as soon as the last entry of this pass is current,
  /// because what follows must always be known. It is also drawn when the play order is over. Otherwise nil.
  var nextFirst: Slot?
  /// The entries that somebody asked to hear next and that were neither heard to the end nor skipped yet. Those directly after
  /// the current entry play next. The others keep the mark, so somebody who jumps away and comes back finds them as they were.
  var asked: Set<Slot> = []
  var history = PlayHistory()
  var random: QueueRandom
  /// How many play orders there have been. Ranks noted in one play order are not used in another.
  var passes: UInt64 = 0
  /// The number of the identity that was given out last.
  var lastID: UInt64 = 0

  /// The edits that undo and redo would carry out. They are stored along with the entries.
  package internal(set) var log = UndoLog()
  /// The repeat mode as the user chose it, or `default` to follow the settings.
  package internal(set) var repeatChoice = ModeChoice<RepeatMode>.default
  /// The shuffle mode as the user chose it for all lists, or `default` to follow the settings.
  package internal(set) var shuffleChoice = ModeChoice<ShuffleMode>.default
  /// The shuffle mode of this list only; it overrides `shuffleChoice`. It ends when another list replaces this one or when
  /// somebody chooses a shuffle mode.
  package internal(set) var listShuffle: ModeChoice<ShuffleMode>?
  /// The cost of replaying everything done to this queue since it was made or restored, where one edit of one entry is 1. The
  /// store uses it to decide when to write the whole queue anew.
  package internal(set) var work = 0
  /// The repeat mode in the settings.
  package internal(set) var repeatPreference: RepeatMode
  /// The shuffle mode in the settings.
  package internal(set) var shufflePreference: ShuffleMode

  /// An empty queue. The seed determines every random choice that the queue will make.
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
  /// How much there is to store: the number of entries plus the weight of the undo log.
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

  /// The repeat mode in effect: the user's choice, or else the settings'.
  package var repeatMode: RepeatMode { repeatChoice.resolved(repeatPreference) }
  /// The shuffle mode in effect: this list's own, or else the user's choice, or else the settings'.
  package var shuffleMode: ShuffleMode { (listShuffle ?? shuffleChoice).resolved(shufflePreference) }

  /// The current entry. There is none before anything has been played, after the end of the play order, and in an empty queue.
  package var current: EntryID? { playing.map { table[$0].id } }
  /// Where the current entry stands in the list.
  package var currentPosition: Int? { playing.map { list.rank(of: $0) } }

  /// The entry that will play by itself when the current one ends. It is known in advance and stays the same until a
  /// `QueueChange` says otherwise.
  package var following: EntryID? {
    (repeatMode == .one ? playing : slotAfterCurrent).map { table[$0].id }
  }
  /// The entry that Next leads to. Under "repeat one" it is still the entry after the current one.
  package var next: EntryID? { slotAfterCurrent.map { table[$0].id } }
  /// The entry that Previous leads to: in a shuffled order the one that was really played before, otherwise the row above.
  package var previous: EntryID? { slotBeforeCurrent.map { table[$0].id } }
  /// The entry that `start` would begin with, or nil if an entry is current already.
  package var opening: EntryID? { openingSlot.map { table[$0].id } }

  /// The entries after the current one, in the order in which this pass will play them, at most `limit` of them.
  package func upcoming(_ limit: Int) -> [EntryID] {
    if isOver { return [] }
    let start = playing.map { rank(of: $0) + 1 } ?? 0
    let ranks = start..<min(count, start + max(0, limit))
    return (shuffled?.ranks ?? list).slots(ranks).map { table[$0].id }
  }

  // MARK: Notes on entries

  /// The identity that was given out last, whether or not its entry is still in the queue.
  package var lastIdentity: EntryID { EntryID(rawValue: lastID) }

  /// Makes sure that no identity up to this one is given out from now on. Others may have seen these identities although their
  /// entries are no longer here. Returns false, and does nothing, if the number is too high to be an identity.
  package mutating func skipIdentities(through id: EntryID) -> Bool {
    guard id.rawValue <= Self.highest else { return false }
    work += 1
    lastID = max(lastID, id.rawValue)
    return true
  }

  /// Notes the album of an entry once its tags have been read. It moves no entry in the list or the play order, and it is not an
  /// edit that undo takes back. Returns whether the album is new.
  package mutating func setAlbum(_ album: AlbumKey, of id: EntryID) -> Bool {
    guard let slot = table.slot(of: id), table[slot].album != album else { return false }
    work += 1
    shuffled?.unanchor(slot, table)
    table.setAlbum(album, in: slot)
    shuffled?.anchorIfFirst(slot, table)
    return true
  }

  /// Notes whether the file of an entry is missing. The entry stays where it is. Returns whether this is new.
  package mutating func setMissing(_ isMissing: Bool, of id: EntryID) -> Bool {
    guard let slot = table.slot(of: id), table[slot].isMissing != isMissing else { return false }
    work += 1
    table.setMissing(isMissing, in: slot)
    return true
  }
}
