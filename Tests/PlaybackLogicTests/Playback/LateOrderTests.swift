// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@testable import PlaybackLogic

/// What becomes of an order to play whose file takes a while, such as one on a disk that sleeps.
@Suite("Orders to play that take a while")
struct LateOrderTests {
  /// Three tracks at a laptop with headphones.
  private struct Scene {
    var playback: Playback
    var desk = Desk.laptop(jack: true)
    var now = Duration.zero

    init(isPlaying: Bool = true) {
      var queue = PlayQueue(seed: 1)
      _ = queue.append((0..<3).map { EntrySource("/music/\($0).flac") })
      playback = Playback(player: Player(queue: queue))
      send(.server(.found), world)
      send(.order(.play, by: .user), .stream(.made), world)
      send(.stream(.read(isMuted: false, serverCorks: true)))
      if !isPlaying { send(.order(.pause, by: .user)) }
    }

    var world: PlaybackEvent { .server(.world(desk.world, own: Desk.own)) }

    var state: PlaybackState { playback.player.session.state }

    mutating func send(_ events: PlaybackEvent...) {
      for event in events {
        now += .milliseconds(1)
        _ = playback.handle(event, at: now)
      }
    }

    mutating func unplug() {
      desk = desk.headphones(false)
      send(.server(.card(.changed, Card.Index(rawValue: 0))), .server(.sink(.changed, Desk.analog)), world)
      now += .milliseconds(100)
      send(.timer(.route))
    }

    mutating func call() {
      var world = desk.world
      world.sinkInputs.append(
        SinkInput(
          index: SinkInput.Index(rawValue: 99), sink: Desk.analog, properties: ["media.role": "phone"]))
      send(.server(.streams(isOurs: false)), .server(.world(world, own: Desk.own)))
    }

    mutating func sleepTimer() {
      send(.pauseLater(after: .seconds(1)))
      now += .seconds(2)
      send(.timer(.sleep))
    }
  }

  /// What happens meanwhile, and what that means for the order.
  private static let rows:
    [(name: String, hindrance: OrderMoment.Hindrance?, event: @Sendable (inout Scene) -> Void)] = [
      ("nothing", nil, { _ in }),
      ("pause", .silenced, { $0.send(.order(.pause, by: .user)) }),
      ("a phone link's pause", nil, { $0.send(.order(.pause, by: .tool("link"))) }),
      ("WirePlumber's pause", nil, { $0.send(.order(.pause, by: .wirePlumber)) }),
      ("stop", .silenced, { $0.send(.order(.stop, by: .user)) }),
      ("the headphones are pulled", .silenced, { $0.unplug() }),
      ("the lid is closed", .silenced, { $0.send(.preparesForSleep) }),
      ("the lid is closed and opened", .silenced, { $0.send(.preparesForSleep, .wokeUp) }),
      ("the sleep timer runs out", .silenced, { $0.sleepTimer() }),
      ("another track is chosen", .overtaken, { $0.send(.orderComing) }),
      ("next", .overtaken, { $0.send(.order(.next, by: .user)) }),
      ("previous on the first track, which begins it anew", nil, { $0.send(.order(.previous, by: .user)) }),
      // Many programs send Play behind each file that they open.
      ("play", nil, { $0.send(.order(.play, by: .user)) }),
      ("a seek", nil, { $0.send(.order(.seek(.seconds(5)), by: .user)) }),
      ("the volume", nil, { $0.send(.volume(.set(0.5))) }),
      ("a call", nil, { $0.call() }),
    ]

  @Test(
    "what happens meanwhile decides whether it still starts its track", arguments: 0..<rows.count,
    [true, false])
  func hindrance(row: Int, isPlaying: Bool) {
    let (name, hindrance, event) = Self.rows[row]
    var scene = Scene(isPlaying: isPlaying)
    scene.send(.orderComing)
    let moment = scene.playback.moment
    event(&scene)
    #expect(scene.playback.hindrance(since: moment) == hindrance, "\(name)")
  }

