// SPDX-License-Identifier: MIT
import AgentLoop
package import PlaybackLogic
package import SQLiteIO

/// Decides for each change of the queue, of the volume and of the place when it is written, who is told, and whether it is taken back. A value: it
/// reads no clock and no disk. Events go in, and `handle` returns effects, to be carried out in order.
///
/// All changes of one turn of the loop are written as a whole. A caller who edits the queue gets an answer when the edit is on disk. If the edit
/// cannot be written, the queue goes back to the one on disk, and the edit is refused. A refused edit is never written later. Playing, skipping and
/// the volume go on without the disk: they are kept in memory, and written when writing works again.
package struct StateKeeping {
  /// The number of a caller who waits for an answer. The sender of the events chooses it; it must differ for each question.
  package typealias Caller = Int

  package enum Event {
    /// The agent has started. If the store could not be opened, further tries may begin now.
    case begin
    /// The queue has changed by this command.
    case changed(QueueCommand)
    case volume(Double)
    /// The agent has handled one event and all that follows from it: the changes of this turn are to be written now.
    case turnEnded
    /// The listener's place in the current entry. While music plays the place moves by itself, and a few seconds of that may be lost. `atOnce` is
    /// true for a place that stands still or has jumped; such a place is written at once.
    case place(PositionFile.Record, atOnce: Bool, at: Duration)
    case placeWritten(PlaceOutcome)
    /// A caller waits until every change before this event is stored.
    case waits(Caller)
    /// A caller is about to edit the queue. It is answered when edits can be stored, or with the error for which they can't.
    case wantsToEdit(Caller)
    case wrote(upTo: Int, StoreError?)
    case caughtUp(upTo: Int, StoreError?)
    /// The outcome of `readBack`: the queue on disk, and the last entry identity that the queue in memory has given.
    case readBack(PlayQueue, lastIdentity: EntryID)
    case unreadable(StoreError)
    /// The outcome of `open`, with the queue and the volume that were found.
    case opened(PlayQueue?, volume: Double?)
    case notOpened(reason: String)
    /// The time given with `timer` has passed.
    case retryTimer
    /// The agent ends, and nothing changes any more.
    case end(isQueueEmpty: Bool)
    case closed(StoreError?)
  }

  /// What became of writing the listener's place to its file. `folderIsGone` means that somebody has deleted the state folder or moved it away, and that
  /// it could not be made again.
  package enum PlaceOutcome: Sendable { case kept, failed, folderIsGone }

  /// A request to the owner of this value. Requests are to be carried out in the order in which `handle` returns them.
  package enum Effect {
    /// Add these changes to what was written before; `upTo` is the number of the last turn among them. The event `wrote` tells the outcome.
    case write([StoreChange], upTo: Int)
    /// Write all changes that are missing on disk since a write failed; `upTo` is the number of the last turn among them. The event `caughtUp` tells
    /// the outcome.
    case catchUp([StoreChange], upTo: Int)
    /// Read the queue that is on disk.
    case readBack
    /// Make this the player's queue. It is the queue on disk, with the changes in memory that are not edits made to it again.
    case takeBack(PlayQueue)
    /// Open a store. If `isAnew`, a queue that is found there is set aside, because this agent's own queue has been edited.
    case open(isAnew: Bool)
    /// Make the queue that was found the player's, and set the volume that was found.
    case adopt(PlayQueue, volume: Double?)
    case letGo
    /// Write the listener's place. The event `placeWritten` tells of a failure, and once of the first success after it.
    case writePlace(PositionFile.Record)
    /// Send a caller the outcome; nil means success.
    case answer(Caller, StoreError?)
    /// Send `retryTimer` after this time; this replaces an earlier request. Nil cancels the request.
    case timer(Duration?)
    case say(Remark)
    /// Let the agent's clients know `trouble` again, because it may have changed.
    case announce
    /// Write the whole queue if possible, and these changes in any case. Then close the store. `closed` tells the outcome.
    case close([StoreChange])
    /// All that could be stored is stored, and the agent may end. `isSafe` is false if a change is lost and nobody was told of it.
    case ended(isSafe: Bool)
  }

  /// An event that gets a line in the log.
  package enum Remark { case notStored(StoreError), unreadable(StoreError), storedAgain }

  private enum Condition {
    /// Writing works: the changes of each turn are written when the turn ends.
    case storing
    /// A write failed, and edits are not on disk. The queue on disk is being read, so that they can be taken back. If `thenWrites` is true, an
    /// earlier reading had failed, and another try to write follows this one.
    case takingBack(StoreError, thenWrites: Bool)
    /// A write failed, and another try comes later. If `hasRefusedEdits` is true, the disk could not be read either, so the queue in memory still has
    /// edits that were refused. They have to be taken back before anything is written.
    case failing(StoreError, hasRefusedEdits: Bool)
    /// As `failing`, while another try to write is under way.
    case retrying(StoreError)
    /// There is no store. `hasEdits` tells whether the queue was edited meanwhile.
    case absent(reason: String, hasEdits: Bool)
    /// As `absent`, while a store is being opened.
    case opening(reason: String, hasEdits: Bool)
    /// As `absent`; a store is open, and the whole queue is being written to it.
    case writingWhole(reason: String, hasEdits: Bool)
    case closing
    /// The agent ends without a store, or has closed it.
    case closed
  }

  private var condition: Condition
  private let mayOpenLater: Bool
  private var unstored = UnstoredTurns()
  private var place = StoredPlace()
  private var volume: Double
  /// Whether the volume was set while there was no store. Then it counts, and not the one that is found later.
  private var hasNewVolume = false
  /// The callers who wait until the changes of a turn are on disk, in the order in which they came.
  private var waiting: [(turn: Int, caller: Caller)] = []
  /// The callers who want to edit and wait until the next try to write is over.
  private var waitingToEdit: [Caller] = []
  private var backoff = Backoff(first: .seconds(1), limit: .seconds(15))
  private var isEnding = false
  private var effects: [Effect] = []

  /// The state of an agent whose store is open and up to date. `volume` is the player's volume; after a failure it is what is written to see whether
  /// writing works again.
  package init(volume: Double) {
    condition = .storing
    mayOpenLater = true
    self.volume = volume
  }

  /// The state of an agent without a store, for this reason. If `mayOpenLater`, opening one is tried from time to time.
  package init(absentBecause reason: String, mayOpenLater: Bool, volume: Double) {
    condition = .absent(reason: reason, hasEdits: false)
    self.mayOpenLater = mayOpenLater
    self.volume = volume
  }

  /// Why changes that are made now would be lost when the agent ends; nil if they would be stored.
  package var trouble: String? {
    switch condition {
    case .storing, .closing, .closed: nil
    case .takingBack(let error, _), .failing(let error, _), .retrying(let error): error.advice
    case .absent(let reason, _), .opening(let reason, _), .writingWhole(let reason, _): reason
    }
  }

  /// Whether an edit may begin at once. Without a store it may: edits are made in memory then, and `trouble` says so.
  package var isWritable: Bool {
    switch condition {
    case .storing, .absent, .opening, .writingWhole, .closing, .closed: true
    case .takingBack, .failing, .retrying: false
    }
  }

  /// Whether there are edits that are not on disk yet, so that they may still have to be taken back.
  package var hasUnstoredEdits: Bool { unstored.hasEdits }

  /// Handles an event, and returns the effects to carry out, in order.
  package mutating func handle(_ event: Event) -> [Effect] {
    effects = []
    switch event {
    case .begin: if case .absent = condition { retryLater() }
    case .changed(let command): unstored.note(command)
    case .volume(let volume): note(volume)
    case .turnEnded: endTurn()
    case .place(let record, let atOnce, let now): keep(record, atOnce: atOnce, at: now)
    case .placeWritten(let outcome): placeWritten(outcome)
    case .waits(let caller): wait(caller)
    case .wantsToEdit(let caller): waitToEdit(caller)
    case .wrote(let turn, let error): wrote(upTo: turn, error)
    case .caughtUp(let turn, let error): caughtUp(upTo: turn, error)
    case .readBack(let queue, let last): takeBack(to: queue, last)
    case .unreadable(let error): cannotTakeBack(error)
    case .opened(let queue, let volume): opened(queue, volume)
    case .notOpened(let reason): notOpened(reason)
    case .retryTimer: tryAgain()
    case .end(let isQueueEmpty): end(isQueueEmpty: isQueueEmpty)
    case .closed(let error): closed(error)
    }
    if isEnding { closeIfSettled() }
    return effects
  }

  // MARK: What the player does

  private mutating func note(_ volume: Double) {
    self.volume = volume
    unstored.note(volume)
    switch condition {
    case .absent, .opening: hasNewVolume = true
    default: break
    }
  }

  private mutating func endTurn() {
    guard let turn = unstored.endTurn() else { return }
    switch condition {
    case .storing: effects.append(.write(turn.changes, upTo: turn.number))
    case .failing: tryAgain()
    // The changes themselves need not be remembered: when there is a store, the whole queue is written.
    case .absent(let reason, let hasEdits):
      condition = .absent(reason: reason, hasEdits: hasEdits || turn.isEdit)
      unstored.forget(upTo: turn.number)
    case .opening(let reason, let hasEdits):
      condition = .opening(reason: reason, hasEdits: hasEdits || turn.isEdit)
      unstored.forget(upTo: turn.number)
    case .takingBack, .retrying, .writingWhole, .closing, .closed: break
    }
  }

  // MARK: Those who wait

  private mutating func wait(_ caller: Caller) {
    let hasReason =
      switch condition {
      case .absent, .opening, .writingWhole, .closing, .closed: false
      case .failing: unstored.hasEdits
      case .storing, .takingBack, .retrying: !unstored.isEmpty
      }
    if hasReason { waiting.append((unstored.latest, caller)) } else { effects.append(.answer(caller, nil)) }
  }

  private mutating func waitToEdit(_ caller: Caller) {
    if isWritable { return effects.append(.answer(caller, nil)) }
    waitingToEdit.append(caller)
    tryAgain()
  }

  /// Call when the changes of all turns up to this one are on disk. Answers the callers who waited for that.
  private mutating func stored(upTo turn: Int) {
    unstored.forget(upTo: turn)
    let answered = waiting.prefix { $0.turn <= turn }
    waiting.removeFirst(answered.count)
    effects += answered.map { .answer($0.caller, nil) }
  }

  private mutating func refuseWaiting(_ error: StoreError) {
    effects += waiting.map { .answer($0.caller, error) }
    waiting = []
  }

  /// Call when a try to write is over. Answers the callers who want to edit; nil lets them begin.
  private mutating func tried(_ error: StoreError?) {
    effects += waitingToEdit.map { .answer($0, error) }
    waitingToEdit = []
    effects.append(.announce)
  }

  // MARK: Writing, and its failure

  private mutating func wrote(upTo turn: Int, _ error: StoreError?) {
    switch (condition, error) {
    case (.writingWhole(_, let hasEdits), let error?): becomeAbsent(error.advice, hasEdits: hasEdits)
    case (.writingWhole, nil): goOn(from: turn)
    case (.storing, let error?):
      effects.append(.say(.notStored(error)))
      failed(error)
    case (_, nil): stored(upTo: turn)
    // Once a write has failed, the store refuses all writes after it. Only the first failure is handled.
    case (_, _?): break
    }
  }

  private mutating func caughtUp(upTo turn: Int, _ error: StoreError?) {
    guard case .retrying = condition else { return }
    if let error { failed(error) } else { goOn(from: turn) }
  }

  private mutating func failed(_ error: StoreError) {
    guard unstored.hasEdits else { return fail(error, hasRefusedEdits: false) }
    condition = .takingBack(error, thenWrites: false)
    effects.append(.readBack)
  }

  /// Nothing can be stored until the next try. No edit can be acknowledged until then, so every waiting caller is refused.
  private mutating func fail(_ error: StoreError, hasRefusedEdits: Bool) {
    condition = .failing(error, hasRefusedEdits: hasRefusedEdits)
    refuseWaiting(error)
    retryLater()
    tried(error)
  }

  private mutating func takeBack(to disk: PlayQueue, _ lastIdentity: EntryID) {
    guard case .takingBack(let error, let thenWrites) = condition else { return }
    var queue = disk
    unstored.giveUpEdits(from: &queue, skippingIdentitiesThrough: lastIdentity)
    effects.append(.takeBack(queue))
    guard thenWrites else { return fail(error, hasRefusedEdits: false) }
    condition = .failing(error, hasRefusedEdits: false)
    refuseWaiting(error)
    // The write comes in a turn of its own, because the player must have taken the edits back before its whole queue is written.
    effects.append(.timer(.zero))
  }

  private mutating func cannotTakeBack(_ reason: StoreError) {
    guard case .takingBack(let error, let thenWrites) = condition else { return }
    if !thenWrites { effects.append(.say(.unreadable(reason))) }
    fail(error, hasRefusedEdits: true)
  }

  // MARK: Another try

  private mutating func retryLater() { if mayOpenLater { effects.append(.timer(backoff.next())) } }

  private mutating func tryAgain() {
    switch condition {
    case .failing(let error, hasRefusedEdits: true):
      condition = .takingBack(error, thenWrites: true)
      effects += [.timer(nil), .readBack]
    case .failing(let error, hasRefusedEdits: false):
      condition = .retrying(error)
      // The volume is always written too: only a write shows that writing works again.
      effects += [.timer(nil), .catchUp(unstored.changes + [.volume(volume)], upTo: unstored.last)]
    case .absent(let reason, let hasEdits):
      condition = .opening(reason: reason, hasEdits: hasEdits)
      effects += [.timer(nil), .open(isAnew: hasEdits)]
    case .storing, .takingBack, .retrying, .opening, .writingWhole, .closing, .closed: break
    }
  }

  /// Call when writing works again, and the changes of all turns up to this one are on disk. Changes that came later are written now.
  private mutating func goOn(from turn: Int) {
    effects.append(.say(.storedAgain))
    condition = .storing
    backoff.reset()
    stored(upTo: turn)
    if unstored.hasTurns { effects.append(.write(unstored.changes, upTo: unstored.last)) }
    tried(nil)
  }

  // MARK: A store that comes late

  private mutating func opened(_ queue: PlayQueue?, _ found: Double?) {
    guard case .opening(let reason, let hasEdits) = condition else { return }
    place = StoredPlace()
    switch queue {
    case nil:
      condition = .writingWhole(reason: reason, hasEdits: hasEdits)
      effects.append(.write([.volume(volume)], upTo: unstored.last))
    // Somebody edited this agent's queue while the store was opened. The next try sets the stored queue aside.
    case _? where hasEdits: becomeAbsent(reason, hasEdits: true)
    case let queue?:
      effects.append(.adopt(queue, volume: hasNewVolume ? nil : found))
      goOn(from: unstored.last)
      if hasNewVolume { effects.append(.write([.volume(volume)], upTo: unstored.last)) }
    }
  }

  private mutating func notOpened(_ reason: String) {
    guard case .opening(_, let hasEdits) = condition else { return }
    becomeAbsent(reason, hasEdits: hasEdits)
  }

  private mutating func becomeAbsent(_ reason: String, hasEdits: Bool) {
    condition = .absent(reason: reason, hasEdits: hasEdits || unstored.hasEdits)
    unstored.forget(upTo: unstored.last)
    effects.append(.letGo)
    retryLater()
    tried(nil)
  }

  // MARK: The place

  private mutating func keep(_ record: PositionFile.Record, atOnce: Bool, at now: Duration) {
    switch condition {
    case .absent, .opening, .closed: return
    case .storing, .takingBack, .failing, .retrying, .writingWhole, .closing: break
    }
    if place.isDue(record, atOnce: atOnce, at: now) { effects.append(.writePlace(record)) }
  }

  private mutating func placeWritten(_ outcome: PlaceOutcome) {
    place.isKept = outcome == .kept
    guard outcome == .folderIsGone, unstored.isEmpty else { return }
    // Nothing can be stored, and nobody knows yet. Storing the same volume is a write that changes nothing, and its failure is told.
    note(volume)
    endTurn()
  }

  // MARK: The end

  private mutating func end(isQueueEmpty: Bool) {
    isEnding = true
    switch condition {
    case .absent(_, let hasEdits), .opening(_, let hasEdits), .writingWhole(_, let hasEdits):
      finish(isSafe: isQueueEmpty && !hasEdits)
    case .failing(_, hasRefusedEdits: true): tryAgain()
    case .storing, .takingBack, .failing, .retrying, .closing, .closed: break
    }
  }

  /// Closes the store if nothing is being written or read. Changes that could not be stored are written once more before, if that is possible.
  private mutating func closeIfSettled() {
    switch condition {
    case .storing where !unstored.hasTurns: close([])
    case .failing(let error, let hasRefusedEdits):
      tried(error)
      // The queue in memory must not be written while it has refused edits. It has some here if the last try to take them back failed.
      if hasRefusedEdits { finish(isSafe: !unstored.isLoss) } else { close(unstored.changes) }
    case .storing, .takingBack, .retrying, .absent, .opening, .writingWhole, .closing, .closed: break
    }
  }

  private mutating func close(_ changes: [StoreChange]) {
    condition = .closing
    effects += [.timer(nil), .close(changes)]
  }

  private mutating func closed(_ error: StoreError?) {
    guard case .closing = condition else { return }
    if let error { effects.append(.say(.notStored(error))) }
    finish(isSafe: error == nil ? place.isKept : !unstored.isLoss)
  }

  private mutating func finish(isSafe: Bool) {
    condition = .closed
    effects += [.timer(nil), .letGo, .ended(isSafe: isSafe)]
  }
}

