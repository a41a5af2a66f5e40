// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit

// The music goes to another sink, or to none.
extension RouteRow {
  static let moveRows = [
    RouteRow(
      name: "the server leaves a sink whose socket is empty", sinks: ["speakers"],
      cards: [.laptop(mutesSpeaker: false)], modules: [.alwaysSink], start: "laptop",
      reasons: ["oldDeviceUnavailable"], end: .paused,
      impossible: [.pipeWire: "WirePlumber turns to another port, and leaves a profile that has none"]
    ) { stage in
      try stage.card(.laptop()).setAvailable(["headphones": .no])
      try stage.server.control.wait(for: "the speakers as the default") {
        $0.server.defaultSink == "speakers"
      }
    },
    RouteRow(
      name: "plugged in, and the server turns to it", sinks: ["speakers"],
      modules: .usual + [.switchOnConnect], start: "speakers", isChosen: false,
      reasons: ["newDeviceAvailable"], end: .sounds(on: "headset")
    ) { try $0.insert(.usbHeadset, turningTo: "headset") },
    RouteRow(
      name: "the user changed the default", sinks: ["speakers", "others"], start: "speakers",
      reasons: ["override"], end: .sounds(on: "others")
    ) { try $0.server.control.setDefaultSink("others") },
    RouteRow(
      name: "the user moved the music", sinks: ["speakers", "others"], start: "speakers",
      reasons: ["override"], end: .sounds(on: "others")
    ) { try $0.moveStream(to: "others") },
    RouteRow(
      name: "the user moved the music off headphones that are in", sinks: ["speakers"],
      cards: [.laptop()], start: "laptop", reasons: ["override"], end: .sounds(on: "speakers")
    ) { try $0.moveStream(to: "speakers") },
    RouteRow(
      name: "nothing is left", cards: [.usbHeadset], start: "headset",
      reasons: ["oldDeviceUnavailable", "noSuitableRouteForCategory"], end: .paused
    ) { try $0.card(.usbHeadset).remove() },
    RouteRow(
      name: "nothing is left, and the headset returns", cards: [.usbHeadset], start: "headset",
      reasons: ["oldDeviceUnavailable", "noSuitableRouteForCategory", "newDeviceAvailable"], end: .paused
    ) { stage in
      try stage.card(.usbHeadset).remove()
      stage.events.wait(forChanges: 2)
      // The headset sounded until it was pulled out.
      stage.ears.mark()
      try stage.insert(.usbHeadset, turningTo: "headset")
    },
  ]
}
