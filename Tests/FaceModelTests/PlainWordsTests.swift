// SPDX-License-Identifier: MIT
import FaceModel
import PlaybackLogic
import Testing

@Suite("What happened, in plain words")
struct PlainWordsTests {
  /// Every reason that there is, as the bus has it.
  private static let pausers: [Intent.Pauser] = [
    .user, .route, .sleep, .terminated, .restored, .tool("Phone link"),
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

  @Test(
    "a state says why",
    arguments: [
      (.playing, nil, "playing"), (.playing, "muted", "playing, but muted in the mixer"),
      (.playing, "volume", "playing, at volume 0"),
      (.playing, "output-muted", "playing, but its output is muted"),
      (.playing, "output-volume", "playing, but its output is at volume 0"),
      (.playing, "newer", "playing, but not heard: newer"), (.stopped, nil, "stopped"),
      (.paused, "user", "paused"),
      (.paused, nil, "paused"), (.paused, "route", "paused: its output is gone"),
      (.paused, "tool:Phone link", "paused by Phone link"), (.paused, "newer", "paused: newer"),
      (.interrupted, "call", "interrupted by a call"),
      (.interrupted, "server", "waiting for a sound server"),
      (.interrupted, "newer", "interrupted by newer"), (.interrupted, nil, "interrupted"),
      (.seekingForward, nil, "seeking forward"),
    ] as [(PlaybackState, String?, String)])
  func state(state: PlaybackState, why: String?, text: String) {
    #expect(PlainWords.state(state, why) == text)
  }

  @Test("an interruption's end says what goes on, and what waits for it names it")
  func ended() {
    #expect(PlainWords.ended("call", resumes: true) == "the call is over, the music goes on")
    #expect(PlainWords.ended("newer", resumes: false) == "newer is over")
    #expect(PlainWords.awaited("call") == "a call is over")
  }

  @Test("each change of route says where the sound goes, and why")
  func route() {
    let texts = RouteChange.Reason.allCases.map { PlainWords.route($0, from: "Headset", to: "Speakers") }
    #expect(Set(texts).count == texts.count)
    for (reason, text) in zip(RouteChange.Reason.allCases, texts) {
      #expect(!text.contains(reason.rawValue) || reason == .unknown, "\(text)")
    }
    #expect(
      PlainWords.route(.oldDeviceUnavailable, from: "Headset", to: "Speakers")
        == "Headset is gone; sound goes to Speakers")
    #expect(PlainWords.route(.unknown, from: nil, to: "Speakers") == "sound goes to Speakers")
    #expect(PlainWords.route(.override, from: "Headset", to: nil) == "sound goes nowhere, as somebody chose")
  }
}
