// SPDX-License-Identifier: MIT
import Testing

@testable import PlaybackLogic

/// A way through an interruption, and what is the case at its end.
struct SessionRow: CustomTestStringConvertible {
  let name: String
  var playing = true
  let events: [SessionEvent]
  let state: PlaybackState
  var why: SilenceReason?
  /// How each interruption that was told ended.
  var ends: [InterruptionEnd] = []
  /// Which changes of the route paused it.
  var pausedBy: [RouteChange.Reason] = []

  var testDescription: String { name }
}

private typealias Row = SessionRow

let interruptionRows: [SessionRow] = [
  Row(name: "I1: it begins", events: [.began(.cork)], state: .interrupted, why: .interrupted(by: .cork)),
  Row(name: "I2: it ends", events: [.began(.cork), .ended(.cork)], state: .playing, ends: [.resumes]),
  Row(
    name: "I3: its end never comes, and the user's Play ends it", events: [.began(.cork), .userPlays],
    state: .playing,
    ends: [.overruled]),
  Row(
    name: "I3: its end never comes, and the watcher sees the last stream go",
    events: [.began(.cork), .rolesWentQuiet],
    state: .playing, ends: [.resumes]),
  Row(name: "I5: it may be ducked", events: [.duckBegan(.role(.event))], state: .playing),
  Row(
    name: "I7: the user pauses during it", events: [.began(.cork), .userPauses, .ended(.cork)],
    state: .paused,
    why: .paused(by: .user), ends: [.staysSilent]),
  Row(
    name: "I8: the user plays during it, and its end says nothing more",
    events: [.began(.cork), .userPlays, .ended(.cork)], state: .playing, ends: [.overruled]),
  Row(
    name: "I8: the user pauses and plays during it", events: [.began(.cork), .userPauses, .userPlays],
    state: .playing,
    ends: [.overruled]),
  Row(
    name: "I8: what the user ended stays ended, also after a pause",
    events: [.began(.call), .userPlays, .userPauses, .userPlays], state: .playing, ends: [.overruled]),
  Row(
    name: "I9: several, and one ends", events: [.began(.cork), .began(.call), .ended(.cork)],
    state: .interrupted,
    why: .interrupted(by: .call)),
  Row(
    name: "I9: several, and the last ends",
    events: [.began(.cork), .began(.call), .ended(.cork), .ended(.call)],
    state: .playing, ends: [.resumes]),
  Row(
    name: "I9: the same one twice is one",
    events: [.began(.cork), .began(.cork), .ended(.cork), .ended(.cork)],
    state: .playing, ends: [.resumes]),
  Row(
    name: "I10: it begins while paused", playing: false, events: [.began(.cork), .ended(.cork)],
    state: .paused,
    why: .paused(by: .restored), ends: [.staysSilent]),
  Row(
    name: "I11: a skip during it", events: [.began(.cork), .userActed], state: .interrupted,
    why: .interrupted(by: .cork)),
  Row(
    name: "I11: a skip during it, and it ends", events: [.began(.cork), .userActed, .ended(.cork)],
    state: .playing,
    ends: [.resumes]),
  Row(
    name: "I12: the route is lost during it", events: [.began(.call), .lost(.usb), .ended(.call)],
    state: .paused,
    why: .paused(by: .route), ends: [.staysSilent], pausedBy: [.oldDeviceUnavailable]),
  Row(
    name: "I13: it goes on when playback is asked for", playing: false, events: [.began(.call), .userPlays],
    state: .interrupted, why: .interrupted(by: .call)),
  Row(
    name: "I13: playback starts at its end", playing: false,
    events: [.began(.call), .userPlays, .ended(.call)],
    state: .playing, ends: [.resumes]),
  Row(
    name: "I13: playback starts on a second Play", playing: false,
    events: [.began(.call), .userPlays, .userPlays],
    state: .playing, ends: [.overruled]),
  Row(
    name: "I13: the toggle is a second Play as well", playing: false,
    events: [.began(.call), .toggle(by: .user), .toggle(by: .user)], state: .playing, ends: [.overruled]),
  Row(
    name: "I15: a phone link pauses", events: [.pause(by: .tool("link"))], state: .interrupted,
    why: .interrupted(by: .tool("link"))),
  Row(
    name: "I15: and resumes its own pause", events: [.pause(by: .tool("link")), .play(by: .tool("link"))],
    state: .playing, ends: [.resumes]),
  Row(
    name: "I15: but not another's", events: [.pause(by: .tool("link")), .play(by: .tool("other"))],
    state: .interrupted,
    why: .interrupted(by: .tool("link"))),
  Row(
    name: "I15: nor the user's", events: [.userPauses, .pause(by: .tool("link")), .play(by: .tool("link"))],
    state: .paused, why: .paused(by: .user)),
  Row(
    name: "I15: nor a call's", events: [.began(.call), .pause(by: .tool("link")), .play(by: .tool("link"))],
    state: .interrupted, why: .interrupted(by: .call)),
  Row(
    name: "I15: nor a route's", events: [.lost(.usb), .pause(by: .tool("link")), .play(by: .tool("link"))],
    state: .paused, why: .paused(by: .route), pausedBy: [.oldDeviceUnavailable]),
  Row(
    name: "I15: the button on the phone is its user's", playing: false, events: [.toggle(by: .tool("link"))],
    state: .playing),
  Row(
    name: "I15: also after the user's pause, and twice",
    events: [.userPauses, .toggle(by: .tool("link")), .toggle(by: .tool("link"))], state: .interrupted,
    why: .interrupted(by: .tool("link"))),
  Row(
    name: "I15: and what the button paused and the user began, it pauses",
    events: [.toggle(by: .tool("link")), .userPlays, .toggle(by: .tool("link"))], state: .interrupted,
    why: .interrupted(by: .tool("link")), ends: [.resumes]),
  Row(
    name: "I15: what the button paused and a loss keeps paused, it begins",
    events: [.toggle(by: .tool("link")), .lost(.usb), .toggle(by: .tool("link"))], state: .playing,
    ends: [.resumes], pausedBy: [.oldDeviceUnavailable]),
  Row(
    name: "I15: and what the user has paused since",
    events: [.toggle(by: .tool("link")), .userPauses, .toggle(by: .tool("link"))], state: .playing,
    ends: [.resumes]),
  Row(
    name: "I15: a phone link takes its own pause back by the toggle",
    events: [.pause(by: .tool("link")), .toggle(by: .tool("link"))], state: .playing, ends: [.resumes]),
  Row(
    name: "I15: which pauses nothing where the user has played since",
    events: [.pause(by: .tool("link")), .userPlays, .toggle(by: .tool("link"))], state: .playing,
    ends: [.resumes]),
  Row(
    name: "I15: and plays nothing where the user has paused since",
    events: [.pause(by: .tool("link")), .userPauses, .toggle(by: .tool("link"))], state: .paused,
    why: .paused(by: .user), ends: [.staysSilent]),
  Row(
    name: "I15: the user's Play ends a tool's pause", events: [.pause(by: .tool("link")), .userPlays],
    state: .playing,
    ends: [.resumes]),
  Row(
    name: "WirePlumber's Pause and the loss that it belongs to count once",
    events: [
      .routeHeld, .pause(by: .wirePlumber), .lost(.usb), .routeReleased(sinkIsGone: true),
      .play(by: .wirePlumber),
    ],
    state: .paused,
    why: .paused(by: .route), pausedBy: [.oldDeviceUnavailable]),
  Row(
    name: "WirePlumber's Pause may come before anything is known of the loss",
    events: [.pause(by: .wirePlumber), .routeHeld, .lost(.usb), .routeReleased(sinkIsGone: true)],
    state: .paused, why: .paused(by: .route), pausedBy: [.oldDeviceUnavailable]),
  Row(
    name: "a loss after the user's Pause is not what paused it",
    events: [.userPauses, .lost(.usb)], state: .paused, why: .paused(by: .user)),
  Row(
    name: "of two losses the first paused it", events: [.lost(.usb, now: .headphones), .lost(.headphones)],
    state: .paused, why: .paused(by: .route), pausedBy: [.oldDeviceUnavailable]),
  Row(
    name: "after both the user's one Play is enough",
    events: [
      .routeHeld, .pause(by: .wirePlumber), .lost(.usb), .routeReleased(sinkIsGone: true), .userPlays,
    ], state: .playing,
    pausedBy: [.oldDeviceUnavailable]),
  Row(
    name: "WirePlumber's Pause for a profile switch goes with it",
    events: [.routeHeld, .pause(by: .wirePlumber), .routeReleased(sinkIsGone: true)], state: .playing),
  Row(
    name: "WirePlumber's Pause alone holds until its own Play", events: [.pause(by: .wirePlumber)],
    state: .interrupted,
    why: .interrupted(by: .wirePlumber)),
  Row(
    name: "WirePlumber's Play ends its own Pause",
    events: [.pause(by: .wirePlumber), .play(by: .wirePlumber)],
    state: .playing),
  Row(name: "a look at the route shows nowhere", events: [.routeHeld], state: .playing),
  Row(
    name: "the user stops during it", events: [.began(.cork), .stop(by: .user), .ended(.cork)],
    state: .stopped, why: .stopped(.ordered(by: .user)), ends: [.staysSilent]),
  Row(
    name: "nothing can be played", events: [.ranOut(.unplayable)], state: .stopped, why: .stopped(.unplayable)
  ),
  Row(name: "the music ends", events: [.ranOut(.finished)], state: .stopped, why: .stopped(.finished)),
  Row(
    name: "whoever stops it afterwards has stopped it", events: [.ranOut(.finished), .stop(by: .user)],
    state: .stopped, why: .stopped(.ordered(by: .user))),
  Row(
    name: "a program stops it", events: [.stop(by: .tool("Phone link"))], state: .stopped,
    why: .stopped(.ordered(by: .tool("Phone link")))),
  Row(
    name: "our stream is ended in a mixer", events: [.streamTerminated], state: .paused,
    why: .paused(by: .terminated)),
  Row(
    name: "the sleep timer pauses, and says so", events: [.sleepTimerEnded], state: .paused,
    why: .paused(by: .sleepTimer)),
  Row(
    name: "a call's end does not play what the sleep timer paused during it",
    events: [.began(.call), .sleepTimerEnded, .ended(.call)], state: .paused,
    why: .paused(by: .sleepTimer), ends: [.staysSilent]),
  Row(name: "another route does not stop the music", events: [.plugged(.usb)], state: .playing),
  Row(
    name: "the stream is moved in mid-call, and the call's end still ends it",
    events: [
      .began(.cork), .began(.call), .routeHeld,
      .routeChanged(RouteChange(.override, from: .usb, to: .speakers)), .routeReleased(sinkIsGone: true),
      .ended(.call),
      .rolesWentQuiet,
    ], state: .playing, ends: [.resumes]),
  Row(
    name: "sleep pauses, and waking up does not play", events: [.preparesForSleep, .wokeUp], state: .paused,
    why: .paused(by: .sleep), ends: [.staysSilent]),
  Row(
    name: "a call that is over after waking up does not play",
    events: [.began(.call), .preparesForSleep, .wokeUp, .ended(.call)], state: .paused,
    why: .paused(by: .sleep),
    ends: [.staysSilent]),
  Row(
    name: "the output is suspended and comes back", events: [.began(.suspend), .ended(.suspend)],
    state: .playing,
    ends: [.resumes]),
  Row(
    name: "the output comes back by sounding", events: [.began(.suspend), .progressed], state: .playing,
    ends: [.resumes]),
  Row(
    name: "an idle output that is suspended is none of it", playing: false,
    events: [.began(.suspend), .userPlays],
    state: .playing),
  Row(name: "the server is gone", events: [.serverLost], state: .interrupted, why: .interrupted(by: .server)),
  Row(
    name: "no Play brings it back", events: [.serverLost, .userPlays, .userPlays], state: .interrupted,
    why: .interrupted(by: .server)),
  Row(name: "the server is back", events: [.serverLost, .serverReset], state: .playing, ends: [.resumes]),
  Row(
    name: "the server is back without the listener's device",
    events: [
      .serverLost,
      .routeChanged(RouteChange(.mediaServicesWereReset, from: nil, to: .speakers, pauses: true)),
      .lost(.usb),
    ], state: .paused, why: .paused(by: .route), ends: [.staysSilent], pausedBy: [.oldDeviceUnavailable]),
  Row(
    name: "a call that died with the server", events: [.began(.cork), .serverLost, .serverReset],
    state: .playing,
    ends: [.resumes]),
  Row(
    name: "nothing is left to play on", events: [.lost(.usb, now: nil), .nothingLeft], state: .paused,
    why: .noOutput, pausedBy: [.oldDeviceUnavailable]),
  Row(
    name: "Play with nothing to play on is not kept for whatever is plugged in",
    events: [.lost(.usb, now: nil), .nothingLeft, .userPlays, .plugged(.usb)], state: .paused,
    why: .paused(by: .route), pausedBy: [.oldDeviceUnavailable]),
]

