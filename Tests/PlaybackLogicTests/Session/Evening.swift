// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit

@testable import PlaybackLogic

/// An evening at the desk: classifier, watcher and session wired as an agent does it, a server that answers late, people
/// and programs that come between, and at every moment the question whether anybody hears what they should not.
struct Evening {
  enum Item {
    case step(ModelServer.Deed, ModelServer.Step)
    case answer(life: Int)
    case routeTimer(number: Int)
    case sessionTimer(number: Int)
  }

  private(set) var server: ModelServer
  private(set) var classifier = RouteClassifier()
  private(set) var session: Session
  private var watcher = CallWatcher()
  private var ledger = Ledger()
  private var random: SeededGenerator

  private(set) var now = 0
  private var agenda: [(time: Int, item: Item)] = []
  private var routeTimers = 0
  private var sessionTimers = 0
  private var isAlive = false
  /// Answers that were asked of a server that has died since never come.
  private var life = 0
  private(set) var isCallGoingOn = false
  private var wasPlayedInCall = false
  private var isHeld = false

  /// What the user wants, as anybody would say it.
  private var isWanted = false
  /// When the listener's device went and the sound with it, until somebody plays again.
  private var spill: Int?
  /// Since when the sound has been going to the listener alone. What was so for some milliseconds, nobody could know.
  private var privateSince: Int?
  /// What was lost last, until something else is told.
  private var lost: Route.Device?
  /// What happened last, for the report.
  private var trail: [(time: Int, what: Told)] = []
  /// What has gone wrong.
  private(set) var complaint: String?

  init(seed: UInt64, isPipeWire: Bool, settings: SessionSettings = SessionSettings()) {
    random = SeededGenerator(seed: seed)
    server = ModelServer(isPipeWire: isPipeWire)
    session = Session(settings: settings)
  }

  enum Told {
    case world(stream: Sink.Index?)
    case route(RouteEvent)
    case said([RouteOutput])
    case session(SessionEvent)
  }

  var report: String { trail.suffix(30).map { "\($0.time) \($0.what)" }.joined(separator: "\n") }

  private mutating func note(_ what: Told) {
    if trail.count > 1_000 { trail.removeFirst(900) }
    trail.append((now, what))
  }

  // MARK: Time

  /// Lets some milliseconds pass, with everything that is due in them.
  mutating func pass(_ milliseconds: Int) {
    let end = now + milliseconds
    while complaint == nil, let next = agenda.first, next.time <= end {
      agenda.removeFirst()
      now = max(now, next.time)
      run(next.item)
      check()
    }
    now = end
  }

  private mutating func plan(_ item: Item, after wait: Int) {
    let time = now + wait
    agenda.insert((time, item), at: agenda.firstIndex { $0.time > time } ?? agenda.endIndex)
  }

  private mutating func run(_ item: Item) {
    switch item {
    case .step(let deed, let step): run(step, of: deed)
    case .answer(let life): if isAlive, life == self.life { answer() }
    case .routeTimer(let number): if number == routeTimers { tell(RouteEvent.timer) }
    case .sessionTimer(let number): if number == sessionTimers { tell(SessionEvent.timer) }
    }
  }

  // MARK: The desk

