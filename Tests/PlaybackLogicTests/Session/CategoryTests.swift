// SPDX-License-Identifier: MIT
import Testing

@testable import PlaybackLogic

/// A way through a session of some category, and what is the case at its end.
struct CategoryRow: CustomTestStringConvertible {
  let name: String
  let category: SessionCategory
  var playing = true
  let events: [SessionEvent]
  let state: PlaybackState
  /// Where interruptions were told, how they ended.
  var ends: [InterruptionEnd] = []
  /// Whether any interruption was told.
  var isTold = false
  /// How often our stream was unmuted, which a server mutes for a call.
  var unmutes = 0
  var pausedBy: [RouteChange.Reason] = []

  var testDescription: String { "\(category): \(name)" }
}

private typealias Row = CategoryRow

private let nothingLeft = SessionEvent.routeChanged(
  RouteChange(.noSuitableRouteForCategory, from: nil, to: nil, pauses: true))

private let unlinked = {
  var change = RouteChange(.oldDeviceUnavailable, from: .usb, to: nil, pauses: true)
  change.isUnlinked = true
  return SessionEvent.routeChanged(change)
}()

/// Some sources that count as calls, each alone.
private let calls: [Interruption.Source] = [.cork, .call, .microphone, .role(.notification)]

let categoryRows: [CategoryRow] =
  calls.map { source in
    Row(
      name: "\(source.text) does not stop the music", category: .ambient, events: [.began(source)],
      state: .playing, unmutes: source == .cork ? 1 : 0)
  }
  + calls.map { source in
    Row(
      name: "\(source.text) and its end are told to nobody", category: .ambient,
      events: [.began(source), .ended(source)], state: .playing, unmutes: source == .cork ? 1 : 0)
  } + [
    Row(
      name: "a call with both signs is unmuted once", category: .ambient,
      events: [.began(.call), .began(.cork), .ended(.cork), .ended(.call)], state: .playing, unmutes: 1),
    Row(
      name: "a second request for silence in the same call is undone as well", category: .ambient,
      events: [.began(.cork), .began(.cork)], state: .playing, unmutes: 2),
    Row(
      name: "Play in a call need not wait", category: .ambient, playing: false,
      events: [.began(.call), .userPlays],
      state: .playing),
    Row(
      name: "a stream that is made in a call is born muted, and unmuted", category: .ambient,
      events: [.began(.call), .streamMade, .streamReady(isMuted: true, serverCorks: true)], state: .playing,
      unmutes: 1),
    Row(
      name: "the user's Pause stays one, whatever ends", category: .ambient,
      events: [.began(.call), .userPauses, .ended(.call)], state: .paused),
    Row(
      name: "headphones are gone, and it sounds on what is left", category: .ambient,
      events: [.routeHeld, .lost(.usb), .routeReleased(sinkIsGone: true)], state: .playing),
    Row(
      name: "headphones are gone, and it sounds on where the server is yet to put it", category: .ambient,
      events: [.routeHeld, unlinked, .routeReleased(sinkIsGone: true)], state: .playing),
    Row(
      name: "WirePlumber's Pause for lost headphones goes with the loss", category: .ambient,
      events: [.routeHeld, .pause(by: .wirePlumber), .lost(.usb), .routeReleased(sinkIsGone: true)],
      state: .playing),
    Row(
      name: "the server comes back without the device, and it sounds on what is left", category: .ambient,
      events: [
        .serverLost,
        .routeChanged(RouteChange(.mediaServicesWereReset, from: nil, to: .speakers, pauses: true)),
        .lost(.usb),
      ], state: .playing, ends: [.resumes], isTold: true),
    Row(
      name: "with no output left it pauses, and none that comes starts it", category: .ambient,
      events: [.lost(.usb, now: nil), nothingLeft, .plugged(.usb)], state: .paused,
      pausedBy: [.oldDeviceUnavailable]),
    Row(
      name: "sleep pauses it", category: .ambient, events: [.preparesForSleep, .wokeUp], state: .paused,
      ends: [.staysSilent], isTold: true),
    Row(
      name: "a server that is away interrupts it", category: .ambient, events: [.serverLost],
      state: .interrupted, isTold: true),
    Row(
      name: "a phone link's Pause is an order", category: .ambient, events: [.pause(by: .tool("link"))],
      state: .interrupted, isTold: true),
    Row(
      name: "a call interrupts", category: .solo, events: [.began(.call)], state: .interrupted, isTold: true),
    Row(
      name: "its end lets it go on", category: .solo, events: [.began(.call), .ended(.call)],
      state: .playing, ends: [.resumes], isTold: true),
    Row(
      name: "lost headphones pause", category: .solo, events: [.lost(.usb)], state: .paused,
      pausedBy: [.oldDeviceUnavailable]),
  ]

@Suite("The categories of a session")
struct CategoryTests {
  @Test("every row of the table comes out as it says", arguments: categoryRows)
  func row(_ row: CategoryRow) {
    var settings = SessionSettings()
    settings.category = row.category
    var played = Played(settings, playing: row.playing)
    played.send(row.events)
    #expect(played.session.state == row.state)
    #expect(played.ends == row.ends)
    #expect(!played.began.isEmpty == row.isTold)
    #expect(played.count(.unmuteOwnStream) == row.unmutes)
    #expect(played.pausedBy == row.pausedBy)
  }

  @Test("a user who chooses ambient in a call hears the music at once, and the call's end changes nothing")
  func chosenInCall() {
    var played = Played(playing: true)
    played.send(.began(.cork), .began(.call))
    #expect(played.session.state == .interrupted)
    played.session.settings.category = .ambient
    played.send(.settingsRead)
    #expect(played.session.isSounding && played.ends == [.resumes] && played.count(.unmuteOwnStream) == 1)
    played.forget()
    played.send(.ended(.cork), .ended(.call))
    #expect(played.session.isSounding && played.ends.isEmpty && played.began.isEmpty)
  }

  @Test("whoever chooses playback again is not interrupted by the call that goes on, but by the next one")
  func chosenBack() {
    var settings = SessionSettings()
    settings.category = .ambient
    var played = Played(settings, playing: true)
    played.send(.began(.call))
    played.session.settings.category = .playback
    played.send(.settingsRead)
    #expect(played.session.isSounding)
    played.send(.ended(.call), .began(.call))
    #expect(played.session.state == .interrupted)
  }

  @Test("a mute by the user stays one in a call beside which the music goes on")
  func ownMute() {
    var settings = SessionSettings()
    settings.category = .ambient
    var played = Played(settings, playing: true)
    played.send(.muteChosen(true), .ownMute(true))
    played.forget()
    played.send(.began(.call), .began(.cork), .ended(.cork), .ended(.call))
    #expect(played.count(.unmuteOwnStream) == 0 && played.session.isMutedByUser)
  }
}
