// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@testable import PlaybackLogic

@Suite("Route classifier")
struct RouteClassifierTests {
  @Test("every row of the table has its reason", arguments: RouteRow.all)
  func row(_ row: RouteRow) {
    var replay = Replay(settledOn: row.start)
    let before = replay.classifier.route
    replay.play(row.trace, until: 20_000)
    #expect(replay.reasons == row.reasons)
    #expect(replay.pauses == row.pauses)
    #expect(replay.holds == row.holds)
    #expect(replay.timeOfFirstChange == row.told)
    #expect(row.reasons.isEmpty || replay.changes.first?.previous == before)
    #expect(!replay.classifier.isHolding)
  }

  // MARK: The server

  private let usb = Desk.laptop(jack: false).addingUSB().playing(on: Desk.usb)

  @Test(
    "a server that comes back with the same sink and port is told of as lost and reset, and nothing pauses")
  func serverReturns() {
    let back = usb.renumbered()
    var replay = Replay(settledOn: usb)
    replay.play(
      [
        Moment(0, .serverLost), Moment(10, .serverLost), Moment(100, .serverFound),
        Moment(101, back.addingNull().playing(on: Desk.null).read),
        Moment(165, .moved(to: back.stream ?? Desk.null)),
        Moment(166, back.read),
      ], until: 20_000)
    #expect(replay.reasons == [.mediaServicesWereLost, .mediaServicesWereReset])
    #expect(!replay.pauses)
    #expect(replay.holds == "+0 -166")
    #expect(replay.classifier.route == replay.changes.first?.previous)
  }

  @Test(
    "a server that comes back with our stream on the same filter is no loss, whatever the filter still hides")
  func serverReturnsWithFilter() {
    var replay = Replay(settledOn: usb.behindFilter())
    replay.play(
      [
        Moment(0, .serverLost), Moment(100, .serverFound),
        Moment(101, Desk.laptop(jack: false).behindDarkFilter().read),
      ], until: 20_000)
    #expect(replay.reasons == [.mediaServicesWereLost, .mediaServicesWereReset])
    #expect(!replay.pauses && replay.holds == "+0 -101")
  }

  @Test("the first server whose loudspeakers are hidden behind a filter is waited for a tenth of a second")
  func firstServerWithFilter() {
    var replay = Replay()
    replay.play(
      [Moment(0, .serverFound), Moment(1, Desk.laptop(jack: false).behindDarkFilter().read)], until: 20_000)
    #expect(replay.reasons == [.unknown] && replay.timeOfFirstChange == 100)
    #expect(replay.classifier.route?.sinkName == "equalizer")
  }

  @Test("a server that comes back without the old sink is a loss after two seconds, told once")
  func serverReturnsWithoutDevice() {
    let back = Desk.laptop(jack: false).renumbered()
    var replay = Replay(settledOn: usb)
    replay.play(
      [
        Moment(0, .serverLost), Moment(100, .serverFound), Moment(101, back.read),
        Moment(700, .serverChanged), Moment(701, back.read),
      ], until: 20_000)
    #expect(replay.reasons == [.mediaServicesWereLost, .mediaServicesWereReset, .oldDeviceUnavailable])
    #expect(replay.changes.map(\.pauses) == [false, true, true])
    #expect(replay.changes.last?.previous?.sinkName == "usb")
    #expect(replay.changes.last?.current?.sinkName == "analog")
    #expect(replay.holds == "+0 -2100")
  }

  @Test("the same sink with an empty jack is not the same route")
  func serverReturnsWithEmptyJack() {
    var replay = Replay(settledOn: Desk.laptop(jack: true))
    replay.play(
      [
        Moment(0, .serverLost), Moment(100, .serverFound),
        Moment(101, Desk.laptop(jack: false).renumbered().read),
      ], until: 20_000)
    #expect(replay.reasons == [.mediaServicesWereLost, .mediaServicesWereReset, .oldDeviceUnavailable])
  }

