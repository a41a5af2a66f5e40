// SPDX-License-Identifier: MIT

// Keeps the sound engine in line with the player's state, and takes the engine's reports.
extension Player {
  /// Compares what the engine should have with what it was told, and emits effects for the difference. Silence comes first and
  /// sound last, so that nothing outdated is heard.
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

  /// Forgets what the engine has loaded, because another track or another place is wanted. `settle` then loads anew.
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

  /// Tells the engine which entry comes next, if that has changed.
  private mutating func prime() {
    guard let loaded else { return }
    let follower = playableFollower
    guard primed?.entry.id != follower?.id else { return }
    primedLength = nil
    primed = follower.map { Playing(play: nextPlay(), entry: $0, start: .zero) }
    effects.append(.follow(loaded.play, with: primed))
  }

  /// The entry that will follow by itself, leaving out those that are known not to play.
  private var playableFollower: Entry? {
    guard let following = queue.following else { return nil }
    if isPlayable(following) { return queue.entry(following) }
    // A limit: nobody would still be waiting after 64 entries in a row that cannot be played.
    return queue.upcoming(64).first(where: isPlayable).flatMap { queue.entry($0) }
  }

  /// Whether the entry is worth trying: it has not failed in this pass. An entry whose file is missing counts as playable, as the
  /// file may be back by the time its turn comes.
  private func isPlayable(_ id: EntryID) -> Bool { !unplayable.contains(id) }

  private mutating func nextPlay() -> UInt64 {
    lastPlay += 1
    return lastPlay
  }

  // MARK: Reports

  /// Takes the length of an entry from its tags, if it is the current entry. A length of zero is ignored: whoever wrote that tag
  /// did not know the length.
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

  /// The primed entry is heard: makes it current in the queue, past entries that do not play.
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

  /// Skips forward in the queue to this entry, past those that cannot be played.
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
      // If the failure was found while the entry was primed, it has been reported then.
      if isHeard || !unplayable.contains(loaded.entry.id) {
        effects.append(.troubled(loaded.entry.id, reason: reason, isSkipped: !isHeard))
      }
      // If part of it was heard, what was decoded still plays to its last frame. Then the engine reports the end.
      if !isHeard { skipUnplayable(loaded.entry.id) }
    }
  }

  private mutating func skipUnplayable(_ entry: EntryID) {
    failures += 1
    forgetLoaded()
    let change = failures < queue.count ? queue.skipToNext() : QueueChange()
    // Its turn is over. In the next pass it is tried again, and a failure is reported again.
    unplayable.remove(entry)
    if change.current == nil { finish() } else { absorb(change) }
  }

  /// Ends playback, because nothing is left to play.
  mutating func finish() {
    endCueing()
    failures = 0
    unplayable = []
    playhead.reset()
    tell(.finished)
  }
}
