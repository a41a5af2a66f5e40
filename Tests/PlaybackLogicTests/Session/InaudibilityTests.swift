// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@testable import PlaybackLogic

/// What mixers were set to, what happens, and why nothing is heard then.
struct InaudibilityRow: CustomTestStringConvertible {
  let name: String
  var volume = 1.0
  var duckedTo: Double?
  var isOutputMuted = false
  var outputVolume: Double? = 1.0
  var events: [SessionEvent] = []
  var state = PlaybackState.playing
  var why: SilenceReason?

  var testDescription: String { name }
}

private typealias Row = InaudibilityRow

private let mixerRows: [InaudibilityRow] = [
  Row(name: "it is heard"),
  Row(name: "our stream is muted", events: [.ownMute(true)], why: .inaudible(.muted)),
  Row(name: "and no more", events: [.ownMute(true), .ownMute(false)]),
  Row(name: "no volume", volume: 0, why: .inaudible(.volume)),
  Row(name: "less than a server can tell from none", volume: 1e-17, why: .inaudible(.volume)),
  Row(name: "the least that anyone sets", volume: 0.01),
  Row(name: "ducked to nothing", duckedTo: 0, why: .inaudible(.volume)),
  Row(name: "the output is muted", isOutputMuted: true, why: .inaudible(.outputMuted)),
  Row(name: "the output has no volume", outputVolume: 0, why: .inaudible(.outputVolume)),
  Row(name: "the output's volume is not known", outputVolume: nil),
  Row(
    name: "of all, what is nearest to the music", volume: 0, isOutputMuted: true, outputVolume: 0,
    events: [.ownMute(true)], why: .inaudible(.muted)),
  Row(
    name: "then the volume", volume: 0, isOutputMuted: true, outputVolume: 0,
    events: [.ownMute(true), .ownMute(false)], why: .inaudible(.volume)),
  Row(
    name: "then the output's mute", isOutputMuted: true, outputVolume: 0, why: .inaudible(.outputMuted)),
]

private let sessionRows: [InaudibilityRow] = [
  Row(
    name: "paused, and then muted", volume: 0, isOutputMuted: true, events: [.userPauses, .ownMute(true)],
    state: .paused, why: .paused(by: .user)),
  Row(
    name: "played again", events: [.userPauses, .ownMute(true), .userPlays], why: .inaudible(.muted)),
  Row(
    name: "stopped", volume: 0, isOutputMuted: true, events: [.stop(by: .user)], state: .stopped,
    why: .stopped(.ordered(by: .user))),
  Row(
    name: "a call while muted", events: [.ownMute(true), .began(.call)], state: .interrupted,
    why: .interrupted(by: .call)),
  Row(
    name: "its end", events: [.ownMute(true), .began(.call), .ended(.call)], why: .inaudible(.muted)),
  Row(
    name: "a call for which the server asks, while muted",
    events: [.ownMute(true), .began(.cork), .ownMute(true), .ended(.cork)], why: .inaudible(.muted)),
  Row(name: "the server's own mute, after its call", events: [.began(.cork), .ownMute(true), .ended(.cork)]),
  Row(
    name: "read once more before the server obeyed",
    events: [.began(.cork), .ownMute(true), .ended(.cork), .ownMute(true)]),
  Row(
    name: "the server's own mute, with its call overruled",
    events: [.began(.cork), .ownMute(true), .userPlays]),
  Row(
    name: "a stream that was born muted in a call which the user had overruled, read before that is known",
    events: [.began(.call), .userPlays, .streamMade, .ownMute(true)]),
  Row(
    name: "and when it is known",
    events: [
      .began(.call), .userPlays, .streamMade, .ownMute(true), .streamReady(isMuted: true, serverCorks: true),
    ]),
  Row(
    name: "the same where the server mutes nobody for a call: that mute was another player's",
    events: [.began(.call), .userPlays, .streamMade, .streamReady(isMuted: true, serverCorks: false)]),
  Row(
    name: "it stays where the stream before was muted",
    events: [.ownMute(true), .streamMade, .streamReady(isMuted: true, serverCorks: false)],
    why: .inaudible(.muted)),
  Row(
    name: "a stream that is made muted without a call, as it was muted before",
    events: [.ownMute(true), .streamMade], why: .inaudible(.muted)),
  Row(
    name: "the next stream is not muted",
    events: [.ownMute(true), .streamMade, .streamReady(isMuted: false, serverCorks: true)]),
  Row(name: "while a route is looked at", events: [.ownMute(true), .routeHeld], why: .inaudible(.muted)),
  Row(
    name: "no server", volume: 0, events: [.serverLost], state: .interrupted, why: .interrupted(by: .server)),
  Row(name: "the next server has muted nothing", events: [.ownMute(true), .serverLost, .serverReset]),
]