  mutating func doRandomly() {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<9: plan(ModelServer.Deed.allCases.randomElement(using: &random) ?? .volume)
    case 9..<12: userPlays()
    case 12: userPauses()
    case 13, 14: ring(!isCallGoingOn)
    case 15: tell(random.chance(50) ? SessionEvent.pause(by: .tool("link")) : .play(by: .tool("link")))
    case 16: closeLid()
    case 17: if random.chance(30) { isAlive ? die() : rise() }
    case 18: tell(random.chance(50) ? SessionEvent.progressed : .userActed)
    default: if !isAlive { rise() }
    }
    check()
  }

  private mutating func plan(_ deed: ModelServer.Deed) {
    var wait = 0
    for step in server.steps(of: deed) {
      wait += step.wait
      plan(.step(deed, step), after: wait)
    }
  }

  private mutating func run(_ step: ModelServer.Step, of deed: ModelServer.Deed) {
    let wasPrivate = privateSince.map { now > $0 + 8 } ?? false
    let events = step.act(&server)
    switch deed {
    case .jackOut, .usbOut, .bluetoothOut, .bluetoothProfile:
      if wasPrivate, !isPrivate { spill = now }
    default: break
    }
    if isAlive { events.forEach { tell($0) } }
    if isPrivate { spill = nil }
    let isHeard = session.holds[.server] == nil
    privateSince = isPrivate ? privateSince ?? (isHeard ? now : nil) : nil
  }

  private var isPrivate: Bool { server.desk.stream != nil && !server.isPublic }

  private mutating func die() {
    isAlive = false
    life += 1
    watcher.serverLost().forEach { tell($0) }
    tell(RouteEvent.serverLost)
  }

  mutating func rise() {
    guard !isAlive else { return }
    isAlive = true
    tell(.serverFound(makesStream: true))
    listen()
  }

  private mutating func answer() { tell(.world(server.desk.world, ownInput: Desk.own)) }

  // MARK: People and programs

  private mutating func userPlays() {
    if session.hasOutput { isWanted = true }
    spill = nil
    wasPlayedInCall = true
    tell(.play(by: .user))
  }

  private mutating func userPauses() {
    isWanted = false
    tell(.pause(by: .user))
  }

  private mutating func ring(_ rings: Bool) {
    isCallGoingOn = rings
    if rings { wasPlayedInCall = false }
    guard isAlive else { return }
    // PulseAudio may lose the end.
    if !server.isPipeWire, rings || random.chance(50) { tell(rings ? .began(.cork) : .ended(.cork)) }
    listen()
  }

  private mutating func listen() {
    var world = server.desk.world
    if isCallGoingOn {
      world.sinkInputs.append(
        SinkInput(
          index: SinkInput.Index(rawValue: 99), sink: Desk.analog, properties: ["media.role": "phone"]))
    }
    watcher.handle(world, ownClient: nil, ownInputs: [Desk.own]).forEach { tell($0) }
  }

  private mutating func closeLid() {
    isWanted = false
    tell(SessionEvent.preparesForSleep)
    tell(SessionEvent.wokeUp)
    tell(RouteEvent.wokeUp)
  }

  // MARK: The wiring

  private mutating func tell(_ event: RouteEvent) {
    let outputs = classifier.handle(event, at: .milliseconds(now))
    if case .world = event { note(.world(stream: server.desk.stream)) } else { note(.route(event)) }
    note(.said(outputs))
    for output in outputs {
      switch output {
      case .readWorld: plan(.answer(life: life), after: Int.random(in: 1...3, using: &random))
      case .hold: holdOnce(true)
      case .release: holdOnce(false)
      case .timer(let wait):
        routeTimers += 1
        plan(.routeTimer(number: routeTimers), after: Int(wait / .milliseconds(1)))
      case .change(let change): tell(change)
      case .terminated: tell(.streamTerminated)
      }
    }
  }

  private mutating func holdOnce(_ holds: Bool) {
    if isHeld == holds { complaint = "a hold that is not balanced" }
    isHeld = holds
    tell(holds ? SessionEvent.routeHeld : .routeReleased)
  }

  private mutating func tell(_ change: RouteChange) {
    if change.pauses { isWanted = false }
    let lost = change.reason == .oldDeviceUnavailable ? change.previous?.device : nil
    if let lost, lost == self.lost { complaint = "a loss told twice" }
    // It may be there again by the time that its loss is told.
    self.lost = change.current?.device == lost ? nil : lost
    tell(.routeChanged(change))
  }

  private mutating func tell(_ event: SessionEvent) {
    let outputs = session.handle(event, at: .milliseconds(now))
    note(.session(event))
    complaint = complaint ?? ledger.enter(outputs)
    for case .timer(let wait) in outputs {
      sessionTimers += 1
      plan(.sessionTimer(number: sessionTimers), after: max(1, Int(wait / .milliseconds(1))))
    }
  }

  // MARK: The question

  private mutating func check() {
    if session.isSounding, !isWanted { complaint = "sounds unwanted" }
    if session.isSounding, isCallGoingOn, !wasPlayedInCall { complaint = "sounds in a call" }
    if session.isSounding, !isAlive { complaint = "sounds without a server" }
    // The jack is known only when it was asked for.
    if let spill, now > spill + 8, isAlive, !session.isCorked, server.isPublic {
      complaint = "the whole room hears it"
    }
    if !ledger.agrees(with: session) { complaint = "the session disagrees with what it told" }
  }

  /// After some quiet seconds everything has to be settled.
  mutating func checkRest() {
    guard complaint == nil, isAlive else { return }
    if isHeld || classifier.isHolding || session.holds[.route] != nil { complaint = "held for ever" }
    if classifier.route != Landing(server.reading).route { complaint = "a wrong route" }
    let holds = session.holds.keys.filter { $0 != .stall }
    if isWanted, !isCallGoingOn, holds.contains(where: \.isWatched) { complaint = "a call that never ends" }
  }
}
