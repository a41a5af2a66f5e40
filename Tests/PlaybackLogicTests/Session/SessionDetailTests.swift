// SPDX-License-Identifier: MIT
import Testing

@testable import PlaybackLogic

@Suite("Session: mute, ducking, progress, return")
struct SessionDetailTests {
  // MARK: The server's mute

  @Test("the server's mute is ended when the last of a call's two signs ends, and by the user's Play")
  func unmute() {
    var played = Played(playing: true)
    played.send(.began(.cork), .ownMute(true), .began(.call), .ended(.cork))
    #expect(played.count(.unmuteOwnStream) == 0)
    played.send(.ended(.call))
    #expect(played.count(.unmuteOwnStream) == 1)
    played.send(.began(.cork), .ownMute(true), .userPlays)
    #expect(played.count(.unmuteOwnStream) == 2)
  }

  @Test("it is ended also where nothing resumes")
  func unmuteWhilePaused() {
    var played = Played()
    played.send(.began(.cork), .ownMute(true), .ended(.cork))
    #expect(played.count(.unmuteOwnStream) == 1)
  }

  @Test("the user's own mute stays")
  func userMute() {
    var played = Played(playing: true)
    played.send(.ownMute(true), .began(.cork), .ended(.cork))
    played.send(.began(.call), .ownMute(true), .ended(.call), .userPlays)
    #expect(played.count(.unmuteOwnStream) == 0)
  }

  @Test(
    "a stream that is born muted in a call is unmuted with its end, or at once where the user has ended it")
  func bornMuted() {
    var played = Played()
    played.send(.began(.call), .streamReady(isMuted: true, serverCorks: true), .ended(.call))
    #expect(played.count(.unmuteOwnStream) == 1)
    played = Played(playing: true)
    played.send(.began(.call), .userPlays, .streamReady(isMuted: true, serverCorks: true))
    #expect(played.count(.unmuteOwnStream) == 1)
    played = Played()
    played.send(.began(.call), .streamMade, .ended(.call), .streamReady(isMuted: true, serverCorks: true))
    #expect(played.count(.unmuteOwnStream) == 1, "the call was over before anybody knew")
    for corks in [true, false] {
      played = Played(playing: true)
      played.send(.streamMade, .streamReady(isMuted: true, serverCorks: corks))
      played.send(.foundMadeInCall, .began(.call), .userPlays)
      #expect(played.count(.unmuteOwnStream) == (corks ? 1 : 0), "the call was seen last of all")
    }
    for touch in [[SessionEvent.ownMute(false)], [.ownMute(false), .ownMute(true)], [.muteChosen(true)]] {
      played = Played(playing: true)
      played.send(.streamMade, .streamReady(isMuted: true, serverCorks: true))
      played.send(touch + [.foundMadeInCall, .began(.call), .userPlays])
      #expect(played.count(.unmuteOwnStream) == 0, "somebody touched the mute since")
    }
    played = Played(playing: true)
    played.send(.duckBegan(.call), .streamMade, .streamReady(isMuted: true, serverCorks: true))
    #expect(played.count(.unmuteOwnStream) == 1, "the call only ducks the music")
    played = Played()
    played.send(.streamMade, .streamReady(isMuted: true, serverCorks: true), .userPlays)
    played.send(.began(.call), .streamReady(isMuted: true, serverCorks: false), .ended(.call))
    #expect(played.count(.unmuteOwnStream) == 0)
  }

  @Test(
    "the server asks again in a call that the user has ended for us: that is obeyed no more, until the call is over"
  )
  func corkAgain() {
    var played = Played(playing: true)
    played.send(.began(.cork), .began(.call), .userPlays, .began(.cork))
    #expect(played.session.isSounding)
    #expect(played.began == [.cork])
    #expect(played.count(.unmuteOwnStream) == 2)
    played.send(.ended(.cork), .ended(.call), .began(.cork))
    #expect(!played.session.isSounding)
    played.send(.userPlays, .ownMute(true), .began(.cork))
    #expect(played.session.isSounding)
    #expect(played.count(.unmuteOwnStream) == 4, "what was read before the server unmuted is not the user's")
    played = Played(playing: true)
    played.send(.began(.call), .userPlays, .ownMute(true), .began(.cork))
    #expect(played.session.isSounding)
    #expect(played.count(.unmuteOwnStream) == 0, "a mute from before is the user's")
  }