/// The turns of the loop whose changes are not known to be on disk yet, the oldest first.
private struct UnstoredTurns {
  /// Everything that one turn did to the queue and the volume. It is written as a whole or not at all.
  struct Turn {
    let number: Int
    var commands: [QueueCommand]
    let volume: Double?

    /// Whether the turn edits the queue. Whoever asked for an edit waits until it is stored.
    var isEdit: Bool { commands.contains(where: \.isEdit) }
    /// Whether the turn only marks entry identities as used, so that none is given out twice.
    var isSkip: Bool {
      volume == nil && commands.allSatisfy { if case .skipIdentities = $0 { true } else { false } }
    }
    var changes: [StoreChange] { commands.map(StoreChange.queue) + (volume.map { [.volume($0)] } ?? []) }
  }

  private var turns: [Turn] = []
  /// The commands by which the present turn has changed the queue so far.
  private var commands: [QueueCommand] = []
  private var volume: Double?
  /// The number of the last turn that ended.
  private(set) var last = 0

  private var hasBegun: Bool { !commands.isEmpty || volume != nil }
  var hasTurns: Bool { !turns.isEmpty }
  var isEmpty: Bool { turns.isEmpty && !hasBegun }
  /// The number of the present turn if it has changed something, or else of the last one.
  var latest: Int { hasBegun ? last + 1 : last }
  var hasEdits: Bool { turns.contains(where: \.isEdit) }
  var changes: [StoreChange] { turns.flatMap(\.changes) }
  /// Whether a change would be lost without a word if these turns were never stored. An edit is no such loss, because its caller is told that it is
  /// not stored. Marking entry identities as used is none either.
  var isLoss: Bool { hasBegun || turns.contains { !$0.isEdit && !$0.isSkip } }

