// SPDX-License-Identifier: MIT
import FermataTestKit
import PlaybackLogic
import Testing

@testable import PadModel

@Suite("The pads' session")
struct SessionTests {
  @Test("D1: the first hit makes the stream, and the next ones are given to it at once")
  func firstHit() {
    var pads = Bench()
    #expect(pads.hit(2) == [.strike(2), .connect, .making])
    #expect(pads.hit(1) == [.strike(1)])
    #expect(pads.take(.streamMade(isPipeWire: false)) == [.cancel(.making), .render, .look])
    #expect(pads.hit(0) == [.strike(0), .cancel(.silence), .render])
  }

  @Test("an output that is suspended for a moment changes nothing; one that stays so ends the sounds")
  func suspension() {
    var pads = Bench.sounding(isPipeWire: false)
    #expect(pads.take(.suspended(true)) == [.timer(.suspension, after: PadSession.suspensionTime)])
    #expect(pads.take(.suspended(false)) == [.cancel(.suspension)])
    _ = pads.take(.suspended(true))
    let effects = pads.take(.timer(.suspension))
    #expect(effects.contains(.drop) && effects.contains(.announce), "\(effects)")
    #expect(pads.hit(0) == [.refuse(.interrupted(by: .suspend))])
    #expect(pads.take(.suspended(false)).contains(.disconnect))
    #expect(pads.hit(0) == [.strike(0), .connect, .making])
  }

