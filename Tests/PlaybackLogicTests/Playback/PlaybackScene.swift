// SPDX-License-Identifier: MIT
import AudioModel

@testable import PlaybackLogic

/// Playback of three tracks at a desk with loudspeakers, and what it wanted done since it was last asked.
struct PlaybackScene {
  var playback: Playback
  var desk = Desk.laptop(jack: false)
  var now = Duration.zero

  init(volume: Double? = nil, repeat: RepeatMode = .none) {
    var queue = PlayQueue(seed: 1, repeat: `repeat`)
    _ = queue.append((0..<3).map { EntrySource("/music/\($0).flac") })
    playback = Playback(player: Player(queue: queue), volume: volume)
  }

  /// At the first server, with a route and a stream that plays.
  static func playing(volume: Double? = nil, repeat: RepeatMode = .none) -> PlaybackScene {
    var scene = PlaybackScene(volume: volume, repeat: `repeat`)
    scene.send(.server(.found), scene.world)
    scene.send(.order(.play, by: .user), .stream(.made), scene.world)
    scene.send(.stream(.read(isMuted: false, serverCorks: true)))
    return scene
  }

  var world: PlaybackEvent { .server(.world(desk.world, own: desk.hasStream ? Desk.own : nil)) }

  /// Our stream as it stands in the server's world, changed like this.
  func world(_ change: (inout SinkInput) -> Void) -> PlaybackEvent {
    var world = desk.world
    for at in world.sinkInputs.indices { change(&world.sinkInputs[at]) }
    return .server(.world(world, own: Desk.own))
  }

  @discardableResult
  mutating func send(_ events: PlaybackEvent...) -> [String] {
    var made: [PlaybackEffect] = []
    for event in events {
      now += .milliseconds(1)
      made += playback.handle(event, at: now)
    }
    return made.compactMap(Self.words)
  }

  /// An effect in words; nil for a timer.
  static func words(_ effect: PlaybackEffect) -> String? {
    switch effect {
    case .sound(.load(let playing)): "load \(playing.entry.id.rawValue)"
    case .sound(.follow(_, let next)): "then \(next.map { "\($0.entry.id.rawValue)" } ?? "nothing")"
    case .sound(.unload): "unload"
    case .sound(.cork(let isCorked)): isCorked ? "cork" : "uncork"
    case .tell(let news): "tell " + words(news)
    case .measure(let entry): "measure \(entry.id.rawValue)"
    case .learned(let entry, let length): "learned \(entry.rawValue) \(length.components.seconds)"
    case .timer, .cancelTimer: nil
    default: "\(effect)"
    }
  }

  private static func words(_ news: PlayerNews) -> String {
    switch news {
    case .queue: "queue"
    case .route(let change, _): change.reason.rawValue
    case .interruptionBegan(let told): "\(told.source.text) began"
    case .interruptionEnded(let told, _): "\(told.source.text) ended"
    default: "\(news)"
    }
  }
}