  @Test("nothing is settled before the device is there again, and a server that dies meanwhile was lost once")
  func serverDiesTwice() {
    let back = usb.renumbered()
    var replay = Replay(settledOn: usb)
    let noStream = back.with { $0.hasStream = false }
    replay.play([
      Moment(0, .serverLost), Moment(100, .serverFound), Moment(101, noStream.read),
      Moment(150, .serverLost), Moment(300, .serverFound), Moment(301, noStream.read),
    ])
    #expect(replay.holds == "+0")
    replay.play([Moment(310, .streamReady), Moment(311, back.read)], until: 20_000)
    #expect(replay.reasons == [.mediaServicesWereLost, .mediaServicesWereReset])
    #expect(replay.holds == "+0 -311")
  }

  @Test("a late answer of the dead server is not believed")
  func lateAnswer() {
    var replay = Replay(settledOn: usb)
    replay.play([Moment(0, .serverLost), Moment(1, Desk.laptop(jack: false).read)], until: 20_000)
    #expect(replay.reasons == [.mediaServicesWereLost])
    #expect(replay.classifier.route == nil)
  }

  @Test("at the first connection the stand-in for no output gets two seconds")
  func firstConnection() {
    let nothing = Desk().addingNull().playing(on: Desk.null)
    var replay = Replay(settledOn: nothing)
    #expect(replay.classifier.route == nil)
    var fresh = RouteClassifier()
    #expect(fresh.handle(.serverFound, at: .zero).contains(.readWorld))
    #expect(fresh.handle(nothing.read, at: .milliseconds(1)).isEmpty)
    let outputs = fresh.handle(.timer, at: .seconds(2))
    #expect(outputs == [.change(RouteChange(.noSuitableRouteForCategory, from: nil, to: nil, pauses: true))])
    replay.play([Moment(0, .moved(to: Desk.usb)), Moment(1, usb.read)], until: 20_000)
    #expect(replay.reasons == [.newDeviceAvailable])
  }

  @Test("whoever plugs something in and then moves the sound there has moved it, and a late plug is a plug")
  func ordered() throws {
    let desk = Desk.laptop(jack: false)
    let plugged = desk.addingUSB()
    let name = try #require(plugged.sinks.first { $0.index == Desk.usb }).name
    for (wait, reason) in [(100, RouteChange.Reason.override), (3_200, .newDeviceAvailable)] {
      var replay = Replay(settledOn: desk)
      replay.play(
        [
          Moment(0, .ordered(sinkNamed: name)), Moment(wait, .sink(.new, Desk.usb)),
          Moment(wait + 1, plugged.read),
          Moment(wait + 100, .moved(to: Desk.usb)), Moment(wait + 101, plugged.playing(on: Desk.usb).read),
        ], until: 20_000)
      #expect(replay.reasons == [reason], "\(wait)")
    }
  }

  @Test("a plug that is pulled while the reading of an earlier change is under way is a loss")
  func lateReading() {
    let (plugged, empty) = (Desk.laptop(jack: true), Desk.laptop(jack: false))
    var replay = Replay(settledOn: plugged)
    replay.play(
      [
        Moment(0, .sink(.changed, Desk.analog)), Moment(110, .sink(.changed, Desk.analog)),
        Moment(120, plugged.read), Moment(130, empty.read),
      ], until: 20_000)
    #expect(replay.reasons == [.oldDeviceUnavailable] && replay.pauses)
    #expect(replay.holds == "+130 -180")
  }

  // MARK: Our stream

  @Test("a stream that somebody ended on purpose is no route change")
  func terminated() {
    var replay = Replay(settledOn: usb)
    replay.play(
      [Moment(0, .streamEnded(killed: true)), Moment(1, usb.with { $0.hasStream = false }.read)],
      until: 20_000)
    #expect(replay.time(of: .terminated) == 1)
    #expect(replay.changes.isEmpty)
    #expect(replay.holds == "+0 -1", "its successor must not sound before that is known")
  }