  @Test("one is pressed meanwhile that pauses what plays, or plays what is paused", arguments: [true, false])
  func toggle(isPlaying: Bool) {
    var scene = Scene(isPlaying: isPlaying)
    let moment = scene.playback.moment
    scene.send(.order(.toggle, by: .user))
    #expect(scene.playback.hindrance(since: moment) == (isPlaying ? .silenced : nil))
  }

  @Test(
    "orders that come to nothing change nothing: Next on the last track, a jump to a file that is no sound")
  func refused() {
    var scene = Scene()
    for _ in 0..<2 { scene.send(.order(.next, by: .user)) }
    scene.send(.orderComing)
    let moment = scene.playback.moment
    scene.send(.order(.next, by: .user))
    #expect(scene.playback.hindrance(since: moment) == nil)
    scene.send(.orderComing)
    #expect(scene.playback.hindrance(since: moment) == .overtaken)
    scene.send(.orderFailed(at: scene.playback.moment))
    #expect(scene.playback.hindrance(since: moment) == nil)
    // Whichever of two fails first.
    scene.send(.orderComing)
    let second = scene.playback.moment
    scene.send(.orderComing)
    let third = scene.playback.moment
    scene.send(.orderFailed(at: second))
    #expect(scene.playback.hindrance(since: moment) == .overtaken)
    scene.send(.orderFailed(at: third))
    #expect(scene.playback.hindrance(since: moment) == nil)
    // Past the end of the last track there is none.
    scene.send(.order(.seek(.seconds(100_000)), by: .user))
    #expect(scene.playback.hindrance(since: moment) == nil)
    var empty = Playback(player: Player(queue: PlayQueue(seed: 1)))
    let first = empty.moment
    _ = empty.handle(.order(.toggle, by: .user), at: .zero)
    #expect(empty.hindrance(since: first) == nil)
    _ = empty.handle(.order(.pause, by: .user), at: .zero)
    #expect(empty.hindrance(since: first) == .silenced)
  }

  @Test("so does a tap of the button that seeks while it is held, which leads to the next track")
  func tap() {
    var scene = Scene()
    let moment = scene.playback.moment
    scene.send(.order(.beginSeek(.forward), by: .user), .order(.endSeek, by: .user))
    #expect(scene.playback.hindrance(since: moment) == .overtaken)
  }

  @Test(
    "a later order keeps a jump from starting, and no queue that replaces the former one; silence keeps both")
  func refusals() {
    func refusal(_ order: PlayerOrder, _ event: PlaybackEvent) -> Refusal? {
      var scene = Scene()
      let moment = scene.playback.moment
      scene.send(event)
      return OrderOutcome(scene.playback.handle(.lateOrder(order, at: moment), at: scene.now)).refusal
    }
    let jump = PlayerOrder.jump(to: EntryID(rawValue: 1))
    #expect(
      refusal(jump, .orderComing) == .overtaken
        && refusal(jump, .order(.pause, by: .user)) == .silencedMeanwhile)
    for order in [PlayerOrder.play, .jumpAnywhere] {
      #expect(refusal(order, .orderComing) == nil)
      #expect(refusal(order, .order(.stop, by: .user)) == .silencedMeanwhile)
    }
  }

  @Test("it waits for a call that has begun since, and plays on in one that the listener knew of")
  func calls() {
    var scene = Scene()
    let moment = scene.playback.moment
    scene.call()
    #expect(scene.state == .interrupted)
    scene.send(.lateOrder(.next, at: moment))
    scene.send(.lateOrder(.play, at: moment))
    #expect(scene.state == .interrupted)
    // Whoever plays now knows that there is a call.
    scene.send(.lateOrder(.play, at: scene.playback.moment))
    #expect(scene.state == .playing)
  }
}
