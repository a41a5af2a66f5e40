// SPDX-License-Identifier: MIT
package import AudioModel

/// The player decides what is to be heard. It owns the queue, the session and the listener's place in the track.
///
/// It is a value that performs no action itself: events go in, effects come out, and the time is a parameter. What the sound
/// engine should have loaded follows from the state alone. After each event `updateEngine` compares that with what the engine was told,
/// and the difference goes out as effects. All edits of the queue go through `edit`.
package struct Player: Sendable {
  /// The entries to play, their order, and which is current.
  package internal(set) var queue: PlayQueue
  /// Decides whether there is sound: what the user wants, and what interrupts it.
  package internal(set) var session: Session
  /// When Previous restarts a track, and how a held seek button moves. A new value applies from the next event on.
  package var settings: PlayerSettings

  /// Whether the player stops when the current track has been heard to its end.
  package internal(set) var stopsAfterCurrent = false
  /// Whether the last stop came by an order, and not because the queue had nothing left to play. An ordered stop holds when edits are taken back.
  var isStopOrdered = false

  // These are not private, because the player's orders and its engine stand in files of their own.
  var playhead = Playhead()
  /// The places where long tracks resume.
  var places = ResumePlaces()
  /// The length of the current entry according to its tags, until a decoder tells it.
  var tagged: (entry: EntryID, length: Duration)?
  var heldSeek: HeldSeek?
  /// What the sound engine was told, and what it has reported.
  var engine = EngineState()
  /// Entries that could not be played. Each is tried again the next time that the play order is gone through.
  var unplayable: Set<EntryID> = []
  /// Why entries could not be played when they were last tried.
  package internal(set) var whyUnplayable: [EntryID: String] = [:]
  /// The entries in a row that could not be played; empty once one is heard.
  var failures = FailureRun()
  var now = Duration.zero
  var effects: [PlayerEffect] = []

  /// A player of this queue. `position` is the listener's place in the current entry.
  package init(
    queue: PlayQueue, session: Session = Session(), settings: PlayerSettings = PlayerSettings(),
    position: Duration = .zero
  ) {
    self.queue = queue
    self.session = session
    self.settings = settings
    playhead.set(max(.zero, position), isMoving: false, at: .zero)
  }

  /// How the session deals with interruptions. A new value applies from the next event on.
  package var sessionSettings: SessionSettings {
    get { session.settings }
    set { session.settings = newValue }
  }

  // MARK: What others are shown

  /// The playback state as our own bus interface shows it. While nothing is heard, it says so even if a seek button is held.
  package var state: PlaybackState {
    guard let heldSeek, heldSeek.isCueing, session.state == .playing else { return session.state }
    return heldSeek.direction == .forward ? .seekingForward : .seekingBackward
  }

  /// The listener's place in the current track at `now`, never past the track's end.
  package func position(at now: Duration) -> Duration {
    let place = place(at: now)
    return min(place, length ?? place)
  }

  /// The place where the sound will go on. Unlike `position(at:)` it may be past `length`: a length from tags can be shorter than
  /// the sound itself, or turn out to be wrong later.
  package func place(at now: Duration) -> Duration { playhead.position(at: now) }

  /// The length of the current track, from its decoder, or from its tags until the decoder knows. Nil if neither tells it.
  package var length: Duration? { playhead.length ?? tagged?.length }

  /// How the current track is coded; nil until it has been opened.
  package var coding: SoundCoding? { playhead.coding }

  /// Whether the current entry is about to be heard: its sound is loaded and may sound, but none of it has been heard yet.
  package var awaitsSound: Bool {
    engine.loaded?.entry.id == queue.current && queue.current != nil && !engine.isHeard && !engine.isCorked
  }

  /// Whether some of the sound that is loaded has been heard.
  package var isHeard: Bool { engine.isHeard }

  /// Whether Next leads anywhere.
  package var canGoNext: Bool { queue.next != nil }
  /// Whether Previous does anything. If there is no previous entry, it restarts the track.
  package var canGoPrevious: Bool { queue.current != nil }
  /// Whether there is anything to play.
  package var canPlay: Bool { !queue.isEmpty }

  // MARK: Events

  /// Handles an event and returns the effects to carry out, in order. `now` must never go back.
  mutating func handle(_ event: PlayerEvent, at now: Duration) -> [PlayerEffect] {
    inOneStep(at: now) { player in
      switch event {
      case .order(let order, let sender): player.carryOut(order, by: sender)
      case .sound(let report): player.handle(report)
      case .tagged(let entry, let length): player.noteTaggedLength(length, of: entry)
      case .session(let event): player.inform(event)
      case .soundChanged: player.forgetLoaded()
      case .timer(.session): player.inform(.timer)
      case .timer(.tap): player.beginCueing()
      case .timer(.cue): player.cue()
      case .timer(.run): player.endCueing()
      }
    }
  }

  /// Edits the queue and returns the effects to carry out. An edit touches the sound only if it removes the current entry or
  /// makes another one current.
  mutating func edit(at now: Duration, _ edit: (inout PlayQueue) -> QueueChange) -> [PlayerEffect] {
    inOneStep(at: now) { player in
      let place = player.place(at: now)
      let change = edit(&player.queue)
      player.forgetRemoved(by: change)
      player.follow(change)
      if change.edits.isEmpty { return }
      player.keep(place, lostBy: change)
      player.inform(.userActed)
    }
  }

  /// Notes whether the files of these entries are missing, and returns the effects to carry out. `changed` is set to those of
  /// which that was not noted before. This is not an edit, so undo does not take it back.
  mutating func setMissing(
    _ isMissing: Bool, of entries: [EntryID], at now: Duration, changed: inout [EntryID]
  ) -> [PlayerEffect] {
    inOneStep(at: now) { player in
      changed = entries.filter { player.queue.setMissing(isMissing, of: $0) }
      // The file is back, so the entry is tried again.
      guard !isMissing else { return }
      player.unplayable.subtract(changed)
      for entry in changed { player.whyUnplayable[entry] = nil }
    }
  }

  /// Replaces the places where long tracks were left (`ResumePlaces.load`), and returns the effects to carry out. A track that was stopped before the agent
  /// started is then shown at the place where it goes on.
  mutating func load(places new: [String: Duration]?, ofBooks books: Set<String>, at now: Duration)
    -> [PlayerEffect]
  {
    inOneStep(at: now) { player in
      player.places.load(new, ofBooks: books)
      if player.session.intent != .stopped { player.resumeIfStopped() }
    }
  }

  /// Gives entries the locations that their files have now, and returns the effects to carry out. What sounds goes on, since its file is open.
  mutating func relocate(_ renamings: [FileRenaming], at now: Duration) -> [PlayerEffect] {
    inOneStep(at: now) { player in
      let change = player.queue.relocate(renamings)
      player.places.relocate(renamings)
      for entry in change.relocated {
        player.notePlayable(entry)
        if let row = player.queue.entry(entry) { player.engine.relocate(row) }
      }
      player.tell(change)
    }
  }

  /// Sets why an entry can't be played; nil if it can. Returns whether this was not known before.
  mutating func setUnplayable(_ reason: String?, _ entry: EntryID) -> Bool {
    guard queue.entry(entry) != nil, whyUnplayable[entry] != reason else { return false }
    whyUnplayable[entry] = reason
    return true
  }

  /// Notes that an entry that the last edit added was made to play instead of the one in `moment`, so that undoing that edit leads back there.
  mutating func noteLeft(_ moment: Moment, at now: Duration) -> [PlayerEffect] {
    inOneStep(at: now) { player in
      guard let left = moment.entry.flatMap(player.queue.entry), player.queue.current != left.id else {
        return
      }
      // What was stopped had given its place up; it would have gone on where it was left.
      let isStopped = moment.intent.hasGivenUpPlace && moment.place == .zero
      player.tell(
        player.queue.noteLeft(left.id, at: isStopped ? player.places.start(of: left) : moment.place))
    }
  }

  mutating func forgetRemoved(by change: QueueChange) {
    guard !whyUnplayable.isEmpty else { return }
    for case .removed(let entries, _) in change.edits {
      // Entries whose rows were only reordered are still in the queue, so their reasons stay.
      for entry in entries where queue.entry(entry.id) == nil { whyUnplayable[entry.id] = nil }
    }
  }

  /// Tells the engine what comes next if that begins elsewhere now, because the place where it was left has been stored since.
  mutating func announceAgain(at now: Duration) -> [PlayerEffect] { inOneStep(at: now) { _ in } }

  private mutating func inOneStep(at now: Duration, _ step: (inout Player) -> Void) -> [PlayerEffect] {
    self.now = now
    step(&self)
    updateEngine()
    defer { effects = [] }
    return effects
  }

  // MARK: The session

  /// Passes an event to the session and turns its effects into the player's.
  mutating func inform(_ event: SessionEvent) {
    let wasStalled = session.lastProgressBeforeStall != nil
    let wanted = session.handle(event, at: now)
    if !wasStalled, let last = session.lastProgressBeforeStall { standStill(since: last) }
    // If the session wants silence, the sound is corked before listeners are told anything.
    if session.isCorked { cork() }
    effects += wanted.map(PlayerEffect.init)
  }

  /// Takes the listener back to where they were when the server last took sound: since then the place has only been computed.
  private mutating func standStill(since last: Duration) {
    playhead.set(playhead.position(at: last), isMoving: false, at: now)
    effects.append(.tell(.seeked(position(at: now))))
  }

  // MARK: The queue

  /// Passes a change of the queue on to listeners and to the sound: if another entry is current, or the same one begins again,
  /// its sound is loaded anew.
  mutating func follow(_ change: QueueChange) {
    tell(change)
    guard let current = change.current else { return }
    // Of the entry that is current now it is not true that it has ended, or can't be played.
    session.forgetEndingOfEntry()
    stopsAfterCurrent = false
    endRun()
    forgetLoaded()
    playhead.reset()
    if current.to == nil {
      finish(change.edits.isEmpty ? .finished : .removed)
    } else if current.from == current.to {
      effects.append(.tell(.seeked(.zero)))
    } else if case .restored(let place) = current.cause, place > .zero {
      playhead.set(place, isMoving: false, at: now)
      effects.append(.tell(.seeked(place)))
    } else if case .restored = current.cause {
      return
    } else if let chapter = chapterLeft(by: change) {
      follow(queue.jump(to: chapter))
    } else {
      resume()
    }
  }

  /// The chapter in which a book was left, if this change has brought the turn of that book. Somebody who chooses a row wants that row, so nil then.
  private func chapterLeft(by change: QueueChange) -> EntryID? {
    guard let current = change.current, let first = current.to else { return nil }
    switch current.cause {
    case .advanced, .skipped, .removed: break
    case .chosen: if change.command != .start { return nil }
    case .wentBack, .ended, .restored: return nil
    }
    let isAdded = change.edits.contains { if case .added = $0 { true } else { false } }
    // The places still have the location of what was current before this change.
    return chapterLeft(first, after: isAdded ? nil : places.location)
  }

  /// The chapter in which the listener left a book, if `first`, an entry of that book, is about to play. Nil if the book was left in `first` or never
  /// begun, and if the entry before, whose file is at `location`, is of the same book. In a shuffled order chapters come as they come, so nil.
  package func chapterLeft(_ first: EntryID, after location: String?) -> EntryID? {
    guard queue.shuffleMode == .off, let entry = queue.entry(first), places.wasLeftLater(than: entry),
      entry.location != location, let row = queue.position(of: first)
    else { return nil }
    func part(at row: Int) -> Entry? {
      guard (0..<queue.count).contains(row) else { return nil }
      return queue.entries(at: row..<row + 1).first { $0.span != nil && $0.location == entry.location }
    }
    // A row before that begins earlier in the file leads into this one. The same book may also stand there once more.
    if let before = part(at: row - 1)?.span, let own = entry.span, before.start < own.start { return nil }
    var next = row + 1
    while let chapter = part(at: next) {
      if places.wasLeft(in: chapter) { return chapter.id }
      next += 1
    }
    return nil
  }

  /// Goes to the place where the current entry was left, if one is stored. Call it when the entry is about to begin.
  mutating func resume() {
    guard let entry = queue.current.flatMap(queue.entry) else { return }
    let start = places.start(of: entry)
    guard start > .zero else { return }
    playhead.set(start, isMoving: false, at: now)
    playhead.began = start
    effects.append(.tell(.seeked(start)))
  }

  /// If `change` removed the current entry, notes the listener's place in it with the undo step, so that undo can go on there.
  private mutating func keep(_ place: Duration, lostBy change: QueueChange) {
    guard place > .zero, let current = change.current, current.from != nil else { return }
    tell(queue.noteLostPlace(place, inRedo: change.command == .undo))
  }

  /// Tells listeners of a change of the queue, unless nothing changed. A change with a command is also told when nothing
  /// visible changed: the journal still needs the command.
  mutating func tell(_ change: QueueChange) {
    if !change.isEmpty || change.command != nil { effects.append(.tell(.queue(change))) }
  }
}

