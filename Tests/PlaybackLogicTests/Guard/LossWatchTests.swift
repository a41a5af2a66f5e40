// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@testable import PlaybackLogic

@Suite("Losses of other programs")
struct LossWatchTests {
  /// The rows in which another program's stream is treated otherwise than ours, and how many losses are seen there.
  private static let exceptions = [
    // Ours was silenced until it was clear what happened. Another one would have been heard.
    "the jack rattles, and the headphones are back at once": 1,
    "PipeWire: the session manager is restarted, and another device is there first": 1,
    "PipeWire: the session manager is restarted, and a USB headset is back with the rest": 1,
    "PipeWire: the session manager is restarted, and a USB headset is the last to go": 1,
  ]

  @Test(
    "every row of the table of routes, for a stream that is not ours",
    arguments: RouteRow.all)
  func row(_ row: RouteRow) {
    var watched = Watched(row.start)
    watched.play(row.trace)
    let losses = row.reasons.count { $0 == .oldDeviceUnavailable }
    #expect(watched.losses.count == Self.exceptions[row.name] ?? losses)
  }

  private let headphones = Desk.laptop(jack: true)
  private let usb = Desk.laptop(jack: false).addingUSB().playing(on: Desk.usb)
  private var speakers: Desk { Desk.laptop(jack: false) }

  @Test("a loss tells what was lost, and whether the stream was playing")
  func facts() throws {
    var watched = Watched(usb)
    watched.read(speakers.playing(on: nil), at: 0)
    let loss = try #require(watched.losses.first)
    #expect(loss.route.sinkName == "usb")
    #expect(loss.isRunning)
    #expect(loss.program.process == 70)
  }

  @Test("a paused stream has not been playing, whatever PipeWire shows of a stream without a link")
  func paused() {
    var watched = Watched(usb, isCorked: true)
    watched.read(speakers.playing(on: nil), at: 0)
    #expect(watched.losses.map(\.isRunning) == [false])
  }

  @Test("a device that is gone is a loss at once, and a profile that changes only after a second")
  func patience() {
    var watched = Watched(Desk.laptop(jack: false).addingA2DP().playing(on: Desk.a2dp))
    watched.read(speakers.addingA2DP().without(Desk.a2dp), at: 0)
    #expect(watched.losses.isEmpty)
    #expect(watched.due == 1_000)
    watched.fireTimers(until: 999)
    #expect(watched.losses.isEmpty)
    watched.fireTimers(until: 1_000)
    #expect(watched.losses.count == 1)
    var off = Watched(Desk.laptop(jack: false).addingA2DP().playing(on: Desk.a2dp))
    off.read(speakers.addingA2DP().without(Desk.a2dp).profile("off", of: 2), at: 0)
    #expect(off.losses.count == 1)
    var gone = Watched(Desk.laptop(jack: false).addingA2DP().playing(on: Desk.a2dp))
    gone.read(speakers, at: 0)
    #expect(gone.losses.count == 1)
  }

  @Test("a stream that was seen elsewhere just before its device is gone has lost it")
  func tornReading() {
    var watched = Watched(usb)
    watched.read(usb.playing(on: Desk.analog), at: 0)
    watched.read(speakers, at: 20)
    #expect(watched.losses.count == 1)
    var later = Watched(usb)
    later.read(usb.playing(on: Desk.analog), at: 0)
    later.read(speakers, at: 200)
    #expect(later.losses.isEmpty)
  }

  @Test("the streams of calls, of short sounds, of the server and of ourselves are not looked at")
  func others() {
    for role in ["phone", "event", "a11y", "notification", "announcement"] {
      var watched = Watched(usb, properties: ["media.role": role])
      watched.read(speakers.playing(on: nil), at: 0)
      #expect(watched.losses.isEmpty, "\(role)")
    }
    // A player of ours in another program pauses by itself, and goes on where its program wants that.
    var inside = Watched(usb, properties: [StreamProgram.selfGuardedKey: "game"])
    inside.read(speakers.playing(on: nil), at: 0)
    #expect(inside.losses.isEmpty)
    var server = Watched(usb, client: nil)
    server.read(speakers, at: 0)
    #expect(server.losses.isEmpty)
    var own = Watched(usb, client: Watched.ownClient)
    own.read(speakers, at: 0)
    #expect(own.losses.isEmpty)
  }

