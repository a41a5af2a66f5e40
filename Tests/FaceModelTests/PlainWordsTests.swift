// SPDX-License-Identifier: MIT
import AudioModel
import FaceModel
import PlaybackLogic
import Testing

@Suite("What happened, in plain words")
struct PlainWordsTests {
  /// Every reason that there is, as the bus has it.
  private static let pausers: [Intent.Pauser] = [
    .user, .route, .sleep, .terminated, .restored, .tool("Phone link"),
  ]
  private static let endings: [Ending] = [
    .finished, .unplayable, .afterCurrent, .removed, .ordered(by: .user), .ordered(by: .tool("Phone link")),
  ]
  private static let sources: [Interruption.Source] =
    [.cork, .call, .microphone, .suspend, .sleep, .stall, .server, .tool("Phone link")]
    + WatchedRole.allCases.filter { $0 != .phone }.map { .role($0) }

  @Test("every reason has words, and no code is among them")
  func all() {
    let codes = ["route", "no-output", "terminated", "restored", "cork", "a11y", "tool:", "-"]
    let states =
      Self.pausers.map { PlainWords.state(.paused, SilenceReason.paused(by: $0).text) }
      + [PlainWords.state(.paused, SilenceReason.noOutput.text)]
      + Self.endings.map { PlainWords.state(.stopped, $0.text) }
      + Self.sources.map { PlainWords.state(.interrupted, SilenceReason.interrupted(by: $0).text) }
      + Inaudibility.allCases.map { PlainWords.state(.playing, SilenceReason.inaudible($0).text) }
    let ends = Self.sources.map { PlainWords.ended($0.text, resumes: false) }
    let waits = Self.sources.map { PlainWords.awaited($0.text) }
    for text in states + ends + waits {
      for code in codes { #expect(!text.contains(code), "\(text)") }
    }
    #expect(Set(states).count == states.count, "each says something else")
    #expect(Set(ends).count == ends.count)
    #expect(Set(waits).count == waits.count)
  }

  @Test("a state says why", arguments: states)
  func state(state: PlaybackState, why: String?, text: String) {
    #expect(PlainWords.state(state, why) == text)
  }

  private static let states: [(state: PlaybackState, why: String?, text: String)] = [
    (.playing, nil, "playing"), (.playing, "muted", "playing, but muted"),
    (.playing, "volume", "playing, at volume 0"),
    (.playing, "output-muted", "playing, but its output is muted"),
    (.playing, "output-volume", "playing, but its output is at volume 0"),
    (.playing, "newer", "playing, but not heard: newer"), (.stopped, nil, "stopped"),
    (.stopped, "unplayable", "stopped: nothing that was left in the queue can be played"),
    (.stopped, "user", "stopped"), (.stopped, "tool:Phone link", "stopped by Phone link"),
    (.stopped, "after-current", "stopped after a track, as was ordered"),
    (.stopped, "removed", "stopped: what played was taken out of the queue"),
    (.stopped, "newer", "stopped: newer"), (.paused, "user", "paused"),
    (.paused, nil, "paused"), (.paused, "route", "paused: its output is gone"),
    (.paused, "tool:Phone link", "paused by Phone link"), (.paused, "newer", "paused: newer"),
    (.interrupted, "call", "interrupted by a call"),
    (.interrupted, "server", "waiting for a sound server"),
    (.interrupted, "newer", "interrupted by newer"), (.interrupted, nil, "interrupted"),
    (.seekingForward, nil, "seeking forward"),
  ]

  @Test("an interruption is told with the program behind it, where that is known")
  func callers() {
    func text(_ why: String, _ callers: String...) -> String {
      PlainWords.state(.interrupted, why, callers: callers)
    }
    #expect(text("call", "Signal") == "interrupted by a call: Signal")
    #expect(text("call", "Signal", "Zoom") == "interrupted by a call: Signal, Zoom")
    #expect(text("microphone", "Zoom") == "interrupted: Zoom listens to the microphone")
    #expect(text("cork", "Zoom") == "interrupted: another program asks for silence")
    #expect(text("tool:Phone link", "Zoom") == "interrupted by Phone link")
    #expect(text("server", "Zoom") == "waiting for a sound server")
  }

  @Test("an interruption's end says what goes on, and what waits for it names it")
  func ended() {
    #expect(PlainWords.ended("call", resumes: true) == "the call is over, the music goes on")
    #expect(PlainWords.ended("newer", resumes: false) == "newer is over")
    let ended = { PlainWords.ended($0, resumes: false, isOverruled: $1) }
    #expect(ended(["cork", "call"], false) == "the call is over")
    #expect(ended(["cork"], false) == "nobody asks for silence any more")
    #expect(ended(["cork", "call"], true).hasPrefix("you played on: "))
    #expect(PlainWords.awaited("call") == "the call is over")
    #expect(PlainWords.awaited("announcement") == "the announcement is over")
    #expect(PlainWords.awaited("tool:Phone link") == "Phone link is over")
  }

  @Test("the pads' line has their kit, or why they make no sound, once")
  func pads() {
    func line(_ isEnabled: Bool, _ reason: String? = nil) -> String {
      PlainWords.pads(
        PadsFace(
          kit: KitFace(name: "Garage"), isEnabled: isEnabled, why: isEnabled ? nil : "word", reason: reason,
          volume: 1, pads: []))
    }
    #expect(line(true) == "pads: kit Garage")
    #expect(line(false, PlainWords.padsAreSilent + "a call is going on") == "pads: a call is going on")
    #expect(line(false, "there is no kit (gone); load another") == "pads: there is no kit (gone)")
    #expect(line(false) == "pads: word")
  }

  private static func output(
    _ sink: String, _ kind: Port.Kind? = nil, isPrivate: Bool = true, description: String = ""
  ) -> RouteFace {
    RouteFace(
      Route(
        sinkName: sink, sinkDescription: description, portName: kind?.rawValue, portKind: kind,
        isPrivate: isPrivate, device: Route.Device(name: sink)))
  }

  private static let headphones = output("alsa.pci", .headphones, description: "Built-in Audio")
  private static let speakers = output("alsa.pci", .speaker, isPrivate: false, description: "Built-in Audio")
  private static let usb = output("alsa.usb", .analog, description: "Fancy USB")
  private static let bluetooth = output("bluez.1", .headset, description: "WH-1000")

  @Test(
    "each change of route says what happened to which output, and where the sound goes",
    arguments: [
      (
        .oldDeviceUnavailable, headphones, speakers, true,
        "headphones unplugged; sound would go to the loudspeakers"
      ),
      (
        .oldDeviceUnavailable, headphones, speakers, false,
        "headphones unplugged; sound goes to the loudspeakers"
      ),
      (.oldDeviceUnavailable, bluetooth, usb, true, "WH-1000 is gone; sound would go to Fancy USB"),
      (.oldDeviceUnavailable, usb, nil, true, "Fancy USB is gone; sound goes nowhere"),
      (.newDeviceAvailable, speakers, headphones, false, "headphones plugged in; sound goes there"),
      (.newDeviceAvailable, speakers, bluetooth, false, "WH-1000 is there; sound goes there"),
      (.override, headphones, usb, false, "sound goes to Fancy USB: moved by hand"),
      (.unknown, nil, speakers, false, "sound goes to the loudspeakers"),
    ] as [(RouteChange.Reason, RouteFace?, RouteFace?, Bool, String)])
  func route(reason: RouteChange.Reason, from: RouteFace?, to: RouteFace?, paused: Bool, text: String) {
    #expect(PlainWords.route(reason, from: from, to: to, paused: paused) == text)
  }

  @Test("no two changes of route have the same words, and none has the code of the bus")
  func routes() {
    let texts = RouteChange.Reason.allCases.map {
      PlainWords.route($0, from: Self.headphones, to: Self.speakers, paused: false)
    }
    #expect(Set(texts).count == texts.count)
    for (reason, text) in zip(RouteChange.Reason.allCases, texts) {
      #expect(!text.contains(reason.rawValue) || reason == .unknown, "\(text)")
    }
  }

  @Test("what was lost is named while the music is paused for it")
  func lost() {
    let lost = [Self.headphones, Self.bluetooth].map { PlainWords.state(.paused, "route", lost: $0) }
    #expect(lost == ["paused: the headphones were unplugged", "paused: WH-1000 is gone"])
  }

  @Test("after its end the queue says how it begins again")
  func finished() {
    #expect(PlainWords.state(.stopped, "finished") == "finished; 'fermata play' begins it again")
  }
}
