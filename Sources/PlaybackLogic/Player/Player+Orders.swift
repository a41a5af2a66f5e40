// SPDX-License-Identifier: MIT

// Carries out orders, and takes over edits of the queue.
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
      // The same as if the track had been heard to its end, except under "repeat one": whoever seeks past the end wants the next
      // track.
      if queue.next != nil { absorb(queue.skipToNext()) } else { absorb(queue.advance()) }
    } else {
      go(to: max(.zero, place))
    }
  }

  /// Moves the listener to another place in the current track.
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

  /// Ends a held seek. Playback goes on from the place that it has reached.
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

  /// Jumps on to the next piece of a held seek, and lets it sound for `cueLength`.
  mutating func cue() {
    guard let jump = heldSeek?.nextJump() else { return }
    let place = position(at: now) + jump
    // No jump goes past the last piece of the track: that is heard, and the next track follows by itself.
    let last = length.map { max(.zero, $0 - settings.cueLength) }
    let isAtEdge = jump > .zero ? last.map { place >= $0 } ?? false : place <= .zero
    go(to: max(.zero, min(place, last ?? place)))
    if isAtEdge { endCueing() } else { effects.append(.timer(.cue, after: settings.cueLength)) }
  }

  /// Ends a held seek because the track changes. A button that is down, but not yet for longer than a tap, is left alone: it then
  /// applies to the new track.
  mutating func endRun() { if heldSeek?.isCueing == true { endCueing() } }

  // MARK: The queue

  /// Takes over a change of the queue: if another entry is current, or the same one begins again, its sound is to be loaded anew.
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

  /// If an edit removed the current entry, notes the listener's place in it with the undo step, so that undo can go on there.
  mutating func keep(_ place: Duration, lostBy change: QueueChange) {
    guard place > .zero, let current = change.current, current.from != nil else { return }
    note(queue.noteLostPlace(place, inRedo: change.command == .undo))
  }

  /// Emits a change of the queue, if it is one. A change with a command is also emitted when nothing visible changed: the journal
  /// still needs the command.
  mutating func note(_ change: QueueChange) {
    if !change.isEmpty || change.command != nil { effects.append(.queueChanged(change)) }
  }
}