  // MARK: Streams whose moves nobody reports

  @Test("PipeWire: a native stream that is linked anew before the world is read has lost its device")
  func linkedAnew() {
    var watched = Watched(usb, isNative: true)
    watched.read(speakers.playing(on: Desk.analog), at: 0)
    #expect(watched.losses.count == 1)
  }

  @Test("PipeWire: a native stream that a reading has shown elsewhere since has lost nothing")
  func movedAway() {
    var watched = Watched(usb, isNative: true)
    watched.read(usb.playing(on: Desk.analog), at: -5_000)
    watched.read(speakers.playing(on: Desk.analog), at: 0)
    #expect(watched.losses.isEmpty)
  }

  @Test("PipeWire: a native stream that had been moved there unseen has lost it")
  func movedThere() {
    var watched = Watched(usb.playing(on: Desk.analog), isNative: true)
    watched.read(speakers.playing(on: nil), at: 0)
    watched.read(speakers.playing(on: Desk.analog), at: 5)
    #expect(watched.losses.map(\.route.sinkName) == ["usb"])
  }

  @Test("PipeWire: a native stream that had been moved to the headphones in the jack unseen has lost them")
  func movedToJack() {
    let both = headphones.addingUSB()
    var watched = Watched(both.playing(on: Desk.usb), isNative: true)
    watched.read(both.headphones(false).playing(on: Desk.analog), at: 0)
    #expect(watched.losses.map(\.route.portName) == ["headphones"])
  }

  @Test("PipeWire: a native stream whose link nobody reported was on the default output")
  func linkedUnseen() {
    var pulled = Watched(headphones.playing(on: nil), isNative: true)
    pulled.read(headphones.headphones(false).playing(on: Desk.analog), at: 0)
    #expect(pulled.losses.map(\.route.portName) == ["headphones"])
    var gone = Watched(usb.playing(on: nil).with { $0.defaultSink = "usb" }, isNative: true)
    gone.read(speakers.playing(on: Desk.analog), at: 0)
    #expect(gone.losses.map(\.route.sinkName) == ["usb"])
  }

  @Test(
    "PipeWire: after another default, or a lost link, the world is read once more, for native streams only")
  func linkedLater() {
    let other = usb.with { $0.defaultSink = "analog" }
    var chosen = Watched(usb.with { $0.defaultSink = "usb" }, isNative: true)
    chosen.read(other, at: 0)
    chosen.read(other, at: 20)
    #expect(chosen.due == 100)
    chosen.read(other.playing(on: Desk.analog), at: 100)
    chosen.read(speakers.playing(on: Desk.analog), at: 9_000)
    #expect(chosen.losses.isEmpty)
    var unlinked = Watched(usb, isNative: true)
    unlinked.read(usb.playing(on: nil), at: 0)
    #expect(unlinked.due == 100)
    unlinked.fireTimers(until: 5_000)
    #expect(unlinked.due == nil)
    var pulse = Watched(usb.with { $0.defaultSink = "usb" })
    pulse.read(other.playing(on: nil), at: 0)
    #expect(pulse.due == nil)
  }

  @Test("PipeWire: a stream that begins where there is no output loses nothing with the sink that stands in")
  func beginsOnNothing() {
    let nothing = speakers.without(Desk.analog)
    for start in [nothing.addingNull().playing(on: nil), nothing.addingNull().playing(on: Desk.null)] {
      var watched = Watched(start.with { $0.defaultSink = Sink.nullSinkName }, isNative: true)
      watched.read(nothing.playing(on: nil), at: 0)
      watched.read(nothing.addingNull().playing(on: Desk.null), at: 20)
      #expect(watched.losses.isEmpty)
    }
  }