  @Test("what the user mutes through us stays muted, whatever the server mutes and unmutes for a call")
  func chosenMute() {
    for serverCorks in [true, false] {
      var played = Played(playing: true)
      played.send(.muteChosen(true))
      #expect(played.count(.muteOwnStream(true)) == 1 && played.session.isMutedByUser)
      played.send(.ownMute(false), .ownMute(true))
      #expect(played.session.isMutedByUser, "a reading may be older than the order")
      played.send(.began(.cork), .ownMute(true), .ended(.cork), .ownMute(true))
      #expect(played.count(.unmuteOwnStream) == 0 && played.session.isMutedByUser)
      played.send(.streamMade, .ownMute(false), .streamReady(isMuted: false, serverCorks: serverCorks))
      #expect(played.count(.muteOwnStream(true)) == 2, "the server made the next stream otherwise")
      played.send(.streamMade, .streamReady(isMuted: true, serverCorks: serverCorks), .ownMute(true))
      #expect(played.count(.muteOwnStream(true)) == 2 && played.followed.isEmpty)
    }
  }

  @Test("a stream of a user's mute that is made in a call stays muted after it")
  func chosenMuteInCall() {
    var played = Played(playing: true)
    played.send(.began(.cork), .ownMute(true), .muteChosen(true), .ended(.cork))
    #expect(played.count(.muteOwnStream(true)) == 2 && played.count(.unmuteOwnStream) == 0)
    played.send(.ownMute(false), .ownMute(true))
    #expect(played.session.isMutedByUser && played.followed.isEmpty)
    played.send(.muteChosen(false), .ownMute(false))
    #expect(!played.session.isMutedByUser)
  }

  @Test(
    "a mute that the server remembers from another player does not silence our next stream, except where it mutes for calls"
  )
  func foreignMute() {
    for (before, corks, orders) in [([], false, 1), ([], true, 0), ([SessionEvent.ownMute(true)], false, 0)] {
      var played = Played(playing: true)
      played.send([.ownMute(false)] + before)
      played.send(.streamMade, .streamReady(isMuted: true, serverCorks: corks))
      #expect(played.count(.muteOwnStream(false)) == orders, "\(before) \(corks)")
      #expect(played.session.isMutedByUser == (orders == 0))
    }
    // The first stream of all may have been muted by the user the day before.
    var first = Session()
    let said =
      first.handle(.streamMade, at: .zero)
      + first.handle(.streamReady(isMuted: true, serverCorks: false), at: .seconds(1))
    #expect(!said.contains(.muteOwnStream(false)) && first.isMutedByUser)
  }

  @Test(
    "WirePlumber's Pause ends with the look at the route that it belongs to: neither with one long after it, nor where our own sink stays",
    arguments: [(Duration.seconds(2), true, true), (.seconds(60), true, false), (.seconds(2), false, false)])
  func oldPause(wait: Duration, sinkIsGone: Bool, sounds: Bool) {
    var played = Played(playing: true)
    played.send([.pause(by: .wirePlumber)])
    played.send([.progressed], after: wait)
    played.send([.routeHeld, .routeReleased(sinkIsGone: sinkIsGone)], after: .milliseconds(100))
    #expect(played.session.isSounding == sounds)
  }

  @Test(
    "a cork that the settings do not want ends at once, untold, with the server's mute, and stays overruled")
  func unwantedCork() {
    var played = Played(playing: true)
    played.send(.streamMade, .streamReady(isMuted: false, serverCorks: true))
    let session = played.session
    var (said, now) = ([SessionEffect](), Duration.seconds(60))
    played.session = session
    for event in [SessionEvent.began(.cork), .ownMute(true), .duckBegan(.call), .corkUnwanted, .corkExamined]
    {
      now += .milliseconds(2)
      said += played.session.handle(event, at: now)
    }
    #expect(played.session.isSounding && said.contains(.unmuteOwnStream) && said.contains(.duck(0.3)))
    #expect(!said.contains { if case .interruptionBegan = $0 { true } else { false } })
    // The server asks again whenever another stream moves.
    said = played.session.handle(.began(.cork), at: now)
    #expect(played.session.isSounding && said == [.unmuteOwnStream])
  }

  @Test("whoever unmutes in a mixer what was muted through us, or mutes it, has the last word")
  func mixerAfterChoice() {
    var played = Played(playing: true)
    played.send(.muteChosen(true), .ownMute(true), .ownMute(false))
    #expect(!played.session.isMutedByUser && played.followed == [false])
    played.send(.muteChosen(false), .ownMute(false), .ownMute(true))
    #expect(played.session.isMutedByUser && played.followed == [false, true])
  }

  @Test("the streams that wait follow a mute made in a mixer, and not the server's for a call")
  func waitingStreams() {
    var played = Played(playing: true)
    played.send(.streamMade, .streamReady(isMuted: false, serverCorks: true), .ownMute(false))
    #expect(played.followed.isEmpty)
    played.send(.ownMute(true), .ownMute(true), .ownMute(false))
    #expect(played.followed == [true, false])
    played.send(.began(.cork), .ownMute(true), .ended(.cork), .ownMute(false))
    played.send(.began(.call), .streamMade, .ownMute(true))
    #expect(played.followed == [true, false])
  }

