// SPDX-License-Identifier: MIT

// What orders and edits do.
extension Player {
  mutating func obey(_ order: PlayerOrder, by sender: Sender) {
    if !order.isOfSeekButton { endCueing() }
    switch order {
    case .play: play(.play(by: sender))
    case .pause: tell(.pause(by: sender))
    case .toggle: play(.toggle(by: sender))
    case .stop: stop(by: sender)
    case .next: next()
    case .previous: previous()
    case .seek(let distance): seek(to: position(at: now) + distance)
    case .seekTo(let place): seek(to: place)
    case .jump(let entry): jump(to: entry, by: sender)
    case .jumpAnywhere: jumpAnywhere(by: sender)
    case .beginSeek(let direction): beginSeek(direction)
    case .endSeek: endSeek()
    }
  }

  private mutating func play(_ event: SessionEvent) {
    if queue.isEmpty { return refuse(.emptyQueue) }
    if queue.current == nil { absorb(queue.start()) }
    tell(event)
  }

  private mutating func stop(by sender: Sender) {
    tell(.stop(by: sender))
    playhead.set(.zero, isMoving: false, at: now)
  }

  private mutating func next() {
    guard queue.next != nil else { return refuse(queue.current == nil ? .nothingCurrent : .noNext) }
    tell(.userActed)
    absorb(queue.skipToNext())
  }

  private mutating func previous() {
    guard queue.current != nil else { return refuse(.nothingCurrent) }
    tell(.userActed)
    if position(at: now) > settings.restartsAfter || queue.previous == nil { return go(to: .zero) }
    absorb(queue.goBack())
  }

  private mutating func jump(to entry: EntryID, by sender: Sender) {
    guard let row = queue.entry(entry) else { return refuse(.noSuchEntry) }
    guard !row.isMissing else { return refuse(.missing) }
    unplayable.remove(entry)
    absorb(queue.jump(to: entry))
    tell(.play(by: sender))
  }

  private mutating func jumpAnywhere(by sender: Sender) {
    guard !queue.isEmpty else { return refuse(.emptyQueue) }
    absorb(queue.jumpAnywhere())
    tell(.play(by: sender))
  }

  mutating func refuse(_ refusal: Refusal) { effects.append(.refused(refusal)) }

  // MARK: Seeking

  private mutating func seek(to place: Duration) {
    guard queue.current != nil else { return refuse(.nothingCurrent) }
    tell(.userActed)
    if let length, place >= length {
      // As when it had been heard to its end, but for a track that repeats: whoever seeks on wants to go on.
      if queue.next != nil { absorb(queue.skipToNext()) } else { absorb(queue.advance()) }
    } else {
      go(to: max(.zero, place))
    }
  }

  /// Another place in the same track.
  mutating func go(to place: Duration) {
    forgetLoaded()
    playhead.set(place, isMoving: false, at: now)
    effects.append(.seeked(place))
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

  /// Whatever plays goes on from where a run has come to.
  mutating func endCueing() {
    guard let heldSeek else { return }
    effects.append(.cancelTimer(heldSeek.isCueing ? .cue : .tap))
    effects.append(.cancelTimer(.run))
    self.heldSeek = nil
  }

  mutating func beginCueing() {
    guard heldSeek != nil else { return }
    heldSeek?.isCueing = true
    tell(.userActed)
    cue()
  }

  /// A piece further on is heard.
  mutating func cue() {
    guard let jump = heldSeek?.nextJump() else { return }
    let place = position(at: now) + jump
    // The last piece of the track is still heard, and what follows comes by itself.
    let last = length.map { max(.zero, $0 - settings.cueLength) }
    let isAtEdge = jump > .zero ? last.map { place >= $0 } ?? false : place <= .zero
    go(to: max(.zero, min(place, last ?? place)))
    if isAtEdge { endCueing() } else { effects.append(.timer(.cue, after: settings.cueLength)) }
  }

  /// A run ends with its track; a button that has just gone down means the track that it finds.
  mutating func endRun() { if heldSeek?.isCueing == true { endCueing() } }

  // MARK: The queue

  /// Takes over what happened to the current entry.
  mutating func absorb(_ change: QueueChange) {
    note(change)
    guard let current = change.current else { return }
    endRun()
    forgetLoaded()
    playhead.reset()
    if current.to == nil {
      finish()
    } else if current.from == current.to {
      effects.append(.seeked(.zero))
    } else if case .restored(let place) = current.cause, place > .zero {
      playhead.set(place, isMoving: false, at: now)
      effects.append(.seeked(place))
    }
  }

  /// The place in the entry that an edit took away belongs to what undo brings back.
  mutating func keep(_ place: Duration, lostBy change: QueueChange) {
    guard place > .zero, let current = change.current, current.from != nil else { return }
    note(queue.noteLostPlace(place, inRedo: change.command == .undo))
  }

  /// Tells of a change, if it is one. A mode that changes nothing yet is no sight, but has to be kept.
  mutating func note(_ change: QueueChange) {
    if !change.isEmpty || change.command != nil { effects.append(.queueChanged(change)) }
  }
}
