// SPDX-License-Identifier: MIT
import AudioModel

/// What the sound engine was told to play, and what it has reported about that.
struct EngineState: Sendable {
  /// What the engine was told to play. Nil if it has nothing, or has something that is no longer wanted.
  var loaded: Playing?
  /// The playing that the engine was told to play after `loaded`, and its length. The length is nil until the engine has opened it, or if nothing
  /// tells it.
  var following: Playing?
  var followingLength: Duration?
  /// How the sound of `following` is coded; nil until the engine has opened it.
  var followingCoding: SoundCoding?
  /// Whether the engine has opened the file of `loaded`.
  var isOpened = false
  /// Whether at least one frame of the sound of `loaded` was heard.
  var isHeard = false
  /// The entry that was heard last and the place where it was left, if that was by a seek or the like; nil once another one is heard.
  var lastHeard: (entry: EntryID, place: Duration)?
  /// Where in `loaded` the sound breaks off, because its file is damaged or can no longer be read; nil as far as is known.
  var breakingPlace: Duration?
  /// Whether the engine has something loaded, wanted or not.
  var isLoaded = false
  var isCorked = true
  /// Whether what was loaded last, and what was to follow it, are beside their album. Kept, because the queue may be edited while they play.
  private var besideAlbum: [EntryID: Bool] = [:]
  private var lastPlay: UInt64 = 0

  /// Makes a playing of this entry, which is one time that it is played, and gives it the next number. `start` is the place in the entry where the
  /// sound begins.
  mutating func playing(_ entry: Entry, from start: Duration) -> Playing {
    lastPlay += 1
    return Playing(play: PlayID(rawValue: lastPlay), entry: entry, start: start)
  }

  /// Whether this entry is beside its album, by what was noted when its turn came; `find` is asked only if nothing was.
  mutating func isBesideItsAlbum(_ entry: EntryID, _ find: (EntryID) -> Bool) -> Bool {
    let isBeside = besideAlbum[entry] ?? find(entry)
    note(entry, isBesideItsAlbum: isBeside)
    return isBeside
  }

  /// Notes whether an entry is beside its album. Of others, all but what is loaded is forgotten.
  mutating func note(_ entry: EntryID, isBesideItsAlbum isBeside: Bool) {
    besideAlbum = besideAlbum.filter { $0.key == loaded?.entry.id }
    besideAlbum[entry] = isBeside
  }

  /// Has it found anew for each entry whether it is beside its album.
  mutating func forgetAlbums() { besideAlbum = [:] }

  /// Takes over the new location of an entry. If it is to follow and was not opened yet, it has to be announced once more.
  mutating func relocate(_ entry: Entry) {
    if loaded?.entry.id == entry.id { loaded?.entry = entry }
    guard following?.entry.id == entry.id else { return }
    if followingCoding == nil { following = nil } else { following?.entry = entry }
  }

  /// Forgets what the sound engine was told to play, because another track or another place is wanted. The engine itself keeps its sound until it is
  /// told otherwise.
  mutating func forget() {
    loaded = nil
    following = nil
    isOpened = false
    isHeard = false
    breakingPlace = nil
  }
}

// Keeps the sound engine in line with the player's state, and handles the engine's reports.
extension Player {
  /// Compares what the sound engine should have loaded with what it was told, and makes effects of the difference. Silence comes
  /// first and sound last, so that nothing outdated is heard.
  mutating func updateEngine() {
    if tagged?.entry != queue.current { tagged = nil }
    let isWanted = queue.current != nil && session.intent != .stopped
    let isSilent = session.isCorked || !isWanted
    if isSilent { cork() }
    if !isWanted || engine.loaded?.entry.id != queue.current { forgetLoaded() }
    if !isSilent, engine.loaded == nil { load() }
    if engine.loaded == nil { unload() }
    announceFollowing()
    if !isSilent { uncork() }
  }

  mutating func cork() {
    guard !engine.isCorked else { return }
    engine.isCorked = true
    playhead.stop(at: now)
    effects.append(.sound(.cork(true)))
  }