  @Test(
    "the same on loudspeakers that a plugged jack has muted, and on an empty socket where somebody wanted music"
  )
  func terminatedWhereNothingIsPlugged() {
    let silenced = Desk.laptop(jack: true).port("speaker")
    let empty = Desk.laptop(jack: true).headphones(false).port("headphones")
    for start in [silenced, empty] {
      var replay = Replay(settledOn: start)
      replay.play(
        [Moment(0, .streamEnded(killed: true)), Moment(1, start.with { $0.hasStream = false }.read)],
        until: 20_000)
      #expect(replay.time(of: .terminated) == 1)
      #expect(replay.changes.isEmpty)
    }
  }

  @Test("the device of wanted music can be lost while there is no stream, as after Next in a call")
  func lostBetweenStreams() {
    let none = usb.with { $0.hasStream = false }
    let gone = Desk.laptop(jack: false).with { $0.hasStream = false }
    for isWanted in [true, false] {
      func read(_ desk: Desk) -> RouteEvent { .world(desk.world, ownInput: nil, isWanted: isWanted) }
      var replay = Replay(settledOn: usb)
      replay.play([Moment(0, .sink(.changed, Desk.analog)), Moment(1, read(none))], until: 1_000)
      #expect(replay.changes.isEmpty)
      #expect(replay.classifier.route?.sinkName == (isWanted ? "usb" : "analog"))
      replay.play([Moment(6_000, .sink(.removed, Desk.usb)), Moment(6_001, read(gone))], until: 20_000)
      #expect(replay.reasons == (isWanted ? [.oldDeviceUnavailable] : []))
      #expect(replay.classifier.route?.sinkName == "analog")
    }
  }

  @Test(
    "a list that still has our stream where it was, after the server has said that it was moved, is not believed"
  )
  func laggingList() {
    let desk = Desk.laptop(jack: false).addingUSB()
    var replay = Replay(settledOn: desk)
    replay.play(
      [
        Moment(0, .moved(to: Desk.usb)), Moment(1, desk.read), Moment(20, .sink(.changed, Desk.usb)),
        Moment(21, desk.read),
      ],
      until: 3_000)
    #expect(replay.reasons == [.override] && replay.classifier.route?.sinkName == "usb")
    replay.forget()
    replay.play(
      [Moment(3_000, .sink(.removed, Desk.usb)), Moment(3_001, Desk.laptop(jack: false).read)], until: 20_000)
    #expect(replay.reasons == [.oldDeviceUnavailable])
  }

  @Test("the word on a move holds for that stream only, not for the next one")
  func anotherStreamAfterMove() {
    let desk = Desk.laptop(jack: false).addingUSB()
    let next = SinkInput.Index(rawValue: 8)
    var world = desk.world
    world.sinkInputs = [SinkInput(index: next, sink: Desk.analog)]
    var replay = Replay(settledOn: desk)
    replay.play(
      [
        Moment(0, .moved(to: Desk.usb)), Moment(1, desk.playing(on: Desk.usb).read),
        Moment(300, .streamReady), Moment(301, .world(world, ownInput: next)),
      ], until: 3_000)
    #expect(replay.classifier.route?.sinkName == "analog")
  }

  @Test("without a stream the sound goes to the output that was chosen, which can be lost")
  func chosenWithoutStream() {
    let desk = Desk.laptop(jack: false).addingUSB().with { $0.hasStream = false }
    let chosen = RouteEvent.world(desk.world, ownInput: nil, chosenSink: "usb")
    var replay = Replay(settledOn: desk)
    replay.play(
      [Moment(0, .ordered(sinkNamed: "usb")), Moment(1, .chosen), Moment(2, chosen)], until: 1_000)
    #expect(replay.reasons == [.override])
    replay.play([Moment(1_000, .wokeUp)], until: 2_000)
    #expect(replay.changes.last?.current?.sinkName == "usb")
    replay.forget()
    let gone = Desk.laptop(jack: false).with { $0.hasStream = false }
    replay.play(
      [
        Moment(3_000, .sink(.removed, Desk.usb)),
        Moment(3_001, .world(gone.world, ownInput: nil, chosenSink: "usb")),
      ], until: 20_000)
    #expect(replay.reasons == [.oldDeviceUnavailable])
  }

