// SPDX-License-Identifier: MIT
import AudioModel

@testable import PlaybackLogic

private let headphones = Desk.laptop(jack: true).onPipeWire()
private let speakers = Desk.laptop(jack: false).onPipeWire()
private let onUSB = speakers.addingUSB().playing(on: Desk.usb)
/// What is left when PipeWire's session manager ends: PipeWire itself, with our stream.
private let nothing = Desk().onPipeWire()
private let monitor = Sink.Index(rawValue: 50)

extension Desk {
  func onPipeWire() -> Desk { with { $0.server = "PulseAudio (on PipeWire 1.2)" } }

  fileprivate func addingMonitor() -> Desk {
    adding(monitor, "tv", card: 51, "graphics", bus: "pci", port: Port(name: "tv", kind: .hdmi))
  }
}

private func gone(_ sink: Sink.Index) -> RouteEvent { .sink(.removed, sink) }
private let made = RouteEvent.sink(.new, Sink.Index(rawValue: 100))

// MARK: PipeWire's session manager ends, and with it all devices that it had made

let managerRows: [RouteRow] = [
  RouteRow(
    name: "PipeWire: the session manager is restarted, and the sound goes on where it was", start: headphones,
    trace: [
      Moment(0, gone(Desk.analog)), Moment(1, nothing.read), Moment(900, made),
      Moment(901, headphones.renumbered().playing(on: nil).read), Moment(930, .streamChanged),
      Moment(931, headphones.renumbered().read),
    ], reasons: [], holds: "+0 -931"),
  RouteRow(
    name: "PipeWire: the session manager is restarted, and another device is there first", start: headphones,
    trace: [
      Moment(0, gone(Desk.analog)), Moment(1, nothing.read), Moment(700, made),
      Moment(701, nothing.addingMonitor().playing(on: monitor).read), Moment(900, made),
      Moment(901, headphones.renumbered().addingMonitor().read),
    ], reasons: [], holds: "+0 -901"),
  RouteRow(
    name: "PipeWire: the session manager is restarted, and a USB headset is back with the rest", start: onUSB,
    trace: [
      Moment(0, gone(Desk.usb)), Moment(1, speakers.playing(on: nil).read), Moment(2, gone(Desk.analog)),
      Moment(3, nothing.read), Moment(900, made), Moment(901, onUSB.renumbered().read),
    ], reasons: [], holds: "+0 -901"),
  RouteRow(
    name: "PipeWire: the session manager is restarted, and a USB headset is the last to go", start: onUSB,
    trace: [
      Moment(0, gone(Desk.analog)), Moment(1, nothing.addingUSB().playing(on: Desk.usb).read),
      Moment(2, gone(Desk.usb)), Moment(3, nothing.read), Moment(900, made),
      Moment(901, onUSB.renumbered().read),
    ], reasons: [], holds: "+2 -901"),
  RouteRow(
    name: "PipeWire: a USB headset is pulled out soon after the session manager was restarted", start: onUSB,
    trace: [
      Moment(0, gone(Desk.usb)), Moment(1, nothing.read), Moment(900, made),
      Moment(901, onUSB.renumbered().read), Moment(2_000, gone(Sink.Index(rawValue: 101))),
      Moment(2_001, speakers.renumbered().read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+0 -901 +2000 -2050", told: 2_050),
  RouteRow(
    name: "PipeWire: the session manager ends for good", start: headphones,
    trace: [Moment(0, gone(Desk.analog)), Moment(1, nothing.read)],
    reasons: [.oldDeviceUnavailable, .noSuitableRouteForCategory], pauses: true, holds: "+0 -5001",
    told: 5_001),
  RouteRow(
    name: "PipeWire: the headphones were pulled out while the session manager was restarted",
    start: headphones,
    trace: [
      Moment(0, gone(Desk.analog)), Moment(1, nothing.read), Moment(900, made),
      Moment(901, speakers.renumbered().read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+0 -5001", told: 5_001),
  RouteRow(
    name: "PipeWire: a USB headset is pulled out, and the built-in card stays", start: onUSB,
    trace: [Moment(0, gone(Desk.usb)), Moment(1, speakers.read), Moment(2, speakers.read)],
    reasons: [.oldDeviceUnavailable], pauses: true, holds: "+0 -50", told: 50),
  RouteRow(
    name: "PipeWire: a USB headset is pulled out of a machine that has no other output",
    start: nothing.addingUSB().playing(on: Desk.usb),
    trace: [Moment(0, gone(Desk.usb)), Moment(1, nothing.read), Moment(2, nothing.read)],
    reasons: [.oldDeviceUnavailable, .noSuitableRouteForCategory], pauses: true, holds: "+0 -50", told: 50),
]