/// Entries that failed one after the other.
struct FailureRun: Sendable {
  private(set) var count = 0
  /// The first of them. It may be one that was heard before, and then sought past the place where it breaks off; that one does not count.
  private(set) var first: EntryID?
  /// Where the first of them was to begin; zero if that is its beginning.
  private(set) var place = Duration.zero

  /// Notes that an entry, which was to begin at `place`, could not be played.
  mutating func note(_ entry: EntryID, at place: Duration, wasHeard: Bool) {
    if first == nil { (first, self.place) = (entry, wasHeard ? .zero : place) }
    if !wasHeard { count += 1 }
  }
}

// MARK: Taking back edits that could not be stored

extension Player {
  /// The part of the state that edits may change besides the queue, as it was before them. Needed to take the edits back.
  package struct Moment: Sendable, Equatable {
    /// The entry that was current; nil if none was.
    package var entry: EntryID?
    /// The listener's place in that entry.
    package var place: Duration
    /// What the user wanted: playing, paused or stopped.
    package var intent: Intent
    /// How many reasons for silence there had been, as `OrderMoment` counts them.
    var silencings = 0

    package init(entry: EntryID?, place: Duration, intent: Intent) {
      self.entry = entry
      self.place = place
      self.intent = intent
    }
  }

  /// The state before an edit at `now`. `takeBack` needs it if the edit cannot be stored.
  func moment(at now: Duration, silencings: Int = 0) -> Moment {
    var moment = Moment(entry: queue.current, place: place(at: now), intent: session.intent)
    moment.silencings = silencings
    return moment
  }