extension SessionEvent {
  fileprivate static let nothingLeft = SessionEvent.routeChanged(
    RouteChange(.noSuitableRouteForCategory, from: nil, to: nil, pauses: true))
}

@Suite("Session")
struct SessionTests {
  @Test("every row of the table comes out as it says", arguments: interruptionRows)
  func row(_ row: SessionRow) {
    var played = Played(playing: row.playing)
    played.send(row.events)
    #expect(played.session.state == row.state)
    #expect(played.session.why == row.why)
    #expect(played.ends == row.ends)
    #expect(played.pausedBy == row.pausedBy)
    #expect(played.session.isSounding == (row.state == .playing && played.session.holds.isEmpty))
  }

  @Test("our stream is unmuted before the end of a call is told")
  func order() {
    var played = Played(playing: true)
    played.send(.began(.cork))
    #expect(
      played.said == [
        .timer(after: .milliseconds(200)), .interruptionBegan(ToldInterruption(.cork, wasPlaying: true)),
      ])
    played.forget()
    played.send(.ended(.cork))
    #expect(
      played.said == [
        .unmuteOwnStream, .timer(after: .seconds(3)),
        .interruptionEnded(ToldInterruption(.cork, wasPlaying: true), .resumes),
      ])
  }

  @Test("a call with two signs is one interruption, which tells what was heard before the first")
  func oneInterruption() {
    var played = Played(playing: true)
    played.send(.began(.cork), .began(.call), .ended(.call), .ended(.cork))
    #expect(
      played.said.filter { if case .timer = $0 { false } else { $0 != .unmuteOwnStream } } == [
        .interruptionBegan(ToldInterruption(.cork, wasPlaying: true)),
        .interruptionEnded(ToldInterruption(.cork, .call, wasPlaying: true), .resumes),
      ])
  }

  @Test("a cork whose reason is still looked for is silence that nobody is told of, for a moment")
  func corkLook() {
    var session = Session(intent: .paused(by: .restored))
    _ = session.handle(.routeChanged(RouteChange(.unknown, from: nil, to: .speakers)), at: .zero)
    _ = session.handle(.userPlays, at: .zero)
    _ = session.handle(.began(.cork), at: .seconds(1))
    #expect(session.isCorked && session.state == .playing && session.why == nil)
    // No answer came in time.
    #expect(
      session.handle(.timer, at: .seconds(2))
        == [.interruptionBegan(ToldInterruption(.cork, wasPlaying: true))])
    #expect(session.state == .interrupted)
  }

  @Test("while paused nothing is interrupted that played")
  func pausedBefore() {
    var played = Played()
    played.send(.began(.cork))
    #expect(played.said.last == .interruptionBegan(ToldInterruption(.cork, wasPlaying: false)))
  }

  @Test("whoever plays during a call that is going on is told what it waits for, once")
  func waiting() {
    var played = Played()
    played.send(.began(.call), .userPlays)
    #expect(played.count(.waiting(for: .call)) == 1)
    played.send(.userPlays)
    #expect(played.count(.waiting(for: .call)) == 1)
    #expect(played.session.isSounding)
  }

  @Test(
    "before the first server nothing plays, its coming is no end of anything, and what was asked for starts")
  func firstServer() {
    var session = Session()
    #expect(session.handle(.userPlays, at: .zero) == [.waiting(for: .server)])
    #expect(session.state == .interrupted)
    let change = RouteChange(.unknown, from: nil, to: .speakers)
    let effects = session.handle(.routeChanged(change), at: .seconds(1))
    #expect(effects == [.routeChanged(change, paused: false), .timer(after: .seconds(3))])
    #expect(session.isSounding && !session.isCorked)
  }

  @Test("too many programs that pause are not kept apart, and only the user plays again")
  func manyTools() {
    var played = Played(playing: true)
    for number in 0..<40 { played.send(.pause(by: .tool("\(number)"))) }
    #expect(played.session.holds.count == Session.toolLimit)
    for number in 0..<40 { played.send(.play(by: .tool("\(number)"))) }
    #expect(played.session.why == .paused(by: .tool("16")))
    played.send(.userPlays)
    #expect(played.session.isSounding)
  }

  @Test("what outward faces show is one of three to MPRIS")
  func mpris() {
    #expect(
      PlaybackState.allCases.map(\.mpris) == [.stopped, .playing, .paused, .paused, .playing, .playing])
  }
}