  @Test("a stream that ended before its move was seen: the chosen output can be lost all the same")
  func endedBeforeMoveWasSeen() {
    let desk = Desk.laptop(jack: false).addingUSB()
    var replay = Replay(settledOn: desk)
    func chosen(_ desk: Desk) -> RouteEvent {
      .world(desk.with { $0.hasStream = false }.world, ownInput: nil, chosenSink: "usb", isWanted: true)
    }
    replay.play(
      [
        Moment(0, .ordered(sinkNamed: "usb")), Moment(1, .moved(to: Desk.usb)), Moment(2, .chosen),
        Moment(3, .streamEnded(killed: false)), Moment(4, chosen(desk)), Moment(5, chosen(desk)),
      ], until: 1_000)
    #expect(replay.reasons == [.override] && replay.classifier.route?.sinkName == "usb")
    replay.forget()
    replay.play(
      [Moment(3_000, .sink(.removed, Desk.usb)), Moment(3_001, chosen(Desk.laptop(jack: false)))],
      until: 20_000)
    #expect(replay.reasons == [.oldDeviceUnavailable])
  }

  @Test("the same where that output goes before its move is told", arguments: [true, false])
  func goneBeforeMoveIsTold(isSeenThere: Bool) {
    let desk = Desk.laptop(jack: false).addingUSB()
    var replay = Replay(settledOn: desk)
    func chosen(_ desk: Desk) -> RouteEvent {
      .world(desk.with { $0.hasStream = false }.world, ownInput: nil, chosenSink: "usb", isWanted: true)
    }
    let first = isSeenThere ? desk.playing(on: Desk.usb).read : chosen(desk)
    replay.play(
      [
        Moment(0, .ordered(sinkNamed: "usb")), Moment(1, .moved(to: Desk.usb)), Moment(2, first),
        Moment(10, .streamEnded(killed: false)), Moment(20, .chosen), Moment(21, chosen(desk)),
        Moment(30, .sink(.removed, Desk.usb)), Moment(31, chosen(Desk.laptop(jack: false))),
      ], until: 20_000)
    #expect(replay.reasons == [.override, .oldDeviceUnavailable])
  }

  @Test("a killed stream is terminated, also while the default is something that came a moment ago")
  func terminatedBesideNewDevice() {
    let start = Desk.laptop(jack: false)
    var replay = Replay(settledOn: start)
    let new = start.addingUSB().with { $0.defaultSink = "usb" }
    replay.play([Moment(0, .sink(.new, Desk.usb)), Moment(1, new.read)], until: 500)
    #expect(replay.changes.isEmpty)
    replay.forget()
    replay.play(
      [Moment(500, .streamEnded(killed: true)), Moment(501, new.with { $0.hasStream = false }.read)],
      until: 20_000)
    #expect(replay.time(of: .terminated) == 501)
    #expect(replay.changes.isEmpty)
    #expect(replay.classifier.route?.sinkName == "usb")
  }

  @Test("a stream that was killed because its sink went is a loss, not somebody's order")
  func killedWithItsSink() {
    var replay = Replay(settledOn: usb)
    let gone = Desk.laptop(jack: false).with { $0.hasStream = false }
    replay.play([Moment(0, .streamEnded(killed: true)), Moment(1, gone.read)], until: 20_000)
    #expect(replay.time(of: .terminated) == nil)
    #expect(replay.reasons == [.oldDeviceUnavailable])
    #expect(replay.holds == "+0 -50")
  }

  @Test(
    "a stream that is made on another sink has not moved, but losing the old device in that moment counts")
  func anotherStream() {
    let other = Desk.laptop(jack: false).addingUSB()
    let none = usb.with { $0.hasStream = false }
    var replay = Replay(settledOn: usb)
    replay.play([
      Moment(0, .streamEnded(killed: false)), Moment(5, .sink(.changed, Desk.usb)), Moment(6, none.read),
    ])
    replay.play([Moment(10, .streamReady), Moment(11, other.read)], until: 1_000)
    #expect(replay.changes.isEmpty)
    #expect(replay.classifier.route?.sinkName == "analog")

    replay = Replay(settledOn: usb)
    let gone = Desk.laptop(jack: false).with { $0.hasStream = false }
    replay.play([Moment(0, .sink(.removed, Desk.usb)), Moment(1, gone.read)], until: 1_000)
    #expect(replay.reasons == [.oldDeviceUnavailable])
  }

