// SPDX-License-Identifier: MIT
import AudioModel

@testable import PlaybackLogic

private let speakers = Desk.laptop(jack: false)
private let headphones = Desk.laptop(jack: true)
private let onUSB = Desk.laptop(jack: false).addingUSB().playing(on: Desk.usb)
private let sinkTold = RouteEvent.sink(.changed, Desk.analog)

extension Desk {
  fileprivate static let equalizer = Sink.Index(rawValue: 20)

  /// Our stream plays to a filter, which plays on to where the stream was.
  func behindFilter() -> Desk {
    with {
      let group = ["node.link-group": "filter"]
      $0.sinks.append(Sink(index: Self.equalizer, name: "equalizer", module: 5, properties: group))
      $0.others = [
        SinkInput(index: SinkInput.Index(rawValue: 70), sink: $0.stream, module: 5, properties: group)
      ]
      $0.stream = Self.equalizer
    }
  }

  /// The same, but the server does not show where the filter's own stream is.
  func behindDarkFilter() -> Desk { behindFilter().with { $0.others[0].sink = nil } }

  /// Our stream plays to Easy Effects, of which the server shows no stream, and this is the default sink.
  fileprivate func behindEasyEffects(default name: String) -> Desk {
    with {
      $0.sinks.append(Sink(index: Self.equalizer, name: "easyeffects_sink"))
      $0.stream = Self.equalizer
      $0.defaultSink = name
    }
  }
}

// MARK: A filter between our stream and where it is heard

