// SPDX-License-Identifier: MIT

/// What a person or a program may ask of our player, apart from edits of the queue.
package enum PlayerOrder: Sendable, Hashable {
  case play
  case pause
  /// Pause if playing, play if not.
  case toggle
  /// Be silent. A later `play` starts the track from its beginning, or a long one where it was left.
  case stop
  /// Stop when the current track has been heard to its end. This is cancelled by any order that leads to another track, by `stop`, and by a `play`
  /// while music plays.
  case stopAfterCurrent
  case next
  /// Go to the track before, or restart the present one if more than `PlayerSettings.restartsAfter` of it has played.
  case previous
  /// Move by this distance in the track; a negative distance goes back.
  case seek(Duration)
  /// Move to this place in the track.
  case seekTo(Duration)
  /// Move to the place at this part of the track's length, from 0 to 1.
  case seekToPart(Double)
  /// Play this entry from its beginning.
  case jump(to: EntryID)
  /// Play an entry chosen at random.
  case jumpAnywhere
  /// A seek button goes down, or is still held; repeat it while the button is held. Playback then jumps through the track piece
  /// by piece. This ends when the button comes up, when another order comes (edits do not count), at the edge of the track, or
  /// when nobody has repeated it for 10 s.
  case beginSeek(SeekDirection)
  /// The same for a client that stays connected while the button is held: the seek also ends when that client is gone.
  case holdSeek(SeekDirection)
  /// The seek button comes up. If it was only tapped, go to the next or the previous track.
  case endSeek

  /// Whether this is an order to begin to play, or to go on.
  package var isToPlay: Bool {
    switch self {
    case .play, .toggle, .jump, .jumpAnywhere: true
    default: false
    }
  }

  /// Whether this is an order of a seek button. Any other order ends the seek of a button that is held.
  var isOfSeekButton: Bool {
    switch self {
    case .beginSeek, .holdSeek, .endSeek: true
    default: false
    }
  }
}

// Carries out orders, and takes over edits of the queue.
extension Player {
  mutating func carryOut(_ order: PlayerOrder, by sender: Sender) {
    if !order.isOfSeekButton { endCueing() }
    switch order {
    case .play:
      // A program's Play only takes back its own Pause. It must neither make a track current nor move the place in it.
      guard sender == .user else { return inform(.play(by: sender)) }
      if session.state == .playing { stopsAfterCurrent = false }
      play(.play(by: sender))
    case .pause: inform(.pause(by: sender))
    case .toggle:
      if session.onlyTakesBackPause(sender) { inform(.toggle(by: sender)) } else { play(.toggle(by: sender)) }
    case .stop: stop(by: sender)
    case .stopAfterCurrent: stopAfterCurrent()
    case .next: next()
    case .previous: previous()
    case .seek(let distance): seek(to: placeToSeekFrom + distance)
    case .seekTo(let place): seek(to: place)
    case .seekToPart(let part): seek(toPart: part)
    case .jump(let entry): jump(to: entry, by: sender)
    case .jumpAnywhere: jumpAnywhere(by: sender)
    case .beginSeek(let direction), .holdSeek(let direction): beginSeek(direction)
    case .endSeek: endSeek()
    }
  }

  private mutating func play(_ event: SessionEvent) {
    if queue.isEmpty { return refuse(.emptyQueue) }
    if queue.current == nil {
      follow(queue.start())
    } else {
      resumeIfStopped()
    }
    inform(event)
  }

  /// Goes to the place where Play would begin, if the place in the track was given up by a stop.
  mutating func resumeIfStopped() { if placeGivenUp != nil { resume() } }

  /// The place where Play would begin, if the place in the track was given up by a stop; otherwise nil.
  private var placeGivenUp: Duration? {
    guard session.intent.hasGivenUpPlace, !playhead.isChosen, playhead.position(at: now) == .zero else {
      return nil
    }
    return queue.current.flatMap(queue.entry).map { places.start(of: $0) }
  }

  /// The place from which a seek by some seconds counts.
  private var placeToSeekFrom: Duration { placeGivenUp ?? position(at: now) }

  private mutating func stopAfterCurrent() {
    guard queue.current != nil, session.intent != .stopped else { return refuse(.nothingCurrent) }
    stopsAfterCurrent = true
  }

  private mutating func stop(by sender: Sender) {
    stopsAfterCurrent = false
    isStopOrdered = true
    // Where the state stays the same, nothing else would tell of the jump.
    let jumps = session.intent == .stopped && position(at: now) > .zero
    inform(.stop(by: sender))
    playhead.set(.zero, isMoving: false, at: now)
    playhead.isChosen = false
    if jumps { effects.append(.tell(.seeked(.zero))) }
  }

  private mutating func next() {
    guard queue.next != nil else {
      return refuse(queue.isEmpty ? .emptyQueue : queue.current == nil ? .nothingCurrent : .noNext)
    }
    inform(.userActed)
    let played = queue.current
    // While nothing plays, nothing would tell that an entry can't be played, and lead on to the next one. While something does, it is tried again, as it may
    // have been mended.
    follow(session.intent == .playing ? queue.skipToNext() : goToPlayable(by: \.next) { $0.skipToNext() })
    consume(played)
  }

  /// Goes on by steps until an entry is current that was not found unplayable, or no other is left in that direction. Returns the last change; those before
  /// it are told.
  private mutating func goToPlayable(
    by other: KeyPath<PlayQueue, EntryID?>, _ step: (inout PlayQueue) -> QueueChange
  ) -> QueueChange {
    var change = step(&queue)
    for _ in 0..<queue.count {
      guard let current = queue.current, whyUnplayable[current] != nil, queue[keyPath: other] != nil else {
        break
      }
      tell(change)
      change = step(&queue)
    }
    return change
  }

