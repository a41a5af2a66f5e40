// SPDX-License-Identifier: MIT

/// The player: what is to be heard, from the queue, the session and the listener's place in the track.
///
/// A value that does nothing itself: events go in, effects come out, and time is a parameter. What the sound engine should have
/// loaded follows from the state alone; after each event it is compared with what the engine was told, and the difference
/// goes out as effects. Edits of the queue go through `edit`.
package struct Player: Sendable {
  /// What is played, and in which order.
  package internal(set) var queue: PlayQueue
  /// Why there is sound, or none.
  package internal(set) var session: Session
  /// How orders are taken. Another value counts from the next event on.
  package var settings: PlayerSettings

  var playhead = Playhead()
  /// How long the current entry is by its tags.
  var tagged: (entry: EntryID, length: Duration)?
  var heldSeek: HeldSeek?
  /// What the engine has been told to play, and what to play after it; nil where that is of no use any more.
  var loaded: Playing?
  var primed: Playing?
  var primedLength: Duration?
  /// Whether the engine has anything at all.
  var isEngineLoaded = false
  /// Whether a frame of what is loaded was heard.
  var isHeard = false
  /// Entries that could not be played in this pass.
  var unplayable: Set<EntryID> = []
  /// How many entries could not be played since one was heard.
  var failures = 0
  var lastPlay: UInt64 = 0
  var isEngineCorked = true
  var now = Duration.zero
  var effects: [PlayerEffect] = []

  /// A player of this queue, at this place of its current entry.
  package init(
    queue: PlayQueue, session: Session = Session(), settings: PlayerSettings = PlayerSettings(),
    position: Duration = .zero
  ) {
    self.queue = queue
    self.session = session
    self.settings = settings
    playhead.set(max(.zero, position), isMoving: false, at: .zero)
  }

  /// How interruptions are dealt with. Another value counts from the next event on.
  package var sessionSettings: SessionSettings {
    get { session.settings }
    set { session.settings = newValue }
  }

  // MARK: What outward faces show

  /// The state as our own interface tells it.
  package var state: PlaybackState {
    guard let heldSeek, heldSeek.isCueing else { return session.state }
    return heldSeek.direction == .forward ? .seekingForward : .seekingBackward
  }

  /// Where in the current track the listener is at `now`, never past its end.
  package func position(at now: Duration) -> Duration {
    let place = place(at: now)
    return min(place, length ?? place)
  }

  /// Where the sound goes on: past `length` where that is less than the sound has or is yet to turn out wrong.
  package func place(at now: Duration) -> Duration { playhead.position(at: now) }

  /// How long the current track is: as its decoder found it, and before that by its tags.
  package var length: Duration? { playhead.length ?? tagged?.length }

  /// Whether Next leads anywhere.
  package var canGoNext: Bool { queue.next != nil }
  /// Whether Previous does something: at worst the track begins anew.
  package var canGoPrevious: Bool { queue.current != nil }
  /// Whether there is anything to play.
  package var canPlay: Bool { !queue.isEmpty }

  // MARK: Events

  /// Takes an event and answers what has to be done about it, in order. `now` never goes back.
  package mutating func handle(_ event: PlayerEvent, at now: Duration) -> [PlayerEffect] {
    perform(at: now) { player in
      switch event {
      case .order(let order, let sender): player.obey(order, by: sender)
      case .sound(let report): player.hear(report)
      case .tagged(let entry, let length): player.learn(length, of: entry)
      case .session(let event): player.tell(event)
      case .soundChanged: player.forgetLoaded()
      case .timer(let timer): player.wake(timer)
      }
    }
  }

  /// Changes the queue, and answers what follows from it. No edit touches the sound unless it removes the current entry.
  package mutating func edit(at now: Duration, _ edit: (inout PlayQueue) -> QueueChange) -> [PlayerEffect] {
    perform(at: now) { player in
      let place = player.place(at: now)
      let change = edit(&player.queue)
      player.absorb(change)
      if change.edits.isEmpty { return }
      player.keep(place, lostBy: change)
      player.tell(.userActed)
    }
  }

  /// Notes whether the files of entries are gone, and answers what follows from it; `changed` gets the entries for which
  /// that is news. It is no edit: nothing of it can be undone.
  package mutating func setMissing(
    _ isMissing: Bool, of entries: [EntryID], at now: Duration, changed: inout [EntryID]
  ) -> [PlayerEffect] {
    perform(at: now) { player in
      changed = entries.filter { player.queue.setMissing(isMissing, of: $0) }
      // What is there again is tried again.
      if !isMissing { player.unplayable.subtract(changed) }
    }
  }

  mutating func perform(at now: Duration, _ body: (inout Player) -> Void) -> [PlayerEffect] {
    self.now = now
    body(&self)
    settle()
    defer { effects = [] }
    return effects
  }

  // MARK: The session

  /// Hands an event to the session and takes over what it wants.
  mutating func tell(_ event: SessionEvent) {
    for output in session.handle(event, at: now) {
      switch output {
      case .corked: break  // `settle` derives it
      case .timer(let delay): effects.append(.timer(.session, after: delay))
      default: effects.append(.session(output))
      }
    }
    // A stream that the session wants silent is silent before anything else is done.
    if session.isCorked { cork() }
  }

  private mutating func wake(_ timer: PlayerTimer) {
    switch timer {
    case .session: tell(.timer)
    case .tap: beginCueing()
    case .cue: cue()
    case .run: endCueing()
    }
  }
}