let filterRows: [RouteRow] = [
  RouteRow(
    name: "headphones out, and our stream stays on the filter", start: headphones.behindFilter(),
    trace: [Moment(0, sinkTold), Moment(1, headphones.headphones(false).behindFilter().read)],
    reasons: [.oldDeviceUnavailable], pauses: true, holds: "+1 -50", told: 50),
  RouteRow(
    name: "headphones in", start: speakers.behindFilter(),
    trace: [Moment(0, sinkTold), Moment(1, speakers.headphones(true).behindFilter().read)],
    reasons: [.newDeviceAvailable], told: 50),
  RouteRow(
    name: "USB out, and the filter is told to be on the speakers first", start: onUSB.behindFilter(),
    trace: [
      Moment(0, .otherStreamChanged), Moment(1, onUSB.playing(on: Desk.analog).behindFilter().read),
      Moment(2, .sink(.removed, Desk.usb)), Moment(3, speakers.behindFilter().read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+3 -52", told: 52),
  RouteRow(
    name: "USB out: silence at once, before the server is read", start: onUSB.behindFilter(),
    trace: [Moment(0, .sink(.removed, Desk.usb)), Moment(1, speakers.behindFilter().read)],
    reasons: [.oldDeviceUnavailable], pauses: true, holds: "+0 -50", told: 50),
  RouteRow(
    name: "PipeWire: USB out, and the filter is linked anew ten milliseconds later",
    start: onUSB.behindFilter(),
    trace: [
      Moment(0, .sink(.removed, Desk.usb)), Moment(1, speakers.playing(on: nil).behindFilter().read),
      Moment(10, .otherStreamChanged), Moment(11, speakers.behindFilter().read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+0 -60", told: 60),
  RouteRow(
    name: "the filter itself is taken away, and our stream goes on where it was heard",
    start: headphones.behindFilter(),
    trace: [
      Moment(0, .moved(to: Desk.analog)), Moment(0, .sink(.removed, Desk.equalizer)),
      Moment(1, headphones.read), Moment(2, headphones.read),
    ], reasons: [], holds: "+0 -2"),
  RouteRow(
    name: "the filter itself is taken away, the headphones stay, and our stream goes on aloud",
    start: onUSB.behindFilter(),
    trace: [
      Moment(0, .sink(.removed, Desk.equalizer)), Moment(1, onUSB.playing(on: Desk.analog).read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+0 -50", told: 50),
  RouteRow(
    name: "PipeWire: the filter itself is taken away, the headphones stay, and our stream goes on aloud",
    start: onUSB.onPipeWire().behindFilter(),
    trace: [
      Moment(0, .sink(.removed, Desk.equalizer)), Moment(1, onUSB.onPipeWire().playing(on: Desk.analog).read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+0 -50", told: 50),
  RouteRow(
    name:
      "the server does not show where a filter plays on to: from a headset there, and the headset goes later",
    start: onUSB,
    trace: [
      Moment(0, .moved(to: Desk.equalizer)), Moment(1, onUSB.behindDarkFilter().read),
      Moment(101, onUSB.behindDarkFilter().read), Moment(5_000, .sink(.removed, Desk.usb)),
      Moment(5_001, speakers.behindDarkFilter().read),
    ], reasons: [.newDeviceAvailable], holds: "+0 -101", told: 101),
  RouteRow(
    name: "the server does not show any more where a filter plays on to: nothing has changed",
    start: onUSB.behindFilter(),
    trace: [
      Moment(0, .otherStreamChanged), Moment(1, onUSB.behindDarkFilter().read),
      Moment(101, onUSB.behindDarkFilter().read), Moment(5_000, .sink(.removed, Desk.usb)),
      Moment(5_001, speakers.behindDarkFilter().read), Moment(5_102, speakers.behindDarkFilter().read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+5000 -5102",
    told: 5_102),
  RouteRow(
    name:
      "PipeWire: a filter that goes on with another default, of which nobody is told, and back when that is gone",
    start: speakers.onPipeWire().addingUSB().playing(on: Desk.analog).behindFilter(),
    trace: [
      Moment(0, .serverChanged), Moment(1, onUSB.onPipeWire().playing(on: Desk.analog).behindFilter().read),
      Moment(101, onUSB.onPipeWire().behindFilter().read), Moment(5_000, .sink(.removed, Desk.usb)),
      Moment(5_001, speakers.onPipeWire().behindFilter().read),
    ], reasons: [.override, .oldDeviceUnavailable], pauses: true, holds: "+5000 -5050", told: 101),
  RouteRow(
    name: "a filter is put before the headphones", start: headphones,
    trace: [Moment(0, .moved(to: Desk.equalizer)), Moment(1, headphones.behindFilter().read)], reasons: [],
    holds: "+0 -1"),
  RouteRow(
    name: "the user has the filter play elsewhere", start: onUSB.behindFilter(),
    trace: [Moment(0, .otherStreamChanged), Moment(1, onUSB.playing(on: Desk.analog).behindFilter().read)],
    reasons: [.override], told: 50),
  RouteRow(
    name: "the headphones that the filter has left go out later", start: onUSB.behindFilter(),
    trace: [
      Moment(0, .otherStreamChanged), Moment(1, onUSB.playing(on: Desk.analog).behindFilter().read),
      Moment(1_000, .sink(.removed, Desk.usb)), Moment(1_001, speakers.behindFilter().read),
    ], reasons: [.override], told: 50),
  RouteRow(
    name: "Easy Effects: USB out, and it goes on with the new default",
    start: onUSB.behindEasyEffects(default: "usb"),
    trace: [
      Moment(0, .sink(.removed, Desk.usb)), Moment(1, speakers.behindEasyEffects(default: "usb").read),
      Moment(5, .serverChanged), Moment(6, speakers.behindEasyEffects(default: "analog").read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+0 -55", told: 55),
  RouteRow(
    name: "Easy Effects: headphones out", start: headphones.behindEasyEffects(default: "analog"),
    trace: [
      Moment(0, sinkTold), Moment(1, headphones.headphones(false).behindEasyEffects(default: "analog").read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+1 -50", told: 50),
  RouteRow(
    name: "another program's stream says nothing where there is no filter", start: headphones,
    trace: [Moment(0, .otherStreamChanged)], reasons: []),
]