  private mutating func previous() {
    guard queue.current != nil else { return refuse(.nothingCurrent) }
    inform(.userActed)
    // A long track that went on where it had been left has not played all that lies before its place.
    let played = position(at: now) - playhead.began
    if played > settings.restartsAfter || queue.previous == nil { return go(to: .zero) }
    // An entry that could not be played would lead on to the next one, which is where this began.
    follow(goToPlayable(by: \.previous) { $0.goBack() })
  }

  private mutating func jump(to entry: EntryID, by sender: Sender) {
    guard let row = queue.entry(entry) else { return refuse(.noSuchEntry) }
    guard !row.isMissing else { return refuse(.missing) }
    unplayable.remove(entry)
    failures = FailureRun()
    // Whoever hits the row of a long book that plays must not lose the place in it; Previous leads to its beginning.
    if entry == queue.current, !session.intent.hasGivenUpPlace, places.isCurrentKept {
      return inform(.play(by: sender))
    }
    // A track that was stopped, and not one that plays, goes on where it was left, as it does for Play.
    let goesOn = entry == queue.current && session.intent.hasGivenUpPlace && !playhead.isChosen
    follow(queue.jump(to: entry))
    if goesOn { resume() }
    inform(.play(by: sender))
  }

  private mutating func jumpAnywhere(by sender: Sender) {
    guard !queue.isEmpty else { return refuse(.emptyQueue) }
    failures = FailureRun()
    follow(queue.jumpAnywhere())
    inform(.play(by: sender))
  }

  mutating func refuse(_ refusal: Refusal) { effects.append(.tell(.refused(refusal))) }

  // MARK: Seeking

  /// Nobody means a place beyond this, thirty years into a track, and its number of frames could not be counted.
  private static let farthest = Duration.seconds(1_000_000_000)

  private mutating func seek(to place: Duration) {
    guard queue.current != nil else { return refuse(.nothingCurrent) }
    inform(.userActed)
    if let length, place >= length {
      // The same as if the track had been heard to its end, except under "repeat one": whoever seeks past the end wants the next
      // track.
      let played = queue.current
      if let played, queue.following != played { places.noteHeard(played) }
      if queue.next != nil { follow(queue.skipToNext()) } else { follow(queue.advance()) }
      consume(played)
    } else {
      go(to: min(max(.zero, place), Self.farthest))
    }
  }

  private mutating func seek(toPart part: Double) {
    guard queue.current != nil else { return refuse(.nothingCurrent) }
    guard let length else { return refuse(.noLength) }
    seek(to: length * min(max(0, part), 1))
  }

  /// Moves the listener to another place in the current track.
  mutating func go(to place: Duration) {
    forgetLoaded()
    playhead.set(place, isMoving: false, at: now)
    playhead.isChosen = true
    effects.append(.tell(.seeked(place)))
  }

  private mutating func beginSeek(_ direction: SeekDirection) {
    guard queue.current != nil else { return refuse(.nothingCurrent) }
    if heldSeek?.direction != direction {
      endCueing()
      heldSeek = HeldSeek(direction)
      effects.append(.timer(.tap, after: settings.tapLimit))
    }
    effects.append(.timer(.run, after: settings.longestRun))
  }

  private mutating func endSeek() {
    guard let heldSeek else { return }
    endCueing()
    guard !heldSeek.isCueing else { return }
    switch heldSeek.direction {
    case .forward: next()
    case .backward: previous()
    }
  }

  /// Ends the seek of a button that is held, if there is one. Playback goes on from the place that the seek has reached.
  mutating func endCueing() {
    guard let heldSeek else { return }
    effects.append(.cancelTimer(heldSeek.isCueing ? .cue : .tap))
    effects.append(.cancelTimer(.run))
    self.heldSeek = nil
  }

  mutating func beginCueing() {
    guard heldSeek != nil else { return }
    heldSeek?.isCueing = true
    inform(.userActed)
    cue()
  }

  /// While a seek button is held: jumps on to the next piece of the track, and lets it sound for `cueLength`.
  mutating func cue() {
    guard let jump = heldSeek?.nextJump() else { return }
    let place = placeToSeekFrom + jump
    // No jump goes past the last piece of the track: that is heard, and the next track follows by itself.
    let last = length.map { max(.zero, $0 - settings.cueLength) }
    let isAtEdge = jump > .zero ? last.map { place >= $0 } ?? false : place <= .zero
    go(to: max(.zero, min(place, last ?? place)))
    if isAtEdge { endCueing() } else { effects.append(.timer(.cue, after: settings.cueLength)) }
  }

  /// Ends a held seek because the track changes. A button that is down, but not yet for longer than a tap, is left alone: it then
  /// applies to the new track.
  mutating func endRun() { if heldSeek?.isCueing == true { endCueing() } }
}

/// A seek button that is held down. Short pieces of the track are heard, with jumps between them. The longer it is held, the
/// longer the jumps.
struct HeldSeek: Sendable {
  let direction: SeekDirection
  /// Whether the button has been held for longer than a tap, so that the jumps have begun.
  var isCueing = false
  private var jumps = 0

  init(_ direction: SeekDirection) { self.direction = direction }

  /// Returns the distance of the next jump, negative for backward, and counts the jump. The distance is 1 s at first, doubles
  /// after every eight jumps, and is at most 16 s.
  mutating func nextJump() -> Duration {
    let distance = Duration.seconds(1 << min(jumps / 8, 4))
    jumps += 1
    return direction == .forward ? distance : .zero - distance
  }
}

/// The direction of a held seek button.
package enum SeekDirection: String, Sendable, CaseIterable {
  case forward, backward
}