  private mutating func uncork() {
    guard engine.isCorked, engine.loaded != nil else { return }
    engine.isCorked = false
    effects.append(.sound(.cork(false)))
  }

  /// Forgets what the engine has loaded, because another track or another place is wanted. `updateEngine` then loads the right sound.
  mutating func forgetLoaded() {
    playhead.stop(at: now)
    if engine.isHeard, let entry = engine.loaded?.entry.id {
      engine.lastHeard = (entry, playhead.position(at: now))
    }
    engine.forget()
  }

  private mutating func unload() {
    guard engine.isLoaded else { return }
    engine.isLoaded = false
    engine.forgetAlbums()
    effects.append(.sound(.unload))
  }

  private mutating func load() {
    guard let entry = queue.current.flatMap(queue.entry) else { return }
    var playing = engine.playing(entry, from: playhead.position(at: now))
    playing.crossfade.ending = settings.crossfade
    playing.isBesideItsAlbum = engine.isBesideItsAlbum(entry.id, queue.isBesideItsAlbum)
    engine.loaded = playing
    engine.isOpened = false
    engine.isHeard = false
    engine.isLoaded = true
    effects.append(.sound(.load(playing)))
  }

  /// Tells the sound engine which entry it has to play after the present one, if that has changed.
  private mutating func announceFollowing() {
    guard let loaded = engine.loaded else { return }
    let entry = stopsAfterCurrent ? nil : playableFollowing.map { entryToBegin($0, after: loaded.entry) }
    // What only waits is announced once more if an edit has put it beside its album, or away from it, or if its file was left at another place since.
    let isBeside = entry.map { isBesideItsAlbum($0.id, after: loaded) } ?? false
    let start = entry.map { places.start(of: $0, after: loaded.entry) }
    guard
      engine.following?.entry.id != entry?.id || engine.following?.isBesideItsAlbum ?? false != isBeside
        || !places.isIgnored && engine.following?.start != start
    else { return }
    (engine.followingLength, engine.followingCoding) = (nil, nil)
    var next = entry.map { engine.playing($0, from: start ?? .zero) }
    if let entry { engine.note(entry.id, isBesideItsAlbum: isBeside) }
    next?.isBesideItsAlbum = isBeside
    next?.crossfade = Crossfade(
      ending: settings.crossfade, mixesIn: settings.crossfade > .zero && entry?.id != loaded.entry.id)
    next?.neighbour = entry.flatMap { areNeighbours(loaded.entry, $0) ? loaded.entry : nil }
    engine.following = next
    effects.append(.sound(.follow(loaded.play, with: engine.following)))
  }

  /// Whether the entry that follows is beside its album. One that is repeated stays what it is.
  private func isBesideItsAlbum(_ entry: EntryID, after loaded: Playing) -> Bool {
    entry == loaded.entry.id ? loaded.isBesideItsAlbum : queue.isBesideItsAlbum(entry)
  }

  /// What is to be heard when an entry's turn comes: itself, or the chapter in which its book was left.
  private func entryToBegin(_ entry: Entry, after previous: Entry?) -> Entry {
    guard let chapter = chapterLeft(entry.id, after: previous?.location), isPlayable(chapter) else {
      return entry
    }
    return queue.entry(chapter) ?? entry
  }

  private func areNeighbours(_ entry: Entry, _ next: Entry) -> Bool {
    queue.position(of: entry.id).map { $0 + 1 } == queue.position(of: next.id)
  }

  /// The entry that will follow by itself. Entries that could not be played this time through the queue are left out. Nil if none will follow.
  private var playableFollowing: Entry? {
    guard let following = queue.following else { return nil }
    if isPlayable(following) { return queue.entry(following) }
    // A limit: nobody would still be waiting after 64 entries in a row that cannot be played.
    return queue.upcoming(64).first(where: isPlayable).flatMap { queue.entry($0) }
  }

