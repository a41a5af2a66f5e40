// SPDX-License-Identifier: MIT
import AudioModel
import Testing

@testable import PlaybackLogic

/// One row of the table: what a server tells, and what it means.
struct RouteRow: CustomTestStringConvertible {
  let name: String
  let start: Desk
  let trace: [Moment]
  let reasons: [RouteChange.Reason]
  var pauses = false
  var holds = ""
  /// When the first change is told; a second at the longest.
  var told: Int?

  var testDescription: String { name }

  static let all = jackRows + deviceRows + moveRows + filterRows + managerRows
}

private typealias Row = RouteRow

private let speakers = Desk.laptop(jack: false)
private let headphones = Desk.laptop(jack: true)
private let onUSB = Desk.laptop(jack: false).addingUSB().playing(on: Desk.usb)
private let onA2DP = Desk.laptop(jack: false).addingA2DP().playing(on: Desk.a2dp)
private let laptopHDMI = Desk.laptop(jack: false).jack("hdmi", .yes).without(Desk.analog)
  .adding(
    Desk.hdmi, "hdmi", card: 0, "pci", bus: "pci", port: Port(name: "hdmi", kind: .hdmi, availability: .yes)
  )
  .playing(on: Desk.hdmi)
private let analogSink = speakers.sinks[0]

extension Desk {
  fileprivate func addingAnalog() -> Desk { with { $0.sinks.append(analogSink) } }
}

private let cardTold = RouteEvent.card(.changed, Desk.pci)
private let sinkTold = RouteEvent.sink(.changed, Desk.analog)
private func gone(_ sink: Sink.Index) -> RouteEvent { .sink(.removed, sink) }
private func cardGone(_ card: UInt32) -> RouteEvent { .card(.removed, Card.Index(rawValue: card)) }

// MARK: The jack: one sink, other ports

