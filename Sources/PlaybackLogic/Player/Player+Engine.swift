// SPDX-License-Identifier: MIT

// What the sound engine should have, against what it was told.
extension Player {
  /// Brings the engine into line with the state.
  mutating func settle() {
    if tagged?.entry != queue.current { tagged = nil }
    let isWanted = queue.current != nil && session.intent != .stopped
    let isSilent = session.isCorked || !isWanted
    if isSilent { cork() }
    if !isWanted || loaded?.entry.id != queue.current { forgetLoaded() }
    if !isSilent, loaded == nil { load() }
    if loaded == nil { empty() }
    prime()
    if !isSilent { uncork() }
  }

  mutating func cork() {
    guard !isEngineCorked else { return }
    isEngineCorked = true
    playhead.stop(at: now)
    effects.append(.corked(true))
  }

  private mutating func uncork() {
    guard isEngineCorked, loaded != nil else { return }
    isEngineCorked = false
    effects.append(.corked(false))
  }

  /// What the engine has is of no use: another track, or another place, is wanted.
  mutating func forgetLoaded() {
    playhead.stop(at: now)
    loaded = nil
    primed = nil
    isHeard = false
  }

  private mutating func empty() {
    guard isEngineLoaded else { return }
    isEngineLoaded = false
    effects.append(.unload)
  }

  private mutating func load() {
    guard let current = queue.current, let entry = queue.entry(current) else { return }
    let playing = Playing(play: nextPlay(), entry: entry, start: playhead.position(at: now))
    loaded = playing
    isHeard = false
    isEngineLoaded = true
    effects.append(.load(playing))
  }

  /// Sees to it that the engine knows what comes next.
  private mutating func prime() {
    guard let loaded else { return }
    let follower = playableFollower
    guard primed?.entry.id != follower?.id else { return }
    primedLength = nil
    primed = follower.map { Playing(play: nextPlay(), entry: $0, start: .zero) }
    effects.append(.follow(loaded.play, with: primed))
  }

  /// What comes by itself, without the entries that are known not to play.
  private var playableFollower: Entry? {
    guard let following = queue.following else { return nil }
    if isPlayable(following) { return queue.entry(following) }
    // As far ahead as anyone would wait for.
    return queue.upcoming(64).first(where: isPlayable).flatMap { queue.entry($0) }
  }

  /// A file that was gone may be there again: it is tried when its turn comes.
  private func isPlayable(_ id: EntryID) -> Bool { !unplayable.contains(id) }

  private mutating func nextPlay() -> UInt64 {
    lastPlay += 1
    return lastPlay
  }

  // MARK: Reports

  /// A length of nothing is none: whoever wrote it did not know.
  mutating func learn(_ length: Duration, of entry: EntryID) {
    if entry == queue.current, length > .zero { tagged = (entry, length) }
  }

  mutating func hear(_ report: SoundReport) {
    switch report {
    case .opened(let play, let length): opened(play, length)
    case .heard(let play): heard(play)
    case .position(let play, let position, let isMoving): place(play, position, isMoving)
    case .ended(let play): if play == loaded?.play { absorb(queue.advance()) }
    case .failed(let play, let reason): failed(play, reason)
    case .streamLost: forgetLoaded()
    }
  }

  private mutating func opened(_ play: UInt64, _ length: Duration?) {
    if play == loaded?.play { playhead.length = length }
    if play == primed?.play { primedLength = length }
  }

  private mutating func heard(_ play: UInt64) {
    failures = 0
    if play == loaded?.play {
      isHeard = true
      playhead.set(playhead.position(at: now), isMoving: !isEngineCorked, at: now)
    } else if let arrived = primed, play == arrived.play {
      followerArrived(arrived)
    }
  }

  /// What was primed is heard: the queue catches up with it, past entries that do not play.
  private mutating func followerArrived(_ arrived: Playing) {
    endRun()
    loaded = arrived
    primed = nil
    isHeard = true
    playhead.reset()
    playhead.length = primedLength
    playhead.set(.zero, isMoving: !isEngineCorked, at: now)
    if queue.following == arrived.entry.id {
      let change = queue.advance()
      note(change)
      if let current = change.current, current.from == current.to { effects.append(.seeked(.zero)) }
    } else {
      passOver(to: arrived.entry.id)
    }
  }

  /// Goes on to an entry further down, past those that cannot be played.
  private mutating func passOver(to entry: EntryID) {
    while queue.current != entry {
      if let current = queue.current { unplayable.remove(current) }
      let change = queue.skipToNext()
      if change.current == nil { return note(queue.jump(to: entry)) }
      note(change)
    }
  }

  private mutating func place(_ play: UInt64, _ position: Duration, _ isMoving: Bool) {
    guard play == loaded?.play, heldSeek?.isCueing != true else { return }
    playhead.set(position, isMoving: isMoving && !isEngineCorked, at: now)
    if isMoving { tell(.progressed) }
  }

  private mutating func failed(_ play: UInt64, _ reason: String) {
    if let primed, play == primed.play {
      unplayable.insert(primed.entry.id)
      effects.append(.troubled(primed.entry.id, reason: reason, isSkipped: true))
    } else if let loaded, play == loaded.play {
      // What was found out when it was to follow has been told then.
      if isHeard || !unplayable.contains(loaded.entry.id) {
        effects.append(.troubled(loaded.entry.id, reason: reason, isSkipped: !isHeard))
      }
      // What was heard goes on until its last frame; then the engine says that it ended.
      if !isHeard { skipUnplayable(loaded.entry.id) }
    }
  }

  private mutating func skipUnplayable(_ entry: EntryID) {
    failures += 1
    forgetLoaded()
    let change = failures < queue.count ? queue.skipToNext() : QueueChange()
    // Its turn is over; in the next pass it is tried, and told, anew.
    unplayable.remove(entry)
    if change.current == nil { finish() } else { absorb(change) }
  }

  /// Nothing is left to be heard.
  mutating func finish() {
    endCueing()
    failures = 0
    unplayable = []
    playhead.reset()
    tell(.finished)
  }
}