  @Test("an output that is suspended because the stream rests is resumed by a hit")
  func suspendedAtRest() {
    var pads = Bench.sounding(isPipeWire: true)
    _ = pads.take(.fellSilent)
    _ = pads.take(.timer(.silence))
    #expect(pads.take(.suspended(true)).isEmpty)
    #expect(
      pads.hit(0) == [
        .strike(0), .cancel(.silence), .render, .cork(false),
        .timer(.suspension, after: PadSession.suspensionTime),
      ])
    #expect(pads.take(.suspended(false)) == [.cancel(.suspension)])
    #expect(pads.take(.timer(.suspension)).isEmpty)
  }

  @Test("a stream that was made early waits for the first hit")
  func prepared() {
    var pads = Bench()
    #expect(pads.take(.prepare) == [.cancel(.retry), .connect, .making])
    #expect(
      pads.take(.streamMade(isPipeWire: false)) == [
        .cancel(.making), .timer(.silence, after: .seconds(10)), .look,
      ])
    #expect(pads.take(.prepare).isEmpty)
    #expect(pads.hit(0) == [.strike(0), .cancel(.silence), .render])
  }

  @Test("PulseAudio: silence leaves the stream as it is for ten seconds, then it goes")
  func silenceOnPulseAudio() {
    var pads = Bench.sounding(isPipeWire: false)
    #expect(pads.take(.fellSilent) == [.timer(.silence, after: .seconds(10))])
    #expect(pads.take(.timer(.silence)).contains(.disconnect))
    #expect(pads.hit(0) == [.strike(0), .connect, .making])
  }

  @Test("PipeWire: silence corks the stream at once, and after a minute it goes")
  func silenceOnPipeWire() {
    var pads = Bench.sounding(isPipeWire: true)
    #expect(pads.take(.fellSilent) == [.timer(.silence, after: PadSession.drainTime)])
    #expect(
      pads.take(.timer(.silence)) == [
        .cork(true), .flush, .timer(.silence, after: .seconds(60) - PadSession.drainTime),
      ])
    #expect(pads.hit(0) == [.strike(0), .cancel(.silence), .render, .cork(false)])
    _ = pads.take(.fellSilent)
    _ = pads.take(.timer(.silence))
    #expect(pads.take(.timer(.silence)).contains(.disconnect))
  }

  @Test("PipeWire keeps a rest of what it was given, which is thrown away when it says that it ran dry")
  func ranDry() {
    var pads = Bench.sounding(isPipeWire: true)
    #expect(pads.take(.ranDry).isEmpty)
    _ = pads.take(.fellSilent)
    #expect(pads.take(.ranDry) == [.flush])
    var others = Bench.sounding(isPipeWire: false)
    _ = others.take(.fellSilent)
    #expect(others.take(.ranDry).isEmpty)
  }

  @Test("before the first answer of the server a hit waits; it sounds when the server is there")
  func startsUp() {
    var pads = Bench(isServerThere: false)
    #expect(pads.hit(3) == [.strike(3)])
    pads.around.isServerThere = true
    #expect(pads.look() == [.cancel(.retry), .connect, .making])
  }

  @Test("D2: with no server pads are disabled and what waits is dropped; they work again when it is there")
  func noServer() {
    var pads = Bench(isServerThere: false)
    _ = pads.hit(3)
    pads.around.serverError = "Connection refused"
    #expect(pads.look() == [.drop, .announce])
    #expect(pads.hit(0) == [.refuse(.noServer("Connection refused"))])
    pads.around.serverError = nil
    pads.around.isServerThere = true
    #expect(pads.look() == [.announce])
    #expect(pads.hit(0) == [.strike(0), .connect, .making])
  }

  @Test("D2: a server that goes takes the stream and what sounds with it")
  func serverLost() {
    var pads = Bench.sounding(isPipeWire: false)
    pads.around.isServerThere = false
    pads.around.serverError = "gone"
    let effects = pads.look()
    #expect(effects.contains(.disconnect) && effects.contains(.drop) && effects.last == .announce)
    #expect(pads.take(.streamEnded(reason: "gone", isKilled: false)).isEmpty)
  }

  @Test("D2: where the server makes no stream pads are disabled, and it is asked again, ever more rarely")
  func refusedStream() {
    var pads = Bench()
    _ = pads.hit(0)
    var wait = Duration.seconds(1)
    for _ in 0..<6 {
      let effects = pads.take(.streamEnded(reason: "Too large", isKilled: false))
      #expect(effects.contains(.drop) && effects.contains(.timer(.retry, after: wait)))
      #expect(pads.hit(0) == [.refuse(.noStream("Too large"))])
      #expect(pads.take(.timer(.retry)) == [.cancel(.retry), .connect, .making])
      wait = min(wait * 2, .seconds(15))
    }
    #expect(
      pads.take(.streamMade(isPipeWire: false)) == [
        .cancel(.making), .timer(.silence, after: .seconds(10)), .look, .announce,
      ])
    #expect(pads.session.refusal == nil)
  }

  @Test("D2: a server that neither makes nor refuses the stream counts as one that refuses")
  func unmade() {
    var pads = Bench()
    _ = pads.hit(0)
    let effects = pads.take(.timer(.making))
    #expect(effects.contains(.disconnect) && effects.contains(.drop) && effects.contains(.announce))
    guard case .noStream? = pads.session.refusal else {
      Issue.record("not refused")
      return
    }
  }

  @Test(
    "D3, D5: an interruption silences the pads however long it lasts, and a hit is refused with its reason; its end brings nothing back, and the next hit sounds",
    arguments: [.call, .cork, .microphone, .sleep, .suspend, .role(.a11y)] as [Interruption.Source])
  func interruption(source: Interruption.Source) {
    for isPipeWire in [false, true] {
      var pads = Bench.sounding(isPipeWire: isPipeWire)
      pads.around.holds = [source]
      let begun = pads.look()
      #expect(begun.contains(.cork(true)) && begun.contains(.drop) && begun.last == .announce)
      #expect(pads.hit(0) == [.refuse(.interrupted(by: source))])
      #expect(pads.take(.fellSilent).isEmpty)
      #expect(pads.take(.prepare).isEmpty)
      // The time of a silent stream may run out meanwhile, or not.
      if isPipeWire { #expect(pads.take(.timer(.silence)).contains(.disconnect)) }
      pads.around.holds = []
      let ended = pads.look()
      #expect(ended.last == .announce && !ended.contains(.cork(false)) && !ended.contains(.render))
      #expect(ended.contains(.disconnect) == !isPipeWire)
      #expect(pads.hit(0) == [.strike(0), .connect, .making])
    }
  }

  @Test("D4: of several interruptions the last one's end counts")
  func several() {
    var pads = Bench.sounding(isPipeWire: false)
    pads.around.holds = [.call, .microphone]
    _ = pads.look()
    pads.around.holds = [.microphone]
    #expect(pads.look() == [.announce])
    #expect(pads.hit(0) == [.refuse(.interrupted(by: .microphone))])
    pads.around.holds = []
    _ = pads.look()
    #expect(pads.session.refusal == nil)
  }

  @Test("a request of the server to our own stream counts as an interruption, too")
  func ownCork() {
    var pads = Bench.sounding(isPipeWire: false)
    #expect(pads.take(.corkRequested(true)).contains(.drop))
    #expect(pads.hit(0) == [.refuse(.interrupted(by: .cork))])
    #expect(pads.take(.corkRequested(false)).contains(.disconnect))
    #expect(pads.hit(0).contains(.strike(0)))
  }

  @Test("a Pause of a program, and WirePlumber's, is meant for the music")
  func tools() {
    var pads = Bench.sounding(isPipeWire: false)
    pads.around.holds = [.tool("kdeconnectd"), .wirePlumber]
    #expect(pads.look().isEmpty)
    #expect(pads.hit(0).contains(.strike(0)))
  }

  @Test("D6: a lost route ends what sounds and the stream; the next hit makes one on the route that is left")
  func lostRoute() {
    var pads = Bench.sounding(isPipeWire: false)
    pads.around.holds = [.route]
    #expect(pads.look() == [.cork(true)])
    #expect(pads.hit(1) == [.strike(1)])
    let lost = pads.take(.routeLost)
    #expect(lost.first == .drop && lost.last == .disconnect)
    pads.around.holds = []
    #expect(pads.look().isEmpty)
    #expect(pads.hit(0) == [.strike(0), .connect, .making])
  }

  @Test("D7: a look at the route that finds no loss lets the sounds go on")
  func foundRoute() {
    var pads = Bench.sounding(isPipeWire: false)
    pads.around.holds = [.route]
    #expect(pads.look() == [.cork(true)])
    pads.around.holds = []
    #expect(pads.look() == [.render, .cork(false)])
  }

  @Test("D7: a stream that somebody moved goes on when no loss was told")
  func moved() {
    var pads = Bench.sounding(isPipeWire: false)
    #expect(pads.take(.streamMoved) == [.timer(.verdict, after: PadSession.verdictTime)])
    #expect(pads.hit(0) == [.strike(0)])
    #expect(pads.take(.timer(.verdict)) == [.look])
    #expect(pads.take(.outputs(nil)) == [.render, .cork(false)])
  }

  @Test(
    "D6: a stream that was moved because the listener's own device is gone stops, and any other goes on",
    arguments: [
      ("headset", ["speakers"], "speakers", true), ("headset", ["speakers", "headset"], "speakers", false),
      ("headset", ["headset.hfp"], "headset.hfp", false), ("lamp", ["speakers"], "speakers", false),
      ("headset", [], nil, true),
    ] as [(String, [String], String?, Bool)])
  func movedAway(from former: String, left: [String], to now: String?, isLost: Bool) {
    func outputs(_ names: [String], _ current: String?) -> Outputs {
      Outputs(
        names.map { name in
          Route(
            sinkName: name, isPrivate: name.hasPrefix("headset"),
            device: Route.Device(name: name.hasPrefix("headset") ? "the headset" : name))
        }, current: current)
    }
    var pads = Bench.sounding(isPipeWire: false)
    #expect(pads.take(.outputs(outputs([former, "speakers"], former))).isEmpty)
    _ = pads.take(.streamMoved)
    #expect(pads.take(.timer(.verdict)) == [.look])
    let effects = pads.take(.outputs(outputs(left, now)))
    #expect(isLost ? effects.first == .drop : effects == [.render, .cork(false)], "\(effects)")
  }

  @Test("D7: a move is waited out as long as the route is looked at")
  func movedAndLooked() {
    var pads = Bench.sounding(isPipeWire: false)
    _ = pads.take(.streamMoved)
    pads.around.holds = [.route]
    #expect(pads.look().isEmpty)
    #expect(pads.take(.timer(.verdict)) == [.look] && pads.take(.outputs(nil)).isEmpty)
    pads.around.holds = []
    #expect(pads.look() == [.render, .cork(false)])
  }

  @Test("without an output that anyone could hear a hit is refused")
  func noOutput() {
    var pads = Bench.sounding(isPipeWire: false)
    pads.around.hasOutput = false
    _ = pads.take(.routeLost)
    #expect(pads.look().last == .announce)
    #expect(pads.hit(0) == [.refuse(.noOutput)])
  }

  @Test("a stream that somebody ended in a mixer is made anew by the next hit")
  func killed() {
    var pads = Bench.sounding(isPipeWire: false)
    #expect(pads.take(.streamEnded(reason: "killed", isKilled: true)).contains(.drop))
    #expect(pads.session.refusal == nil)
    #expect(pads.hit(0) == [.strike(0), .connect, .making])
  }

  @Test("without a kit a hit is refused; another kit gets a new stream, as its rate may be another")
  func kits() {
    var pads = Bench.sounding(isPipeWire: false)
    #expect(pads.take(.kit(problem: nil)).suffix(4) == [.disconnect, .cancel(.retry), .connect, .making])
    #expect(pads.take(.kit(problem: "no such folder")).last == .announce)
    #expect(pads.hit(0) == [.refuse(.noKit("no such folder"))])
  }

  @Test("whatever happens, a silent session keeps one timer and nothing sounds that nobody struck since")
  func randomWalk() {
    for seed in 0..<400 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var pads = Bench()
      for _ in 0..<200 { pads.step(&random) }
    }
  }
}