  mutating func note(_ command: QueueCommand) { commands.append(command) }
  mutating func note(_ volume: Double) { self.volume = volume }

  /// Ends the present turn. Returns nil if nothing was changed in it.
  mutating func endTurn() -> Turn? {
    guard hasBegun else { return nil }
    last += 1
    let turn = Turn(number: last, commands: commands, volume: volume)
    turns.append(turn)
    (commands, volume) = ([], nil)
    return turn
  }

  mutating func forget(upTo number: Int) { turns.removeAll { $0.number <= number } }

  /// Drops every turn that is an edit, and replays the others on `queue`, which is the queue on disk. Commands that no longer fit it are dropped too.
  /// Then all entry identities up to `last` are marked as used, because callers may know them from the dropped edits.
  mutating func giveUpEdits(from queue: inout PlayQueue, skippingIdentitiesThrough last: EntryID) {
    turns.removeAll { $0.isEdit || $0.isSkip }
    for index in turns.indices {
      turns[index].commands = turns[index].commands.filter { queue.replay($0) }
    }
    turns.removeAll { $0.changes.isEmpty }
    guard last.rawValue > queue.lastIdentity.rawValue, queue.skipIdentities(through: last) else { return }
    note(.skipIdentities(through: last))
    _ = endTurn()
  }
}