  /// Whether the entry is worth trying: it has not failed this time through the queue. An entry whose file is missing counts as
  /// playable, as the file may be back by the time its turn comes.
  private func isPlayable(_ id: EntryID) -> Bool { !unplayable.contains(id) }

  // MARK: Reports

  /// Whether the current track is to be heard now, and it is not known yet whether its file can be opened.
  package var isOpening: Bool { !engine.isCorked && engine.loaded != nil && !engine.isOpened }

  /// Takes the length of an entry from its tags, if it is the current entry. A length of zero is ignored: whoever wrote that tag
  /// did not know the length.
  mutating func noteTaggedLength(_ length: Duration, of entry: EntryID) {
    if entry == queue.current, length > .zero { tagged = (entry, length) }
  }

  mutating func handle(_ report: SoundReport) {
    switch report {
    case .opened(let play, let length, let isExact, let coding):
      opened(play, length, isExact: isExact, coding)
    case .heard(let play): heard(play)
    case .position(let play, let position, let isMoving): place(play, position, isMoving)
    case .ended(let play): ended(play)
    case .failed(let play, let reason): failed(play, reason)
    case .soundLost: forgetLoaded()
    }
  }

  private mutating func ended(_ play: PlayID) {
    if play == engine.loaded?.play {
      if isResumedUnheard { return go(to: .zero) }
      noteHeardToEnd()
      advance()
    } else if let arrived = engine.following, play == arrived.play {
      // Nothing of it was heard: its file has become shorter than the place where it was to go on.
      followingArrived(arrived)
      go(to: .zero)
    }
  }

  /// Notes that what is loaded was heard to its end, so that it begins anew the next time. A track that breaks off keeps its place, for the day when
  /// the rest of it is there; but not if it went on shortly before that place, or it would never be heard from its beginning again.
  private mutating func noteHeardToEnd() {
    guard let loaded = engine.loaded, engine.isHeard else { return }
    if let place = engine.breakingPlace, place > loaded.start + ResumePlace.stepBack * 2 { return }
    places.noteHeard(loaded.entry.id)
  }

  /// Whether the track was to go on where it had been left, and nothing has been heard of it yet.
  private var isResumedUnheard: Bool {
    guard let loaded = engine.loaded, !engine.isHeard, loaded.start > .zero else { return false }
    return places.start(of: loaded.entry) == loaded.start
  }

  private mutating func advance() {
    let stops = stopsAfterCurrent
    let played = queue.current
    follow(queue.advance())
    consume(played)
    if stops { stopHere() }
  }

  /// Removes an entry that has been played from the queue, if the queue's mode says so. An entry that begins again stays.
  mutating func consume(_ played: EntryID?) {
    guard queue.consumes, let played, queue.current != played || queue.repeatMode != .one else { return }
    let change = queue.consume(played)
    forgetRemoved(by: change)
    follow(change)
  }

  /// Stops at the end of a track because that was to be the last one; the next entry is current by now and must not begin. If nothing is current,
  /// playback has stopped already.
  private mutating func stopHere() {
    guard queue.current != nil else { return }
    stopsAfterCurrent = false
    isStopOrdered = true
    inform(.ranOut(.afterCurrent))
  }

  private mutating func opened(
    _ play: PlayID, _ length: Duration?, isExact: Bool, _ coding: SoundCoding?
  ) {
    if play == engine.loaded?.play {
      engine.isOpened = true
      if let coding { playhead.coding = coding }
      playhead.length = length
      // The file may have become shorter since. An estimate may be far too short, and must not take a listener back from the middle of a book.
      if isExact, let length, length > .zero, let start = engine.loaded?.start, start >= length,
        isResumedUnheard
      {
        go(to: .zero)
      }
    }
    guard play == engine.following?.play else { return }
    engine.followingLength = length
    if let coding { engine.followingCoding = coding }
  }