  @Test(
    "what is plugged in is told also where our stream has been dropped meanwhile, as a seek in a pause does")
  func pluggedWithoutStream() {
    var replay = Replay(settledOn: Desk.laptop(jack: false))
    let plugged = Desk.laptop(jack: true).with { $0.hasStream = false }
    replay.play([Moment(0, .sink(.changed, Desk.analog)), Moment(1, plugged.read)], until: 5_000)
    #expect(replay.reasons == [.newDeviceAvailable])
  }

  @Test("what comes and goes at once is a loss for a stream that went there, and nothing where there is none")
  func rattled() {
    let away = Desk.laptop(jack: false)
    for hasStream in [true, false] {
      var replay = Replay(settledOn: away.with { $0.hasStream = hasStream })
      let (plugged, pulled) = (Desk.laptop(jack: true), away)
      replay.play(
        [
          Moment(0, .sink(.changed, Desk.analog)), Moment(1, plugged.with { $0.hasStream = hasStream }.read),
          Moment(30, .sink(.changed, Desk.analog)), Moment(31, pulled.with { $0.hasStream = hasStream }.read),
        ], until: 5_000)
      #expect(replay.reasons == (hasStream ? [.newDeviceAvailable, .oldDeviceUnavailable] : []))
      #expect(replay.classifier.route?.portName == "speaker")
    }
  }

  @Test("a stream that is made where the sound was does not lose what the default had been for a moment")
  func madeOnTheOldWay() {
    let speakers = Desk.laptop(jack: false)
    let turned = speakers.addingUSB().with {
      $0.hasStream = false; $0.defaultSink = "usb"
    }
    var replay = Replay(settledOn: speakers.with { $0.hasStream = false })
    replay.play([Moment(0, .sink(.new, Desk.usb)), Moment(1, turned.read), Moment(20, .streamReady)])
    // While that is read, the other one goes.
    replay.play(
      [
        Moment(21, .sink(.removed, Desk.usb)), Moment(22, speakers.addingUSB().read),
        Moment(23, speakers.read),
      ], until: 5_000)
    #expect(replay.changes.isEmpty)
  }

  @Test(
    "a stream that a policy keeps linked to nothing is on its old way, and is compared with it afterwards")
  func unlinked() {
    var replay = Replay(settledOn: usb)
    let unlinked = usb.playing(on: nil).read
    replay.play(
      [Moment(0, .moved(to: Desk.usb)), Moment(1, unlinked), Moment(101, unlinked)], until: 5_000)
    #expect(replay.changes.isEmpty)
    #expect(replay.holds == "+0 -101")
    #expect(replay.classifier.route?.sinkName == "usb")
    replay.play(
      [Moment(9_000, .moved(to: Desk.analog)), Moment(9_001, Desk.laptop(jack: false).read)], until: 10_000)
    #expect(replay.reasons == [.oldDeviceUnavailable])
  }

  @Test(
    "a new stream that is linked late is known by then, so that a move of it is told",
    arguments: [true, false])
  func linkedLate(isTold: Bool) {
    let silent = Desk.laptop(jack: false).addingUSB()
    var replay = Replay(settledOn: silent.with { $0.hasStream = false })
    replay.play([Moment(0, .streamReady), Moment(1, silent.playing(on: nil).read)])
    if isTold {
      replay.play([Moment(30, .streamChanged), Moment(31, silent.read)], until: 5_000)
    } else {
      replay.play([], until: 100)
      #expect(replay.said.last?.output == .readWorld, "the reading is as old as the stream")
      replay.play([Moment(101, silent.read)], until: 5_000)
    }
    #expect(replay.changes.isEmpty)
    replay.play(
      [Moment(6_000, .moved(to: Desk.usb)), Moment(6_001, silent.playing(on: Desk.usb).read)], until: 10_000)
    #expect(replay.reasons == [.override])
  }

