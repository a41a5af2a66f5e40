// SPDX-License-Identifier: MIT
import MediaModel
@testable import PlaybackLogic

/// Three entries, the first of which is an hour long, played by an engine that does what it is told.
struct ResumeScene {
  var playback: Playback
  var now = Duration.zero
  var desk = Desk.laptop(jack: false)
  var loaded: Playing?
  var follower: Playing?
  /// What was stored, in order, as words.
  var stored: [String] = []
  var seeked: [Duration] = []
  var timers: [PlaybackTimer: Duration] = [:]

  init(_ places: [String: Duration]? = [:], repeats: RepeatMode = .none) {
    var queue = PlayQueue(seed: 1, repeat: repeats)
    _ = queue.append((0..<3).map { EntrySource("/music/\($0).flac") })
    playback = Playback(player: Player(queue: queue))
    send(.places(places))
    send(.server(.found))
    send(.server(.world(desk.world, own: Desk.own)))
  }

  mutating func send(_ event: PlaybackEvent) {
    now += .milliseconds(1)
    take(playback.handle(event, at: now))
  }

  mutating func order(_ order: PlayerOrder) { send(.order(order, by: .user)) }

  mutating func edit(fromBeginning: Bool = false, _ edit: (inout PlayQueue) -> QueueChange) {
    now += .milliseconds(1)
    take(playback.edit(at: now, fromBeginning: fromBeginning, edit))
  }

  mutating func rename(_ location: String, to new: String) {
    take(playback.relocate([FileRenaming(from: location, to: new)], at: now))
  }

  mutating func noteLeft(_ moment: Player.Moment) { take(playback.noteLeft(moment, at: now)) }

  private mutating func take(_ effects: [PlaybackEffect]) {
    for effect in effects {
      switch effect {
      case .sound(.load(let playing)): (loaded, follower) = (playing, nil)
      case .sound(.follow(_, let next)): follower = next
      case .sound(.unload): (loaded, follower) = (nil, nil)
      case .keepPlace(let location, let place):
        // To the second: each event of the scene takes a millisecond.
        let seconds = place.map { ($0 + .milliseconds(500)).components.seconds }
        stored.append("\(location) \(seconds.map(String.init) ?? "forgotten")")
      case .tell(.seeked(let place)): seeked.append(place)
      case .timer(let timer, let delay): timers[timer] = now + delay
      case .cancelTimer(let timer): timers[timer] = nil
      default: break
      }
    }
  }

  mutating func stream() {
    send(.stream(.made))
    send(.server(.world(desk.world, own: Desk.own)))
    send(.stream(.read(isMuted: false, serverCorks: true)))
  }

  mutating func hear(length: Int, kind: MediaType = .music) {
    guard let loaded else { return }
    send(.sound(.opened(play: loaded.play, length: .seconds(length))))
    send(.kind(loaded.entry.id, kind))
    send(.sound(.heard(play: loaded.play)))
  }

  /// The sound moves again, after a pause.
  mutating func move() {
    guard let loaded else { return }
    send(.sound(.position(play: loaded.play, playback.player.place(at: now), isMoving: true)))
  }

  /// The listener hears it for this time.
  mutating func wait(_ time: Duration) {
    let end = now + time
    while let due = timers[.place], due <= end {
      now = due
      timers[.place] = nil
      send(.timer(.place))
    }
    now = max(now, end)
  }

  /// Where what is loaded begins, to the second.
  var start: Int? { loaded.map { Int(($0.start + .milliseconds(500)).components.seconds) } }

  var place: Int { Int(playback.player.place(at: now).components.seconds) }
}