  @Test("PipeWire: a native stream that stays where it is loses it like any other")
  func nativeLoss() {
    var watched = Watched(usb, isNative: true)
    watched.read(speakers.playing(on: nil), at: 0)
    watched.read(speakers.playing(on: Desk.analog), at: 5)
    #expect(watched.losses.count == 1)
  }

  @Test("headphones and headset in one jack: another port of it within 50 ms is no loss, none is one")
  func sharedJack() {
    let combined = headphones.with { desk in
      desk.sinks[0].ports.append(Port(name: "headset", kind: .headset, availability: .no))
      desk.cards[0].ports.append(Port(name: "headset", kind: .headset, availability: .no))
    }.jack("headphones", .yes, group: "jack").jack("headset", .no, group: "jack")
    let out = combined.headphones(false)
    var other = Watched(combined)
    other.read(out, at: 0)
    other.read(out.jack("headset", .yes).port("headset"), at: 10)
    other.fireTimers(until: 5_000)
    #expect(other.losses.isEmpty)
    var none = Watched(combined)
    none.read(out, at: 0)
    none.fireTimers(until: 49)
    #expect(none.losses.isEmpty)
    none.fireTimers(until: 50)
    #expect(none.losses.count == 1)
  }
}

/// A watch over the desk's one stream, which belongs to another program.
private struct Watched {
  static let client = AudioClient.Index(rawValue: 70)
  static let ownClient = AudioClient.Index(rawValue: 1)

  private(set) var losses: [LossWatch.Loss] = []
  private var watch = LossWatch()
  private var last: Desk
  private let client: AudioClient.Index?
  private let isCorked: Bool
  private let isNative: Bool
  private let properties: [String: String]

  /// A watch that has seen this desk ten seconds ago.
  init(
    _ desk: Desk, isCorked: Bool = false, isNative: Bool = false, client: AudioClient.Index? = client,
    properties: [String: String] = [:]
  ) {
    last = desk
    self.isCorked = isCorked
    self.isNative = isNative
    self.client = client
    self.properties = properties
    read(desk, at: -10_000)
  }

  /// When the watch wants another reading, in milliseconds.
  var due: Int? { watch.due.map { Int($0 / .milliseconds(1)) } }

  mutating func read(_ desk: Desk, at time: Int) {
    last = desk
    hand(world(of: desk), at: time)
  }

  /// Hands in the readings of a trace, and the same reading again when a timer is due.
  mutating func play(_ trace: [Moment]) {
    for moment in trace {
      fireTimers(until: moment.time)
      if case .world(let world, _, _, _) = moment.event {
        var desk = last
        (desk.sinks, desk.cards) = (world.sinks, world.cards)
        let stream = world.sinkInput(Desk.own)
        (desk.stream, desk.hasStream) = (stream?.sink, stream != nil)
        (desk.others, desk.defaultSink) = (
          world.sinkInputs.filter { $0.index != Desk.own }, world.server.defaultSink
        )
        read(desk, at: moment.time)
      }
    }
    fireTimers(until: 20_000)
  }

  mutating func fireTimers(until time: Int) {
    while let next = due, next <= time {
      let isDue = watch.takeDue(at: .milliseconds(next))
      #expect(isDue)
      hand(world(of: last), at: next)
    }
  }

  private mutating func hand(_ world: AudioWorld, at time: Int) {
    losses += watch.handle(world, own: nil, at: .milliseconds(time))
  }

  private func world(of desk: Desk) -> AudioWorld {
    var world = desk.world
    world.ownClient = Self.ownClient
    if isNative { world.server.name = "PulseAudio (on PipeWire 0.3.65)" }
    world.clients = [
      AudioClient(
        index: Self.client, name: "player",
        properties: isNative
          ? ["client.api": "pipewire", "pipewire.sec.pid": "70"] : ["application.process.id": "70"])
    ]
    for at in world.sinkInputs.indices where world.sinkInputs[at].index == Desk.own {
      world.sinkInputs[at].client = client
      world.sinkInputs[at].isCorked = isCorked || isNative && world.sinkInputs[at].sink == nil
      world.sinkInputs[at].properties = properties
    }
    return world
  }
}
