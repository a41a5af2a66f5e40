// SPDX-License-Identifier: MIT

/// The play queue: the list of entries, the order in which they play, and which entry is current. It is a value with no thread of
/// its own.
///
/// An entry has three independent numbers: its identity (`EntryID`), its position in the list (counted from 0), and its rank in
/// the play order. Every call that changes the list, the play order or the current entry returns a `QueueChange` that describes
/// the difference. No edit changes the current entry unless the edit removes it.
///
/// Callers must check positions that come from outside: a position outside the list traps. An unknown identity changes nothing.
/// An edit of one entry takes some microseconds, also in a list of a million. An edit of many entries costs at most one pass over
/// the list. A copy shares its storage until one of the two is edited; that one then pays for a copy of its own. So keep one
/// queue, and hand out its answers rather than copies of it.
package struct PlayQueue: Sendable {
  // Not private, because the other files of this type change these two as well.
  var order: PlayOrder
  /// The edits that undo and redo would carry out. They are stored along with the entries.
  var log = UndoLog()

  /// The cost of replaying everything done to this queue since it was made or restored, where one edit of one entry is 1. The
  /// store uses it to decide when to write the whole queue anew.
  package private(set) var work = 0

  /// An empty queue. The seed determines every random choice that the queue will make.
  package init(seed: UInt64, repeat: RepeatMode = .none, shuffle: ShuffleMode = .off) {
    self.init(seed: seed, repeat: `repeat`, shuffle: shuffle, chunkSize: RankedSlots.usualSize)
  }

  init(seed: UInt64, repeat: RepeatMode, shuffle: ShuffleMode, chunkSize: Int) {
    let modes = QueueModes(repeatPreference: `repeat`, shufflePreference: shuffle)
    order = PlayOrder(seed: seed, modes, chunkSize: chunkSize)
  }

  init(_ order: PlayOrder, _ log: UndoLog) {
    self.order = order
    self.log = log
  }

  // MARK: The list

  package var count: Int { order.count }
  /// How much there is to store: the number of entries plus the size of the undo log (`UndoLog.weight`).
  package var bulk: Int { count + log.weight }
  package var isEmpty: Bool { count == 0 }

  /// The entry at a position. Traps outside `0..<count`.
  package subscript(position: Int) -> Entry { order[position] }
  /// The entries at these positions, in the list's order. Traps outside `0..<count`.
  package func entries(at positions: Range<Int>) -> [Entry] { order.entries(at: positions) }
  /// The entry with this identity, if it is in the queue.
  package func entry(_ id: EntryID) -> Entry? { order.entry(id) }
  /// The position of an entry in the list, counted from 0; nil if it is not in the queue.
  package func position(of id: EntryID) -> Int? { order.position(of: id) }

  // MARK: The play order

  /// The current entry. There is none before anything has been played, after the end of the play order, and in an empty queue.
  package var current: EntryID? { order.current }
  /// The position of the current entry in the list, counted from 0; nil if nothing is current.
  package var currentPosition: Int? { order.currentPosition }
  /// The entry that will play by itself when the current one ends. It is known in advance and stays the same until a
  /// `QueueChange` says otherwise. Nil if nothing will play then.
  package var following: EntryID? {
    let following = order.following
    // When played entries leave the list and the current one is the last, it cannot follow itself.
    return consumes && following == current && repeatMode != .one ? nil : following
  }
  /// The entry that Next leads to. Under "repeat one" it is still the entry after the current one. Nil at the end of the play
  /// order unless "repeat all" is on, and if nothing is current.
  package var next: EntryID? {
    let next = order.next
    // As in `following`.
    return consumes && next == current ? nil : next
  }
  /// The entry that Previous leads to: in a shuffled order the one that was really played before, otherwise the row above.
  /// Under "repeat all" without shuffle, the last row counts as above the first. Nil if there is none.
  package var previous: EntryID? { order.previous }
  /// The entry that `start` would make current; nil if an entry is current already or the queue is empty.
  package var opening: EntryID? { order.opening }

  /// The entries after the current one, in the order in which they will play, until the end of the play order; at most `limit` of them.
  package func upcoming(_ limit: Int) -> [EntryID] { order.upcoming(limit) }

  /// The entries that will be heard if nobody gives an order, at most `limit` of them: the rest of the play order, and the part of the next one that
  /// is known. Under "repeat one" that is the current entry alone.
  package func comingUp(_ limit: Int) -> [EntryID] {
    guard limit > 0, !isEmpty else { return [] }
    if repeatMode == .one, let current { return [current] }
    let coming = upcoming(limit)
    let wraps = current == nil ? coming.isEmpty : repeatMode == .all
    guard wraps, coming.count < limit else { return coming }
    // An entry that leaves the queue once it is heard does not come again.
    let gone = consumes ? current : nil
    // For a shuffled pass that has not begun, only the first entry is drawn yet.
    if shuffleMode != .off {
      return coming + [coming.isEmpty ? next ?? opening : nil].compactMap { $0 == gone ? nil : $0 }
    }
    let again = entries(at: 0..<min(limit - coming.count, currentPosition.map { $0 + 1 } ?? count))
    return coming + again.map(\.id).filter { $0 != gone }
  }

  /// Whether the entry before or after this one in the play order is of the same album. Meant for the current entry and the one
  /// that follows it; for other entries the answer is of no use. Songs in a random order are no album, even if chance brings two of one together.
  package func isBesideItsAlbum(_ id: EntryID) -> Bool {
    guard shuffleMode != .songs, let album = entry(id)?.album, album != .unknown else { return false }
    let neighbours = id == current ? [previous, following] : [current, comes(after: id)]
    if neighbours.contains(where: { $0.flatMap { $0 == id ? nil : entry($0)?.album } == album }) {
      return true
    }
    // Of the next shuffled pass only the first entry is known. Its album follows it, and mostly stands beside it in the queue as well.
    guard id != current, shuffleMode == .albums, upcoming(1).isEmpty, let row = position(of: id) else {
      return false
    }
    return [row - 1, row + 1].contains { $0 >= 0 && $0 < count && self[$0].album == album }
  }

  /// The entry that will be heard after this one, which follows the current one, perhaps behind some that cannot be played.
  private func comes(after id: EntryID) -> EntryID? {
    var coming = comingUp(2)
    if coming.first != id { coming = comingUp(66) }
    return coming.drop { $0 != id }.dropFirst().first
  }

  // MARK: Steps

  /// Makes an entry current if nothing is. That is the first one in the play order, or, when a shuffled order was played to its
  /// end, the first of a new one. Entries that somebody asked to hear next come before any others. Changes nothing if an entry is
  /// current already or the queue is empty.
  package mutating func start() -> QueueChange {
    step(opening == nil ? nil : .start, .chosen) { $0.start() }
  }

  /// Call when the current entry has played to its end. The entry that `following` named becomes current, or nothing if there was
  /// none.
  package mutating func advance() -> QueueChange {
    let isLast = following == nil
    return step(current == nil ? nil : .advance, .advanced) { order in
      if order.modes.repeatMode != .one { isLast ? order.end() : order.goOn() }
      return true
    }
  }

  /// Call when somebody pressed Next. Changes nothing if `next` is nil.
  package mutating func skipToNext() -> QueueChange {
    step(.skipToNext, .skipped) { order in
      if order.next == nil { return false }
      order.goOn()
      return true
    }
  }

  /// Call when somebody pressed Previous. Changes nothing if `previous` is nil.
  package mutating func goBack() -> QueueChange { step(.goBack, .wentBack) { $0.goBack() } }

  /// Makes this entry current. If it is current already, it begins again. Changes nothing if the entry is not in the queue. In a
  /// shuffled order, the entries that were still to come stay to come, and those that somebody asked to hear next come first.
  package mutating func jump(to id: EntryID) -> QueueChange {
    step(entry(id) == nil ? nil : .jump(to: id), .chosen) { $0.jump(to: id) }
  }

  /// Makes a random entry current, never the present one unless it is the only one.
  package mutating func jumpAnywhere() -> QueueChange { step(.jumpAnywhere, .chosen) { $0.jumpAnywhere() } }

  /// Runs a step in the play order, such as Next. `body` returns whether it made the step; `cause` then says why the current
  /// entry changed. Without a command, `body` is not run.
  private mutating func step(
    _ command: QueueCommand?, _ cause: CurrentChange.Cause, _ body: (inout PlayOrder) -> Bool
  ) -> QueueChange {
    perform(command) { queue, _ in command != nil && body(&queue.order) ? cause : nil }
  }

  // MARK: Modes

  /// The repeat mode in effect: the user's choice, or else the settings'.
  package var repeatMode: RepeatMode { order.modes.repeatMode }
  /// The shuffle mode in effect: this list's own, or else the user's choice, or else the settings'.
  package var shuffleMode: ShuffleMode { order.modes.shuffleMode }
  /// The repeat mode as the user chose it, or `default` to follow the settings.
  package var repeatChoice: ModeChoice<RepeatMode> { order.modes.repeatChoice }
  /// The shuffle mode as the user chose it for all lists, or `default` to follow the settings.
  package var shuffleChoice: ModeChoice<ShuffleMode> { order.modes.shuffleChoice }
  /// The repeat mode in the settings.
  package var repeatPreference: RepeatMode { order.modes.repeatPreference }
  /// The shuffle mode in the settings.
  package var shufflePreference: ShuffleMode { order.modes.shufflePreference }

  /// Whether an entry leaves the list when it has been played.
  package var consumes: Bool { order.modes.consumes }

  /// Chooses whether an entry leaves the list when it has been played.
  package mutating func setConsume(_ isOn: Bool) -> QueueChange {
    setModes(.setConsume(isOn)) { $0.consumes = isOn }
  }

  /// Chooses the repeat mode. The play order stays, but the entry that follows may become another one.
  package mutating func setRepeat(_ choice: ModeChoice<RepeatMode>) -> QueueChange {
    setModes(.setRepeat(choice)) { $0.repeatChoice = choice }
  }

  /// Chooses the shuffle mode, for this list and those to come. The current entry stays current. When shuffle is turned on, all
  /// other entries follow it (by albums, what stands above it in its own album counts as played). When it is turned off, the
  /// entries below it in the list follow.
  package mutating func setShuffle(_ choice: ModeChoice<ShuffleMode>) -> QueueChange {
    setModes(.setShuffle(choice)) { modes in
      modes.shuffleChoice = choice
      modes.listShuffle = nil
    }
  }

  /// Sets the shuffle mode of this list only, until another list replaces it. With nil, the mode chosen for all lists applies.
  package mutating func shuffleList(_ choice: ModeChoice<ShuffleMode>?) -> QueueChange {
    setModes(.shuffleList(choice)) { $0.listShuffle = choice }
  }

  /// Takes over the modes in the settings. They take effect where the user's choice is `default`.
  package mutating func setPreferences(repeat: RepeatMode, shuffle: ShuffleMode) -> QueueChange {
    setModes(.setPreferences(repeat: `repeat`, shuffle: shuffle)) { modes in
      modes.repeatPreference = `repeat`
      modes.shufflePreference = shuffle
    }
  }

  private mutating func setModes(_ command: QueueCommand, _ body: (inout QueueModes) -> Void) -> QueueChange {
    perform(command) { queue, _ in
      var modes = queue.order.modes
      body(&modes)
      queue.order.setModes(modes)
      return nil
    }
  }

  // MARK: Notes on entries

  /// The identity that was given out last, whether or not its entry is still in the queue.
  package var lastIdentity: EntryID { EntryID(rawValue: order.lastID) }

  /// Makes sure that entries that are added from now on get higher identities than this one. Clients may know the lower ones from
  /// entries that are no longer in the queue. Returns false, and does nothing, if the number is too high to be an identity.
  package mutating func skipIdentities(through id: EntryID) -> Bool {
    guard id.rawValue <= EntryTable.highestID else { return false }
    work += 1
    order.skipIdentities(through: id)
    return true
  }

  /// Notes whether the file of an entry is missing. The entry stays where it is. The note is not written to the journal; it is stored when the whole
  /// queue is written the next time. Returns whether the note has changed.
  package mutating func setMissing(_ isMissing: Bool, of id: EntryID) -> Bool {
    let isNew = order.setMissing(isMissing, of: id)
    if isNew { work += 1 }
    return isNew
  }

  /// Gives the entries of files that were renamed or moved their new locations, also those that an undo would bring back, and notes that the files are
  /// there. All take effect at once: two files may have exchanged their names. This is not an edit, so undo does not take it back.
  package mutating func relocate(_ renamings: [FileRenaming]) -> QueueChange {
    let new = PackedText.packing(renamings.lazy.map(\.to.utf8))
    let all = Dictionary(zip(renamings.lazy.map { PackedText($0.from) }, new)) { first, _ in first }
    var texts: [PackedText: PackedText] = [:]
    for text in order.texts { if let new = all[text] { texts[text] = new } }
    for text in log.texts { if let new = all[text] { texts[text] = new } }
    // Of all files that a scan found elsewhere, only those that concern the queue are stored.
    let concerning = renamings.filter { texts[PackedText($0.from)] != nil }
    return perform(concerning.isEmpty ? nil : .relocate(concerning)) { queue, change in
      guard !concerning.isEmpty else { return nil }
      change.relocated = queue.order.exchange(texts)
      queue.log.exchange(texts)
      return nil
    }
  }

  // MARK: Around every change

  /// Runs a change of any kind, and reports what happened to the current entry and to the one that follows. `body` returns why
  /// the current entry changed, or nil if it did not. A nil `command` marks a change that is not to be journaled.
  mutating func perform(
    _ command: QueueCommand?, _ body: (inout PlayQueue, inout QueueChange) -> CurrentChange.Cause?
  ) -> QueueChange {
    let (current, following, passes) = (current, following, order.passes)
    var change = QueueChange()
    let cause = body(&self, &change)
    order.finishChange()
    if let cause {
      change.current = CurrentChange(
        from: current, to: self.current, cause: self.current == nil ? .ended : cause)
    }
    change.following = self.following
    change.hasNewFollowing = change.following != following
    change.isReordered = order.passes != passes
    change.command = command
    if command != nil { work += change.work(in: count) }
    return change
  }
}