  // MARK: Ducking

  @Test("ducking is counted by source, and stops nothing")
  func ducking() {
    var played = Played(playing: true)
    played.send(
      .duckBegan(.role(.event)), .duckBegan(.role(.a11y)), .duckEnded(.role(.event)),
      .duckEnded(.role(.event)))
    #expect(played.said == [.duck(0.3)])
    played.send(.duckEnded(.role(.a11y)))
    #expect(played.said == [.duck(0.3), .unduck])
  }

  // MARK: Progress

  @Test(
    "a stream without progress for three seconds is interrupted, stays uncorked, and is over with its progress"
  )
  func stall() {
    var played = Played(playing: true)
    played.send([.progressed, .progressed], after: .seconds(1))
    played.send([.timer], after: .seconds(1))
    #expect(
      played.said == [.timer(after: .seconds(3)), .timer(after: .seconds(3)), .timer(after: .seconds(2))])
    played.send([.timer], after: .seconds(2))
    #expect(played.session.why == .interrupted(by: .stall))
    #expect(!played.session.isCorked)
    #expect(played.count(.dropUnmadeStream) == 1)
    played.send(.progressed)
    #expect(played.ends == [.resumes])
    #expect(played.session.isSounding)
  }

  @Test("a server that makes no stream is asked again after longer and longer, and is told of once")
  func refusedStream() {
    var played = Played(playing: true)
    played.send(.streamRefused)
    #expect(played.began == [.refusal])
    #expect(played.session.why?.text == "server")
    var waits: [Duration] = []
    for _ in 0..<6 {
      let wait = played.said.reversed().firstNonNil { if case .timer(let wait) = $0 { wait } else { nil } }
      waits.append(wait ?? .zero)
      #expect(played.session.isCorked, "no stream is made meanwhile")
      // A timer that was set for something else changes nothing.
      played.send([.timer], after: .milliseconds(1))
      #expect(played.session.isCorked)
      played.send([.timer], after: waits.last ?? .zero)
      #expect(!played.session.isCorked, "another stream is made")
      #expect(!played.session.isSounding)
      played.send([.streamRefused], after: .milliseconds(1))
    }
    #expect(waits == [0.25, 0.5, 1, 2, 4, 5].map { .seconds($0) })
    #expect(played.began == [.refusal])
    #expect(played.ended.isEmpty)
    played.send([.timer], after: .seconds(5))
    played.send(.streamMade)
    #expect(played.ends == [.resumes])
    #expect(played.session.isSounding)
    played.forget()
    played.send(.streamRefused)
    #expect(played.said.contains(.timer(after: .seconds(0.25))))
  }

  @Test("Play asks a server at once that made no stream, and what is paused meanwhile stays paused")
  func refusedStreamAndOrders() {
    var played = Played(playing: true)
    played.send(.streamRefused, .userPlays)
    #expect(!played.session.isCorked)
    #expect(played.ended == [[.refusal]])
    played.send(.streamRefused, .userPauses)
    #expect(played.session.interruptions.isEmpty)
    played.send([.timer], after: .seconds(9))
    #expect(played.session.isCorked)
    #expect(played.session.state == .paused)
  }

  @Test("a server that neither makes the stream nor refuses it once more is taken to have refused it")
  func unansweredRetry() {
    var played = Played(playing: true)
    played.send(.streamRefused)
    played.send([.timer], after: .seconds(1))
    #expect(!played.session.isCorked)
    played.send([.timer], after: .seconds(1))
    #expect(played.count(.dropUnmadeStream) == 0)
    played.send([.timer], after: .seconds(3))
    #expect(played.count(.dropUnmadeStream) == 1)
    #expect(played.session.isCorked)
    played.send([.timer], after: .seconds(5))
    #expect(!played.session.isCorked)
  }

  @Test(
    "a stall is over when nothing has to sound, and so is a suspension when its output or our stream is gone")
  func overWithItsCause() {
    var played = Played(playing: true)
    played.send([.progressed], after: .seconds(1))
    played.send([.timer], after: .seconds(4))
    #expect(played.session.why == .interrupted(by: .stall))
    played.send(.userPauses)
    #expect(played.session.holds.isEmpty && played.ends == [.staysSilent])
    for ending in [SessionEvent.stop(by: .user), .lost(.usb)] {
      var suspended = Played(playing: true)
      suspended.send(.began(.suspend))
      suspended.send(.userPauses)
      #expect(!suspended.session.holds.isEmpty)
      suspended.send(ending)
      #expect(suspended.session.holds.isEmpty, "\(ending)")
    }
  }

  @Test("a paused stream makes no progress, and that is no stall")
  func noStallWhilePaused() {
    var played = Played(playing: true)
    played.send(.userPauses)
    played.send([.timer, .progressed], after: .seconds(10))
    #expect(played.began.isEmpty)
  }

  @Test("what a corked stream still takes is no progress")
  func progressWhileCorked() {
    var played = Played(playing: true)
    played.send(.began(.suspend), .began(.call), .progressed)
    #expect(played.ended.isEmpty)
    played.send(.ended(.call), .progressed)
    #expect(played.ended == [[.suspend, .call]])
  }

  @Test("Play on a stalled stream tries again for three seconds")
  func stallAndPlay() {
    var played = Played(playing: true)
    played.send([.timer], after: .seconds(4))
    played.send(.userPlays)
    #expect(played.session.isSounding)
    played.send([.timer], after: .seconds(3))
    #expect(played.began == [.stall, .stall])
  }

  // MARK: Return of the device

  private func returning(_ settings: SessionSettings, _ between: [SessionEvent], after: Duration) -> Bool {
    var played = Played(settings, playing: true)
    played.send(
      [.plugged(.headphones), .routeHeld, .lost(.headphones), .routeReleased(sinkIsGone: true)] + between)
    played.send([.plugged(.headphones)], after: after)
    return played.session.isSounding
  }

  @Test("a device that returns starts nothing, unless that was set")
  func returnsUnset() {
    #expect(!returning(SessionSettings(), [], after: .milliseconds(1)))
  }

  @Test("where it was set, it does within its time, if nothing was touched since")
  func returnsSet() {
    var settings = SessionSettings()
    settings.resumeOnReturn = .seconds(30)
    #expect(returning(settings, [], after: .seconds(28)))
    #expect(!returning(settings, [], after: .seconds(31)))
    #expect(returning(settings, [.pause(by: .wirePlumber)], after: .seconds(5)))
    // A device that goes out of reach is suspended before it is gone, or takes no sound any more.
    for sign in [SessionEvent.began(.suspend), .timer] {
      var played = Played(settings, playing: true)
      played.send([sign], after: .seconds(4))
      played.send([.routeHeld, .lost(.headphones), .routeReleased(sinkIsGone: true)])
      #expect(!played.session.isSounding)
      played.send([.plugged(.headphones)], after: .seconds(5))
      #expect(played.session.isSounding, "\(sign)")
    }
    let touches: [[SessionEvent]] = [
      [.userActed], [.userPauses], [.stop(by: .user)], [.userPlays, .userPauses], [.pause(by: .tool("link"))],
      [.preparesForSleep, .wokeUp],
    ]
    for touch in touches { #expect(!returning(settings, touch, after: .seconds(5)), "\(touch)") }
  }

  @Test("a device that returns starts nothing where that was switched off after it had gone, or its time cut")
  func returnsSwitchedOff() {
    for wait in [nil, .seconds(2)] as [Duration?] {
      var settings = SessionSettings()
      settings.resumeOnReturn = .seconds(3_600)
      var played = Played(settings, playing: true)
      played.send(.lost(.headphones))
      played.session.settings.resumeOnReturn = wait
      played.send([.settingsRead, .plugged(.headphones)], after: .seconds(5))
      #expect(!played.session.isSounding)
    }
  }

  @Test("a call that goes on when the device returns is not followed by music")
  func returnsInCall() {
    var settings = SessionSettings()
    settings.resumeOnReturn = .seconds(30)
    var played = Played(settings, playing: true)
    played.send(.lost(.headphones), .began(.call), .plugged(.headphones), .ended(.call))
    #expect(!played.session.isSounding)
    #expect(played.ends == [.staysSilent])
  }

  @Test("another device's coming, or one that was lost while nothing played, starts nothing")
  func returnsOther() {
    var settings = SessionSettings()
    settings.resumeOnReturn = .seconds(30)
    var played = Played(settings, playing: true)
    played.send(.lost(.headphones), .plugged(.usb), .lost(.usb), .plugged(.usb))
    #expect(!played.session.isSounding)
    played = Played(settings)
    played.send(.lost(.headphones), .plugged(.headphones))
    #expect(!played.session.isSounding)
    played = Played(settings, playing: true)
    played.send(.began(.call), .lost(.headphones), .ended(.call), .plugged(.headphones))
    #expect(!played.session.isSounding)
  }
}

extension Sequence {
  /// What a body makes of the first element of which it makes anything.
  fileprivate func firstNonNil<Found>(_ body: (Element) -> Found?) -> Found? {
    for element in self { if let found = body(element) { return found } }
    return nil
  }
}