  /// Puts back the queue from before the last edits, and returns the effects to carry out. If the same entry is current in both
  /// queues, it plays on undisturbed. If the edits had made another entry current, the former one goes on at its place in
  /// `moment`.
  mutating func takeBack(
    to former: PlayQueue, moment: Moment?, silencings: Int = 0, at now: Duration
  ) -> [PlayerEffect] {
    inOneStep(at: now) { player in
      let undone = player.queue
      player.queue = former
      player.queue.keepMissing(from: undone)
      let change = QueueChange(from: undone, to: player.queue)
      if change.current == nil { return player.tell(change) }
      player.follow(change)
      if let moment { player.goBack(to: moment, wasSilenced: moment.silencings != silencings) }
    }
  }

  private mutating func goBack(to moment: Moment, wasSilenced: Bool) {
    guard queue.current != nil else { return }
    if queue.current == moment.entry, moment.place > .zero { go(to: moment.place) }
    // Somebody who has paused or stopped since then still wants that.
    switch session.intent {
    case .paused: return
    case .stopped where isStopOrdered: return
    case .stopped, .playing: break
    }
    // While the edits had left nothing to play, a pause or a lost output changed nothing that is wanted.
    let isSilent = wasSilenced && session.intent != .playing && moment.intent == .playing
    let wanted = isSilent ? .paused(by: .user) : moment.intent
    if session.intent != wanted { inform(.wanted(wanted)) }
  }
}

