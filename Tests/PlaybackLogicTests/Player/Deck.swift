// SPDX-License-Identifier: MIT

import AudioModel

@testable import PlaybackLogic

/// A player with an engine that does what it is told, and an ear that notes what would be heard.
struct Deck {
  var player: Player
  private(set) var now = Duration.zero
  /// What the engine has, as it was told.
  private(set) var loaded: Playing?
  private(set) var follower: Playing?
  private(set) var isCorked = true
  private(set) var timers: [PlayerTimer: Duration] = [:]
  /// Everything that was told outside, in order, as words.
  private(set) var log: [String] = []
  /// How often an entry was told as skipped.
  private(set) var skips = 0
  /// What an effect must not have been about.
  private(set) var faults: [String] = []

  init(_ count: Int, seed: UInt64 = 1, repeat: RepeatMode = .none) {
    var queue = PlayQueue(seed: seed, repeat: `repeat`)
    _ = queue.append((0..<count).map { EntrySource("/music/\($0).flac") })
    player = Player(queue: queue)
    session(.streamReady(isMuted: false, serverCorks: true))
    session(.ended(.server))
  }

  /// Where the listener is.
  var position: Duration { player.position(at: now) }
  /// The row that is current, from 0.
  var row: Int? { player.queue.currentPosition }
  /// Whether something is heard.
  var isSounding: Bool { loaded != nil && !isCorked }

  mutating func order(_ order: PlayerOrder, by sender: Sender = .user) {
    take(player.handle(.order(order, by: sender), at: now))
  }
  mutating func session(_ event: SessionEvent) {
    take(player.handle(.session(event), at: now))
    if event == .began(.cork) { take(player.handle(.session(.corkExamined), at: now)) }
  }
  mutating func sound(_ report: SoundReport) { take(player.handle(.sound(report), at: now)) }
  mutating func edit(_ edit: (inout PlayQueue) -> QueueChange) { take(player.edit(at: now, edit)) }
  /// The tags of the row's entry have been read; without a row of one that has been removed.
  mutating func tag(_ row: Int?, length: Duration) {
    let entry = row.map { player.queue[$0].id } ?? EntryID(rawValue: .max)
    take(player.handle(.tagged(entry, length: length), at: now))
  }
  /// These files are found in another folder.
  mutating func rename(_ locations: String..., to folder: String) {
    take(player.relocate(locations.map { FileRenaming(from: $0, to: folder + $0) }, at: now))
  }
  mutating func changeSound() { take(player.handle(.soundChanged, at: now)) }
  mutating func obey(_ effects: [PlayerEffect]) { take(effects) }
  mutating func clearLog() { log = [] }

  /// Opens what is loaded and lets its first frame be heard.
  mutating func hear(length: Duration? = .seconds(100)) {
    guard let loaded, isSounding else { return }
    sound(.opened(play: loaded.play, length: length))
    sound(.heard(play: loaded.play))
  }

  /// What is loaded comes to its end: the follower is heard, if there is one.
  mutating func playToEnd() {
    guard let loaded, isSounding else { return }
    guard let next = follower else { return sound(.ended(play: loaded.play)) }
    self.loaded = next
    follower = nil
    sound(.opened(play: next.play, length: .seconds(100)))
    sound(.heard(play: next.play))
  }

  mutating func fail() { if let loaded { sound(.failed(play: loaded.play, reason: "torn")) } }
  mutating func failFollower() { if let follower { sound(.failed(play: follower.play, reason: "torn")) } }

  /// Lets time pass, with the timers that fall into it. A stream that sounds makes progress.
  mutating func wait(_ span: Duration) {
    let end = now + span
    while now < end {
      let next = timers.min { $0.value < $1.value }
      now = max(now, min(end, next?.value ?? end, now + .seconds(1)))
      if isSounding { session(.progressed) }
      if let next, next.value <= now {
        timers[next.key] = nil
        take(player.handle(.timer(next.key), at: now))
      }
    }
  }

  private mutating func take(_ effects: [PlayerEffect]) { for effect in effects { take(effect) } }

  private mutating func take(_ effect: PlayerEffect) {
    switch effect {
    case .sound(let order): take(order)
    case .tell(let news): note(news)
    case .timer(let timer, let delay): timers[timer] = now + delay
    case .cancelTimer(let timer): timers[timer] = nil
    case .duck, .unmuteOwnStream, .muteOwnStream, .followOwnMute, .dropUnmadeStream: break
    }
  }

  private mutating func take(_ order: SoundOrder) {
    switch order {
    case .load(let playing):
      check(playing)
      (loaded, follower) = (playing, nil)
    case .follow(let play, let next):
      if play != loaded?.play { faults.append("follows \(play), which is not loaded") }
      if let next { check(next) }
      follower = next
    case .unload: (loaded, follower) = (nil, nil)
    case .cork(let isCorked): self.isCorked = isCorked
    }
  }

  private mutating func note(_ news: PlayerNews) {
    switch news {
    case .seeked(let place): log.append("seeked \(place.components.seconds)")
    case .skipped:
      log.append("skipped")
      skips += 1
    case .endedEarly(_, _, let place): log.append("broke at \(place.components.seconds)")
    case .queue(let change): if let current = change.current { log.append("\(current.cause)") }
    case .refused(let refusal): if refusal != .noOutput { log.append(refusal.rawValue) }
    default: break
    }
  }

  private mutating func check(_ playing: Playing) {
    if player.queue.entry(playing.entry.id) == nil { faults.append("\(playing.entry.id) is dead") }
  }
}

/// A player with so many entries that plays the first of them.
func playing(_ count: Int = 3, repeat: RepeatMode = .none) -> Deck {
  var deck = Deck(count, repeat: `repeat`)
  deck.order(.play)
  deck.hear()
  return deck
}