  private mutating func heard(_ play: PlayID) {
    failures = FailureRun()
    if play == engine.loaded?.play {
      engine.isHeard = true
      if let heard = engine.loaded?.entry.id {
        if engine.lastHeard?.entry != heard { engine.lastHeard = nil }
        notePlayable(heard)
        if queue.setMissing(false, of: heard) { effects.append(.tell(.missing([heard]))) }
      }
      playhead.set(playhead.position(at: now), isMoving: moves, at: now)
    } else if let arrived = engine.following, play == arrived.play {
      followingArrived(arrived)
    }
  }

  /// Whether the place in the track goes on with the time.
  private var moves: Bool { !engine.isCorked && session.lastProgressBeforeStall == nil }

  /// Notes that an entry plays, whatever was found of it before: its disk may have slept.
  mutating func notePlayable(_ entry: EntryID) {
    whyUnplayable[entry] = nil
    unplayable.remove(entry)
  }

  /// Call when the following entry begins to be heard. Makes it current in the queue, and skips entries before it that do not play.
  private mutating func followingArrived(_ arrived: Playing) {
    endRun()
    noteHeardToEnd()
    notePlayable(arrived.entry.id)
    let former = engine.loaded?.entry
    engine.loaded = arrived
    engine.following = nil
    engine.breakingPlace = nil
    engine.isOpened = true
    engine.isHeard = true
    engine.lastHeard = nil
    playhead.reset()
    (playhead.length, playhead.coding) = (engine.followingLength, engine.followingCoding)
    playhead.set(arrived.start, isMoving: moves, at: now)
    playhead.began = arrived.start
    let played = queue.current
    defer { consume(played) }
    if queue.following == arrived.entry.id {
      let change = queue.advance()
      tell(change)
      if let current = change.current, current.from == current.to { effects.append(.tell(.seeked(.zero))) }
    } else if queue.following.flatMap(queue.entry).map({ entryToBegin($0, after: former).id })
      == arrived.entry.id
    {
      tell(queue.advance())
      tell(queue.jump(to: arrived.entry.id))
    } else {
      passOver(to: arrived.entry.id)
    }
    if arrived.start > .zero { effects.append(.tell(.seeked(arrived.start))) }
  }

  /// Makes this entry, which is heard already, current in the queue, and skips those before it that cannot be played. The track before all of them has
  /// ended by itself: it must not count as skipped.
  private mutating func passOver(to entry: EntryID) {
    if queue.following != nil { tell(queue.advance()) }
    while queue.current != entry {
      if let current = queue.current { unplayable.remove(current) }
      let change = queue.skipToNext()
      if change.current == nil { return tell(queue.jump(to: entry)) }
      tell(change)
    }
  }

  private mutating func place(_ play: PlayID, _ position: Duration, _ isMoving: Bool) {
    guard play == engine.loaded?.play, heldSeek?.isCueing != true else { return }
    playhead.set(position, isMoving: isMoving && !engine.isCorked, at: now)
    if isMoving { inform(.progressed) }
  }

  private mutating func failed(_ play: PlayID, _ reason: String) {
    if let following = engine.following, play == following.play {
      unplayable.insert(following.entry.id)
      _ = setUnplayable(reason, following.entry.id)
      effects.append(.tell(.skipped(following.entry.id, reason: reason)))
    } else if let loaded = engine.loaded, play == loaded.play {
      // If part of the sound was heard, the engine reports its end next, since nothing more was decoded.
      if engine.isHeard { return endEarly(loaded.entry.id, reason, at: playhead.position(at: now)) }
      if isResumedUnheard {
        // Its disk may only have been asleep, so what is heard now must not replace the place.
        places.keepLaterPlace()
        return go(to: .zero)
      }
      let last = engine.lastHeard.flatMap {
        $0.entry == loaded.entry.id && loaded.start > $0.place ? $0 : nil
      }
      if let last {
        // The listener has gone past the place where the file breaks off. The part before that plays.
        endEarly(last.entry, reason, at: last.place)
      } else {
        reportFailure(of: loaded.entry.id, reason)
      }
      skipUnplayable(loaded.entry.id, from: loaded.start, wasHeard: last != nil)
    }
  }