extension PlayQueue {
  /// Takes over from another queue which files are missing. The journal does not hold these notes, so the stored queue may lack
  /// them.
  fileprivate mutating func keepMissing(from other: PlayQueue) {
    for entry in other.entries(at: 0..<other.count) where entry.isMissing {
      _ = setMissing(true, of: entry.id)
    }
  }
}

extension QueueChange {
  /// The visible difference between two queues. Costs one pass over both lists.
  fileprivate init(from old: PlayQueue, to new: PlayQueue) {
    let (before, after) = (old.entries(at: 0..<old.count), new.entries(at: 0..<new.count))
    let same = zip(before, after).prefix { $0.id == $1.id }.count
    let rest = min(before.count, after.count) - same
    let end = zip(before.reversed(), after.reversed()).prefix(rest).prefix { $0.id == $1.id }.count
    let (gone, come) = (same..<before.count - end, same..<after.count - end)
    if !gone.isEmpty { edits.append(.removed(Array(before[gone]), at: RangeSet(gone))) }
    if !come.isEmpty { edits.append(.added(Array(after[come]), at: RangeSet(come))) }
    if old.current != new.current {
      current = CurrentChange(from: old.current, to: new.current, cause: .restored(at: .zero))
    }
    following = new.following
    hasNewFollowing = old.following != new.following
    isReordered = old.shuffleMode != new.shuffleMode
  }
}