/// Drives a session, and carries its effects out on a naive stream, mixer and clock.
private struct Bench {
  var session = PadSession()
  var around = PadSurroundings()
  private var timers: [PadTimer: Duration] = [:]
  private var hasStream = false
  private var isMade = false
  private var isCorked = false
  /// Whether something was struck and neither dropped nor heard to its end.
  private var sounds = false
  private var isAskedToLook = false

  init(isServerThere: Bool = true) {
    around.isServerThere = isServerThere
    around.holds = isServerThere ? [] : [.server]
    _ = look()
  }

  static func sounding(isPipeWire: Bool) -> Bench {
    var bench = Bench()
    _ = bench.hit(0)
    _ = bench.take(.streamMade(isPipeWire: isPipeWire))
    return bench
  }

  mutating func hit(_ pad: Int) -> [PadEffect] { take(.hit(pad)).filter { $0 != .cancel(.retry) } }
  mutating func look() -> [PadEffect] { take(.surroundings(around)) }

  mutating func take(_ event: PadEvent) -> [PadEffect] {
    if case .timer(let timer) = event { timers[timer] = nil }
    if case .streamMade = event { isMade = true }
    if case .streamMoved = event { isCorked = true }
    if case .fellSilent = event { sounds = false }
    if case .outputs = event { isAskedToLook = false }
    let effects = session.handle(event)
    for effect in effects { perform(effect) }
    return effects
  }