  private mutating func reportFailure(of entry: EntryID, _ reason: String) {
    _ = setUnplayable(reason, entry)
    // If the failure was found while the entry waited for its turn, it has been reported then.
    if !unplayable.contains(entry) { effects.append(.tell(.skipped(entry, reason: reason))) }
  }

  private mutating func endEarly(_ entry: EntryID, _ reason: String, at place: Duration) {
    engine.breakingPlace = place
    effects.append(.tell(.endedEarly(entry, reason: reason, at: place)))
  }

  private mutating func skipUnplayable(_ entry: EntryID, from start: Duration, wasHeard: Bool) {
    failures.note(entry, at: start, wasHeard: wasHeard)
    let stops = stopsAfterCurrent
    forgetLoaded()
    let change = failures.count < queue.count ? queue.skipToNext() : QueueChange()
    // The entry's turn is over. In the next pass it is tried again, and a failure is reported again.
    unplayable.remove(entry)
    if change.current == nil {
      goBackToFirstFailed()
      let (first, place) = (failures.first, failures.place)
      finish(.unplayable)
      if place > .zero, queue.current == first { keepPlace(place) }
      return
    }
    follow(change)
    if stops { stopHere() }
  }

  /// Call when all that was left has failed, as where a disk is gone for a moment. Play then goes on where that began.
  private mutating func goBackToFirstFailed() {
    guard let first = failures.first, queue.entry(first) != nil, queue.current != first else { return }
    // In a random order a jump would put the entry behind those that were passed over.
    if queue.shuffleMode == .off { return tell(queue.jump(to: first)) }
    for _ in 0...failures.count where queue.current != first && queue.previous != nil { tell(queue.goBack()) }
  }

  /// Has Play begin at a place of the current track, as if the listener had chosen it.
  private mutating func keepPlace(_ place: Duration) {
    playhead.set(place, isMoving: false, at: now)
    playhead.isChosen = true
    effects.append(.tell(.seeked(place)))
  }

  /// Ends playback, because nothing is left to play.
  mutating func finish(_ ending: Ending) {
    endCueing()
    failures = FailureRun()
    stopsAfterCurrent = false
    unplayable = []
    playhead.reset()
    // Whoever takes rows out of a queue that is stopped does not stop it.
    if session.intent == .stopped, ending == .removed { return }
    if session.intent != .stopped { isStopOrdered = false }
    inform(.ranOut(ending))
  }
}

/// The listener's place in the current track. It keeps the place that was last reported. While sound is heard, it adds the time
/// that has passed since.
struct Playhead: Sendable {
  private var known = Duration.zero
  /// When `known` was set, if sound was moving then; nil if it stood still.
  private var since: Duration?
  /// The track's length as its decoder told it; nil if it has told none.
  var length: Duration?
  /// How the track is coded, as its decoder told it; nil if it has told nothing.
  var coding: SoundCoding?
  /// Whether the listener has chosen the present place in the track by a seek, and has not stopped the track since. Play then begins there, also at
  /// the track's beginning; otherwise it goes on where a long track was left some other day.
  var isChosen = false
  /// Where the track's turn began: where it had been left some other day, or at its beginning.
  var began = Duration.zero

  /// The place at `now`. It does not advance past `length`, but a place that was set past it stays.
  func position(at now: Duration) -> Duration {
    let place = since.map { known + max(.zero, now - $0) } ?? known
    return min(place, max(length ?? place, known))
  }

  /// Sets the listener's place at `now`. If `isMoving`, sound is heard, and the place goes on from there with the time.
  mutating func set(_ position: Duration, isMoving: Bool, at now: Duration) {
    known = position
    since = isMoving ? now : nil
  }

  /// Stops at the place reached at `now`.
  mutating func stop(at now: Duration) { set(position(at: now), isMoving: false, at: now) }

  /// Goes to the beginning of another track, whose length is not known yet.
  mutating func reset() { self = Playhead() }
}