  @Test("where the link may have come during a reading that does not show it, another is made")
  func linkedWhileRead() {
    let speakers = Desk.laptop(jack: false)
    var replay = Replay(settledOn: usb)
    replay.play([
      Moment(0, .sink(.removed, Desk.usb)), Moment(1, .streamChanged),
      Moment(2, speakers.playing(on: nil).read),
    ])
    #expect(replay.said.filter { $0.output == .readWorld }.count == 2)
    replay.play([Moment(3, speakers.read)], until: 5_000)
    #expect(replay.reasons == [.oldDeviceUnavailable])
    #expect(replay.classifier.route?.sinkName == "analog")
  }

  @Test("what happens to a stream that is linked asks for nothing")
  func linkedStreamChanges() {
    var replay = Replay(settledOn: usb)
    replay.play([Moment(0, .streamChanged)], until: 5_000)
    #expect(replay.said.isEmpty)
  }

  @Test("an empty socket is no route, also where it stays the active one, and its device can come back")
  func emptySocket() {
    let jack = Desk.laptop(jack: true)
    var replay = Replay(settledOn: jack)
    replay.play(
      [Moment(0, .sink(.changed, Desk.analog)), Moment(1, jack.jack("headphones", .no).read)], until: 5_000)
    #expect(replay.changes.map(\.current) == [nil])
    #expect(replay.classifier.route == nil)
    replay.play([Moment(6_000, .sink(.changed, Desk.analog)), Moment(6_001, jack.read)], until: 10_000)
    #expect(replay.reasons == [.oldDeviceUnavailable, .newDeviceAvailable])
    #expect(replay.classifier.route == replay.changes.first?.previous)
  }

  @Test("a reading that was overtaken may alarm, and may not calm")
  func overtaken() {
    var replay = Replay(settledOn: usb)
    let still = usb.playing(on: Desk.analog)
    replay.play([Moment(0, .moved(to: Desk.analog)), Moment(1, .serverChanged), Moment(2, still.read)])
    #expect(replay.holds == "+0")
    replay.play([Moment(3, Desk.laptop(jack: false).read)], until: 1_000)
    #expect(replay.reasons == [.oldDeviceUnavailable])

    replay = Replay(settledOn: Desk.laptop(jack: true))
    let out = Desk.laptop(jack: true).headphones(false)
    replay.play([Moment(0, .serverChanged), Moment(1, .serverChanged), Moment(2, out.read)])
    #expect(replay.holds == "+2")
  }

  @Test("while the server never stops talking, the verdict comes with the first answer after 100 ms")
  func noisyServer() {
    var replay = Replay(settledOn: usb)
    let gone = Desk.laptop(jack: false)
    let noise = (0..<100).flatMap { [Moment($0 * 4 + 1, .serverChanged), Moment($0 * 4 + 2, gone.read)] }
    replay.play([Moment(0, .moved(to: Desk.analog))] + noise, until: 20_000)
    #expect(replay.reasons == [.oldDeviceUnavailable])
    #expect(replay.timeOfFirstChange == 102)
  }

  @Test("a route says what it is, without the server's numbers")
  func routes() {
    let jack = Replay(settledOn: Desk.laptop(jack: true)).classifier.route
    #expect(jack?.isPrivate == true)
    #expect(jack?.device == Route.Device(name: "pci", port: "headphones"))
    #expect(Replay(settledOn: Desk.laptop(jack: false)).classifier.route?.isPrivate == false)
    let bluetooth = Replay(settledOn: Desk().addingA2DP().playing(on: Desk.a2dp)).classifier.route
    let other = Replay(settledOn: Desk().addingHandsfree().playing(on: Desk.handsfree)).classifier.route
    #expect(bluetooth?.device == other?.device)
    #expect(bluetooth?.isPrivate == true)
    #expect(Replay(settledOn: usb).classifier.route == Replay(settledOn: usb.renumbered()).classifier.route)
  }
}
