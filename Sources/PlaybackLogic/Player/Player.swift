// SPDX-License-Identifier: MIT

/// The player decides what is to be heard. It owns the queue, the session and the listener's place in the track.
///
/// It is a value that performs no action itself: events go in, effects come out, and the time is a parameter. What the sound
/// engine should have loaded follows from the state alone. After each event `settle` compares that with what the engine was told,
/// and the difference goes out as effects. All edits of the queue go through `edit`.
package struct Player: Sendable {
  /// The entries to play, their order, and which is current.
  package internal(set) var queue: PlayQueue
  /// Decides whether there is sound: what the user wants, and what interrupts it.
  package internal(set) var session: Session
  /// How the player takes orders. A new value applies from the next event on.
  package var settings: PlayerSettings

  var playhead = Playhead()
  /// The length of the current entry according to its tags, until a decoder tells it.
  var tagged: (entry: EntryID, length: Duration)?
  var heldSeek: HeldSeek?
  /// What the engine was told to play (`loaded`), and what to play after it (`primed`, with `primedLength`). Nil if the engine
  /// has nothing, or has something that is no longer wanted.
  var loaded: Playing?
  var primed: Playing?
  var primedLength: Duration?
  /// Whether the engine has something loaded, wanted or not.
  var isEngineLoaded = false
  /// Whether at least one frame of `loaded` was heard.
  var isHeard = false
  /// Entries that could not be played. Each is tried again in the next pass.
  var unplayable: Set<EntryID> = []
  /// How many entries in a row could not be played; a heard one sets it back to 0.
  var failures = 0
  var lastPlay: UInt64 = 0
  var isEngineCorked = true
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

  // MARK: What outward faces show

  /// The playback state as our own bus interface shows it.
  package var state: PlaybackState {
    guard let heldSeek, heldSeek.isCueing else { return session.state }
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

  /// Whether Next leads anywhere.
  package var canGoNext: Bool { queue.next != nil }
  /// Whether Previous does anything. If there is no previous entry, it restarts the track.
  package var canGoPrevious: Bool { queue.current != nil }
  /// Whether there is anything to play.
  package var canPlay: Bool { !queue.isEmpty }

  // MARK: Events

  /// Takes an event and returns the effects to carry out, in order. `now` must never go back.
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

  /// Edits the queue and returns the effects to carry out. An edit touches the sound only if it removes the current entry or
  /// makes another one current.
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

  /// Notes whether the files of entries are missing, and returns the effects to carry out. `changed` receives the entries for
  /// which that is new. This is not an edit, so undo does not take it back.
  package mutating func setMissing(
    _ isMissing: Bool, of entries: [EntryID], at now: Duration, changed: inout [EntryID]
  ) -> [PlayerEffect] {
    perform(at: now) { player in
      changed = entries.filter { player.queue.setMissing(isMissing, of: $0) }
      // A file that is back is worth another try.
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

  /// Passes an event to the session and turns its outputs into effects.
  mutating func tell(_ event: SessionEvent) {
    for output in session.handle(event, at: now) {
      switch output {
      case .corked: break  // `settle` derives it
      case .timer(let delay): effects.append(.timer(.session, after: delay))
      default: effects.append(.session(output))
      }
    }
    // Where the session wants silence, silence must come before any other effect.
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