let jackRows: [RouteRow] = [
  Row(
    name: "PulseAudio: headphones in", start: speakers,
    trace: [
      Moment(0, cardTold), Moment(0, sinkTold), Moment(1, speakers.headphones(true).read),
      Moment(2, speakers.headphones(true).read),
    ],
    reasons: [.newDeviceAvailable], told: 50),
  Row(
    name: "PulseAudio: headphones out", start: headphones,
    trace: [
      Moment(0, cardTold), Moment(0, sinkTold), Moment(1, headphones.headphones(false).read),
      Moment(2, headphones.headphones(false).read),
    ],
    reasons: [.oldDeviceUnavailable], pauses: true, holds: "+1 -50", told: 50),
  Row(
    name: "PipeWire: headphones out, the port first and the speaker after it", start: headphones,
    trace: [
      Moment(0, sinkTold), Moment(1, headphones.jack("headphones", .no).read), Moment(2, sinkTold),
      Moment(3, headphones.headphones(false).playing(on: nil).read), Moment(10, .moved(to: Desk.analog)),
      Moment(11, headphones.headphones(false).read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+1 -60", told: 60),
  Row(
    name: "headphones out, and the speaker only seconds later: one loss", start: headphones,
    trace: [
      Moment(0, sinkTold), Moment(1, headphones.jack("headphones", .no).read), Moment(900, sinkTold),
      Moment(901, headphones.headphones(false).read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+1 -50", told: 50),
  Row(
    name: "PipeWire: the speaker goes silent first, then the headphones are there", start: speakers,
    trace: [
      Moment(0, sinkTold), Moment(1, speakers.jack("speaker", .no).read), Moment(2, sinkTold),
      Moment(3, speakers.headphones(true).read),
    ], reasons: [.newDeviceAvailable], told: 52),
  Row(
    name: "PipeWire: a plug that bounces within five milliseconds", start: speakers,
    trace: [
      Moment(0, sinkTold), Moment(1, speakers.headphones(true).read), Moment(2, sinkTold),
      Moment(3, speakers.headphones(true).port("speaker").read), Moment(5, sinkTold),
      Moment(6, speakers.headphones(true).read),
    ], reasons: [.newDeviceAvailable], told: 55),
  Row(
    name: "the jack rattles, and the sound stays on the speaker", start: headphones,
    trace: [
      Moment(0, sinkTold), Moment(1, headphones.headphones(false).read), Moment(20, sinkTold),
      Moment(21, headphones.port("speaker").read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+1 -70", told: 70),
  Row(
    name: "the jack rattles, and the headphones are back at once", start: headphones,
    trace: [
      Moment(0, sinkTold), Moment(1, headphones.headphones(false).read), Moment(20, sinkTold),
      Moment(21, headphones.read),
    ], reasons: [], holds: "+1 -21"),
  Row(
    name: "the speaker port says no and stays the active one", start: speakers,
    trace: [Moment(0, sinkTold), Moment(1, speakers.jack("speaker", .no).read)], reasons: []),
  Row(
    name: "the user chose a port", start: headphones,
    trace: [Moment(0, sinkTold), Moment(1, headphones.port("speaker").jack("speaker", .unknown).read)],
    reasons: [.override], told: 50),
  Row(
    name: "the speaker was muted by another jack, for another built-in output",
    start: speakers,
    trace: [
      Moment(0, sinkTold),
      Moment(
        1,
        speakers.with { $0.sinks[0].ports.append(Port(name: "woofer", kind: .speaker)) }.jack("speaker", .no)
          .port("woofer").read),
    ], reasons: [.routeConfigurationChange], told: 50),
  Row(
    name: "of two headphones the unused one goes", start: headphones.addingUSB(),
    trace: [
      Moment(0, gone(Desk.usb)), Moment(0, cardGone(1)), Moment(1, headphones.read),
      Moment(2, headphones.read),
    ],
    reasons: []),
  Row(
    name: "of two headphones the used one goes", start: headphones.addingUSB().playing(on: Desk.usb),
    trace: [
      Moment(0, .moved(to: Desk.analog)), Moment(0, gone(Desk.usb)), Moment(0, cardGone(1)),
      Moment(1, headphones.read),
      Moment(2, headphones.read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+0 -50", told: 50),
  Row(
    name: "a headset in the jack that first called itself headphones",
    start: headphones.jack("headphones", .yes, group: "jack"),
    trace: [
      Moment(0, sinkTold),
      Moment(1, jackWithHeadset(.no).read), Moment(2, cardTold),
      Moment(3, jackWithHeadset(.yes).jack("headphones", .no).port("headset").read),
    ], reasons: [.newDeviceAvailable], told: 52),
  Row(
    name: "a jack that counts the speaker among its ports is pulled out",
    start: headphones.jack("headphones", .yes, group: "jack").jack("speaker", .no, group: "jack"),
    trace: [
      Moment(0, sinkTold),
      Moment(
        1,
        headphones.headphones(false).jack("headphones", .no, group: "jack").jack(
          "speaker", .unknown, group: "jack"
        ).read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+1 -50", told: 50),
]

private func jackWithHeadset(_ availability: Port.Availability) -> Desk {
  let headset = Port(name: "headset", kind: .headset, availability: availability, availabilityGroup: "jack")
  return headphones.jack("headphones", .yes, group: "jack").with {
    $0.sinks[0].ports.append(headset)
    $0.cards[0].ports.append(headset)
  }
}

/// Headphones are plugged in, and the card has not changed its profile for them yet.
private let pluggedBeforeProfile = speakers.jack("headphones", .yes).jack("speaker", .no)

// MARK: Sinks and cards that come and go

let deviceRows: [RouteRow] = [
  Row(
    name: "PulseAudio: USB out, told of the move first", start: onUSB,
    trace: [
      Moment(0, .moved(to: Desk.analog)), Moment(0, .serverChanged), Moment(0, gone(Desk.usb)),
      Moment(0, cardGone(1)),
      Moment(1, speakers.read), Moment(2, speakers.read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+0 -50", told: 50),
  Row(
    name: "PipeWire: USB out, told of the sink first, linked anew ten milliseconds later", start: onUSB,
    trace: [
      Moment(0, cardGone(1)), Moment(0, gone(Desk.usb)), Moment(1, speakers.playing(on: nil).read),
      Moment(2, speakers.playing(on: nil).read), Moment(10, .moved(to: Desk.analog)),
      Moment(11, speakers.read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+0 -60", told: 60),
  Row(
    name:
      "WirePlumber holds the link back for a second: the loss is told at the limit, the move says no more",
    start: onUSB,
    trace: [
      Moment(0, cardGone(1)), Moment(0, gone(Desk.usb)), Moment(1, speakers.playing(on: nil).read),
      Moment(2, speakers.playing(on: nil).read), Moment(101, speakers.playing(on: nil).read),
      Moment(1_010, .moved(to: Desk.analog)), Moment(1_011, speakers.read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+0 -101 +1010 -1011", told: 101),
  Row(
    name: "PipeWire: USB out in a pause, linked anew without a sign", start: onUSB,
    trace: [
      Moment(0, cardGone(1)), Moment(0, gone(Desk.usb)), Moment(1, speakers.playing(on: nil).read),
      Moment(2, speakers.playing(on: nil).read), Moment(101, speakers.read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+0 -101", told: 101),
  Row(
    name: "HDMI unplugged through a profile: sink and port go one after the other", start: laptopHDMI,
    trace: [
      Moment(0, cardTold), Moment(1, laptopHDMI.jack("hdmi", .no).read), Moment(300, .moved(to: Desk.analog)),
      Moment(300, gone(Desk.hdmi)),
      Moment(
        301, laptopHDMI.jack("hdmi", .no).without(Desk.hdmi).addingAnalog().playing(on: Desk.analog).read),
      Moment(
        302, laptopHDMI.jack("hdmi", .no).without(Desk.hdmi).addingAnalog().playing(on: Desk.analog).read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+1 -50 +300 -302", told: 50),
  Row(
    name: "HDMI unplugged, and its card turns to headphones that were in all the time", start: hdmiBesideJack,
    trace: [
      Moment(0, cardTold), Moment(1, hdmiBesideJack.jack("hdmi", .no).read),
      Moment(300, .moved(to: Desk.analog)),
      Moment(300, gone(Desk.hdmi)), Moment(301, headphones.read), Moment(302, headphones.read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+1 -50 +300 -302", told: 50),
  Row(
    name: "HDMI unplugged through a profile: all at once", start: laptopHDMI,
    trace: [
      Moment(0, .moved(to: Desk.analog)), Moment(0, gone(Desk.hdmi)),
      Moment(1, laptopHDMI.jack("hdmi", .no).without(Desk.hdmi).addingAnalog().playing(on: Desk.analog).read),
      Moment(2, laptopHDMI.jack("hdmi", .no).without(Desk.hdmi).addingAnalog().playing(on: Desk.analog).read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+0 -50", told: 50),
  Row(
    name: "headphones through a profile: another sink of the same card with a fresh port", start: speakers,
    trace: [
      Moment(0, .moved(to: Desk.hdmi)), Moment(0, gone(Desk.analog)), Moment(1, ucmHeadphones.read),
      Moment(2, ucmHeadphones.read),
    ], reasons: [.newDeviceAvailable], holds: "+0 -2", told: 50),
  Row(
    name: "headphones through a profile, by way of no sink at all for a while", start: speakers,
    trace: [
      Moment(0, cardTold), Moment(1, pluggedBeforeProfile.read), Moment(20, gone(Desk.analog)),
      Moment(21, pluggedBeforeProfile.without(Desk.analog).addingNull().playing(on: Desk.null).read),
      Moment(200, pluggedBeforeProfile.without(Desk.analog).addingNull().playing(on: Desk.null).read),
      Moment(300, .moved(to: Desk.hdmi)), Moment(301, ucmHeadphones.read), Moment(302, ucmHeadphones.read),
    ], reasons: [.newDeviceAvailable], holds: "+20 -301", told: 301),
  Row(
    name: "the user chose a profile", start: speakers.jack("hdmi", .yes),
    trace: [
      Moment(0, .moved(to: Desk.hdmi)), Moment(0, gone(Desk.analog)), Moment(1, laptopHDMI.read),
      Moment(2, laptopHDMI.read),
    ], reasons: [.override], holds: "+0 -2", told: 50),
  Row(
    name: "a sink of the same card and port under another profile", start: headphones,
    trace: [
      Moment(0, .moved(to: Desk.hdmi)), Moment(0, gone(Desk.analog)), Moment(1, surround.read),
      Moment(2, surround.read),
    ], reasons: [.categoryChange], holds: "+0 -2", told: 50),
  Row(
    name: "PulseAudio: A2DP to hands-free, by way of the speakers in one batch", start: onA2DP,
    trace: [
      Moment(0, .moved(to: Desk.analog)), Moment(0, gone(Desk.a2dp)), Moment(0, .moved(to: Desk.handsfree)),
      Moment(1, handsfree.read), Moment(2, handsfree.read),
    ], reasons: [.categoryChange], holds: "+0 -2", told: 50),
  Row(
    name: "PipeWire: A2DP to hands-free, 700 ms on the speakers", start: onA2DP,
    trace: [
      Moment(0, gone(Desk.a2dp)), Moment(1, bluetoothAway.playing(on: nil).read),
      Moment(5, .moved(to: Desk.analog)),
      Moment(6, bluetoothAway.read), Moment(700, .sink(.new, Desk.handsfree)),
      Moment(701, handsfree.playing(on: Desk.analog).read),
      Moment(703, .moved(to: Desk.handsfree)), Moment(704, handsfree.read),
    ], reasons: [.categoryChange], holds: "+0 -704", told: 704),
  Row(
    name: "A2DP to hands-free while the link is held back for more than a second", start: onA2DP,
    trace: [
      Moment(0, gone(Desk.a2dp)), Moment(1, bluetoothAway.playing(on: nil).read),
      Moment(300, .sink(.new, Desk.handsfree)), Moment(301, handsfree.playing(on: nil).read),
      Moment(1_020, .moved(to: Desk.handsfree)), Moment(1_021, handsfree.read),
    ], reasons: [.categoryChange], holds: "+0 -1021", told: 1_021),
  Row(
    name: "A2DP to hands-free, with the old profile's port saying no in between", start: onA2DP,
    trace: [
      Moment(0, .moved(to: Desk.analog)), Moment(0, gone(Desk.a2dp)),
      Moment(1, bluetoothAway.jack("headset", .no).read),
      Moment(2, bluetoothAway.jack("headset", .no).read), Moment(300, .moved(to: Desk.handsfree)),
      Moment(301, handsfree.read),
    ], reasons: [.categoryChange], holds: "+0 -301", told: 301),
  Row(
    name: "the Bluetooth link is lost and the card stays", start: onA2DP,
    trace: [
      Moment(0, .moved(to: Desk.analog)), Moment(0, gone(Desk.a2dp)), Moment(1, bluetoothAway.read),
      Moment(2, bluetoothAway.read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+0 -1002", told: 1_002),
  Row(
    name: "the Bluetooth headset comes back, but our sound stays on the speakers", start: onA2DP,
    trace: [
      Moment(0, .moved(to: Desk.analog)), Moment(0, gone(Desk.a2dp)), Moment(1, bluetoothAway.read),
      Moment(2, bluetoothAway.read),
      Moment(300, .sink(.new, Desk.handsfree)), Moment(301, handsfree.playing(on: Desk.analog).read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+0 -1002", told: 1_002),
  Row(
    name: "the Bluetooth card goes after its sink", start: onA2DP,
    trace: [
      Moment(0, .moved(to: Desk.analog)), Moment(0, gone(Desk.a2dp)), Moment(1, bluetoothAway.read),
      Moment(2, bluetoothAway.read),
      Moment(200, cardGone(2)), Moment(201, speakers.read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+0 -201", told: 201),
  Row(
    name: "a USB card is switched off in a mixer", start: onUSB,
    trace: [
      Moment(0, .moved(to: Desk.analog)), Moment(0, gone(Desk.usb)),
      Moment(1, onUSB.without(Desk.usb).profile("off", of: 1).playing(on: Desk.analog).read),
      Moment(2, onUSB.without(Desk.usb).profile("off", of: 1).playing(on: Desk.analog).read),
    ], reasons: [.oldDeviceUnavailable], pauses: true, holds: "+0 -50", told: 50),
]

private let hdmiBesideJack = Desk.laptop(jack: true).jack("hdmi", .yes).without(Desk.analog)
  .adding(
    Desk.hdmi, "hdmi", card: 0, "pci", bus: "pci", port: Port(name: "hdmi", kind: .hdmi, availability: .yes)
  )
  .playing(on: Desk.hdmi)
private let bluetoothAway = onA2DP.without(Desk.a2dp).playing(on: Desk.analog)
private let handsfree = onA2DP.without(Desk.a2dp).addingHandsfree().playing(on: Desk.handsfree)
private let ucmHeadphones = speakers.headphones(true).without(Desk.analog)
  .adding(
    Desk.hdmi, "ucm", card: 0, "pci", bus: "pci",
    port: Port(name: "headphones", kind: .headphones, availability: .yes)
  )
  .playing(on: Desk.hdmi)
private let surround = headphones.without(Desk.analog)
  .adding(
    Desk.hdmi, "surround", card: 0, "pci", bus: "pci",
    port: Port(name: "headphones", kind: .headphones, availability: .yes)
  )
  .playing(on: Desk.hdmi)

// MARK: Our stream goes elsewhere, and the old sink stays

let moveRows: [RouteRow] = [
  Row(
    name: "the server left a sink whose port is empty", start: laptopHDMI.addingUSB(),
    trace: [
      Moment(0, .moved(to: Desk.usb)),
      Moment(1, laptopHDMI.addingUSB().jack("hdmi", .no).playing(on: Desk.usb).read),
    ],
    reasons: [.oldDeviceUnavailable], pauses: true, holds: "+0 -50", told: 50),
  Row(
    name: "plugged in: the destination has just appeared", start: speakers,
    trace: [
      Moment(0, .sink(.new, Desk.usb)), Moment(1, onUSB.playing(on: Desk.analog).read),
      Moment(1_500, .moved(to: Desk.usb)),
      Moment(1_501, onUSB.read),
    ], reasons: [.newDeviceAvailable], holds: "+1500 -1501", told: 1_550),
  Row(
    name: "the user changed the default long after", start: speakers,
    trace: [
      Moment(0, .sink(.new, Desk.usb)), Moment(1, onUSB.playing(on: Desk.analog).read),
      Moment(2_500, .serverChanged),
      Moment(2_500, .moved(to: Desk.usb)), Moment(2_501, onUSB.read), Moment(2_502, onUSB.read),
    ], reasons: [.override], holds: "+2500 -2502", told: 2_550),
  Row(
    name: "what was plugged in goes again before it was told", start: speakers,
    trace: [
      Moment(0, .sink(.new, Desk.usb)), Moment(0, .moved(to: Desk.usb)), Moment(1, onUSB.read),
      Moment(2, onUSB.read),
      Moment(30, .moved(to: Desk.analog)), Moment(30, gone(Desk.usb)), Moment(30, cardGone(1)),
      Moment(31, speakers.read),
      Moment(32, speakers.read),
    ], reasons: [.newDeviceAvailable, .oldDeviceUnavailable], pauses: true, holds: "+0 -2 +30 -81", told: 31),
  Row(
    name: "the user moved the stream", start: onUSB,
    trace: [Moment(0, .moved(to: Desk.analog)), Moment(1, onUSB.playing(on: Desk.analog).read)],
    reasons: [.override], holds: "+0 -1", told: 50),
  Row(
    name: "PipeWire shows the stream without a sink for some milliseconds", start: onUSB,
    trace: [
      Moment(0, .serverChanged), Moment(1, onUSB.playing(on: nil).read), Moment(20, .moved(to: Desk.analog)),
      Moment(21, onUSB.playing(on: Desk.analog).read),
    ], reasons: [.override], holds: "+20 -21", told: 70),
  Row(
    name: "a sink's volume is turned", start: speakers,
    trace: (0..<40).flatMap { [Moment($0 * 20, sinkTold), Moment($0 * 20 + 1, speakers.read)] }, reasons: []),
  Row(
    name: "nothing is left", start: onUSB.without(Desk.analog),
    trace: [
      Moment(0, .moved(to: Desk.null)), Moment(0, gone(Desk.usb)), Moment(0, cardGone(1)),
      Moment(1, nothing.read),
      Moment(2, nothing.read),
    ], reasons: [.oldDeviceUnavailable, .noSuitableRouteForCategory], pauses: true, holds: "+0 -50", told: 50),
  Row(
    name: "the device is back from nothing", start: nothing,
    trace: [Moment(0, .moved(to: Desk.usb)), Moment(1, onUSB.read)], reasons: [.newDeviceAvailable],
    holds: "+0 -1",
    told: 50),
  Row(
    name: "the only Bluetooth headset changes its profile by way of nothing",
    start: onA2DP.without(Desk.analog),
    trace: [
      Moment(0, .moved(to: Desk.null)), Moment(0, gone(Desk.a2dp)),
      Moment(1, bluetoothAway.without(Desk.analog).addingNull().playing(on: Desk.null).read),
      Moment(2, bluetoothAway.without(Desk.analog).addingNull().playing(on: Desk.null).read),
      Moment(400, .moved(to: Desk.handsfree)), Moment(401, handsfree.without(Desk.analog).read),
    ], reasons: [.categoryChange], holds: "+0 -401", told: 401),
  Row(
    name: "the machine woke up", start: headphones, trace: [Moment(0, .wokeUp)], reasons: [.wakeFromSleep],
    told: 0),
]

private let nothing = Desk().addingNull().playing(on: Desk.null)