@Suite("What plays and is not heard")
struct InaudibilityTests {
  private static let speakers = Sink.Index(rawValue: 1)
  private static let headset = Sink.Index(rawValue: 2)
  private static let own = SinkInput.Index(rawValue: 7)

  /// Muted or turned down speakers, a headset that sounds, and our stream.
  private func world(
    on sink: Sink.Index?, isMuted: Bool = true, volume: Double? = 1, defaultSink: String = "speakers",
    hasStream: Bool = true
  ) -> AudioWorld {
    AudioWorld(
      server: AudioServer(name: "pulseaudio", version: "", defaultSink: defaultSink),
      sinks: [
        Sink(index: Self.speakers, name: "speakers", isMuted: isMuted, volume: volume),
        Sink(index: Self.headset, name: "headset", volume: 0.5),
      ], sinkInputs: hasStream ? [SinkInput(index: Self.own, sink: sink)] : [])
  }

  @Test("mixers say why, and what keeps it from playing comes first", arguments: mixerRows + sessionRows)
  func why(row: InaudibilityRow) {
    var played = Played(playing: true)
    played.send(row.events)
    var volume = StreamVolume(user: row.volume)
    if let level = row.duckedTo { volume.duck(to: level) }
    var output = OutputLevel()
    output.look(
      at: world(on: Self.speakers, isMuted: row.isOutputMuted, volume: row.outputVolume), ownInput: Self.own)
    #expect(played.session.state == row.state)
    #expect(played.session.why(at: volume, on: output) == row.why)
  }

  @Test("the output is the one that our stream goes to, and what it left while it goes to none")
  func output() {
    var output = OutputLevel()
    output.look(at: world(on: Self.headset), ownInput: Self.own)
    #expect(!output.isMuted && !output.isSilent)
    output.look(at: world(on: Self.speakers, volume: 0), ownInput: Self.own)
    #expect(output.isMuted && output.isSilent)
    for nowhere in [nil, Sink.Index(rawValue: 99)] {
      output.look(at: world(on: nowhere, isMuted: false), ownInput: Self.own)
      #expect(output.isMuted && output.isSilent)
    }
    output.look(at: world(on: Self.headset), ownInput: Self.own)
    #expect(!output.isMuted && !output.isSilent)
  }

  @Test("without a stream it is where one would go")
  func withoutStream() {
    var output = OutputLevel()
    output.look(at: world(on: nil, hasStream: false), ownInput: nil)
    #expect(output.isMuted)
    output.look(at: world(on: nil, defaultSink: "headset", hasStream: false), ownInput: nil)
    #expect(!output.isMuted)
    let muted = world(on: nil, hasStream: false)
    output.look(at: muted, ownInput: nil)
    output.look(at: muted, ownInput: nil, chosenSink: "headset")
    #expect(!output.isMuted)
  }

  @Test("every reason has a word of its own")
  func texts() {
    let all = Inaudibility.allCases.map { SilenceReason.inaudible($0).text }
    #expect(all == ["muted", "volume", "output-muted", "output-volume"])
  }
}