/// Remembers the listener's place that was written last, and decides when the next one is written.
private struct StoredPlace {
  /// How far the place on disk may be behind the listener's.
  private static let interval = Duration.seconds(5)
  /// The time that is expected to pass until the next refill of the server's buffer, which is the next chance to write the place. If the last refill
  /// took longer to come, that longer time is expected.
  private static let usualRefill = Duration.seconds(2)

  /// Whether the place that was written last has reached the file.
  var isKept = true
  private var last: PositionFile.Record?
  private var lastWrite: Duration?
  private var lastRefill: Duration?

  /// Returns whether the place is to be written now; if so, counts it as written. With `atOnce` it is, unless the same place is on disk already.
  /// Otherwise it is if another entry is current or music has become wanted since the last write, or if `interval` since then would be over before the next
  /// refill.
  mutating func isDue(_ record: PositionFile.Record, atOnce: Bool, at now: Duration) -> Bool {
    if atOnce {
      if record == last, isKept { return false }
    } else {
      let refill = max(Self.usualRefill, lastRefill.map { now - $0 } ?? .zero)
      lastRefill = now
      let isSame = record.entry == last?.entry && record.isWanted == last?.isWanted
      if isSame, let lastWrite, now - lastWrite + refill <= Self.interval {
        return false
      }
    }
    (last, lastWrite) = (record, now)
    return true
  }
}