  private mutating func perform(_ effect: PadEffect) {
    switch effect {
    case .connect:
      #expect(!hasStream, "a second stream")
      (hasStream, isMade, isCorked) = (true, false, false)
    case .disconnect: (hasStream, isMade, isCorked, isAskedToLook) = (false, false, false, false)
    case .look:
      #expect(hasStream)
      isAskedToLook = true
    case .cork(let corked):
      #expect(hasStream)
      isCorked = corked
    case .strike: sounds = true
    case .render: #expect(hasStream && session.refusal == nil)
    case .drop: sounds = false
    case .timer(let timer, let delay): timers[timer] = delay
    case .cancel(let timer): timers[timer] = nil
    case .flush: #expect(!sounds, "a sound is thrown away")
    case .fadeOut, .refuse, .announce: break
    }
  }

  mutating func step(_ random: inout SeededGenerator) {
    let sources: [Interruption.Source] = [.call, .route, .microphone, .server, .refusal, .tool("x")]
    switch Int.random(in: 0..<13, using: &random) {
    case 0, 1, 2: _ = hit(Int.random(in: 0..<4, using: &random))
    case 3: if hasStream, !isMade { _ = take(.streamMade(isPipeWire: Bool.random(using: &random))) }
    case 4: if sounds, isMade, !isCorked { _ = take(.fellSilent) }
    case 5:
      around.holds = Set(sources.filter { _ in Int.random(in: 0..<5, using: &random) == 0 })
      around.isServerThere = Int.random(in: 0..<8, using: &random) > 0
      around.serverError = around.isServerThere ? nil : "gone"
      around.hasOutput = Int.random(in: 0..<8, using: &random) > 0
      _ = look()
    case 6:
      if let timer = timers.keys.sorted(by: { "\($0)" < "\($1)" }).randomElement(using: &random) {
        _ = take(.timer(timer))
      }
    case 7: _ = take(.routeLost)
    case 8: if isMade { _ = take(.streamMoved) }
    case 9: if hasStream { _ = take(.streamEnded(reason: "x", isKilled: Bool.random(using: &random))) }
    case 11: if isAskedToLook { _ = take(.outputs(nil)) }
    case 10: _ = take(Bool.random(using: &random) ? .stop : .ranDry)
    default: _ = take(.prepare)
    }
    check()
  }

  private func check() {
    if session.refusal != nil { #expect(!sounds, "sounds although \(session.refusal!)") }
    // What was struck gets its stream, or is dropped.
    if sounds, around.isServerThere { #expect(hasStream) }
    // A stream that sounds nothing is given up some time.
    if isMade, !sounds { #expect(timers[.silence] != nil, "a stream for ever") }
    if isMade, sounds, isCorked {
      let isJudged = timers[.verdict] != nil || isAskedToLook
      #expect(around.holds.contains(.route) || isJudged, "corked for ever")
    }
    if hasStream, !isMade { #expect(timers[.making] != nil) }
  }
}

extension PadEffect {
  fileprivate static let making = PadEffect.timer(.making, after: PadSession.patience)
}
