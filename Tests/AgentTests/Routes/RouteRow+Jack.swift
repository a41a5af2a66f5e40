// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit

// One sink, and several sockets.
extension RouteRow {
  static let jackRows = [
    RouteRow(
      name: "plugged in", cards: [.laptop(headphonesIn: false)], start: "laptop",
      reasons: ["newDeviceAvailable"], end: .sounds(on: "laptop")
    ) { try $0.card(.laptop()).setAvailable(["headphones": .yes, "speaker": .no]) },
    RouteRow(
      name: "jack out, and the server turns to the speaker", cards: [.laptop()], start: "laptop",
      reasons: ["oldDeviceUnavailable"], end: .paused
    ) { try $0.card(.laptop()).setAvailable(["headphones": .no, "speaker": .unknown]) },
    RouteRow(
      name: "jack out, and the port stays the active one", cards: [.laptop(mutesSpeaker: false)],
      modules: [.alwaysSink], start: "laptop", reasons: ["oldDeviceUnavailable"], end: .paused,
      impossible: [.pipeWire: "WirePlumber turns to another port whenever there is one"]
    ) { try $0.card(.laptop()).setAvailable(["headphones": .no]) },
    RouteRow(
      name: "the speaker goes silent and stays the active port", cards: [.laptop(headphonesIn: false)],
      modules: [.alwaysSink], start: "laptop", reasons: [], end: .sounds(on: "laptop"),
      impossible: [
        .pipeWire: "only for a moment, as the first half of a plug: a profile without a socket in use is left"
      ]
    ) { stage in
      try stage.card(.laptop()).setAvailable(["speaker": .no])
      try stage.server.control.wait(for: "a silent speaker") {
        $0.sink(named: "laptop")?.active?.availability == .no
      }
    },
    RouteRow(
      name: "the user chose a port", cards: [.laptop(mutesSpeaker: false)], start: "laptop",
      reasons: ["override"], end: .sounds(on: "laptop")
    ) { try $0.card(.laptop()).setRoute("speaker") },
    RouteRow(
      name: "a speaker muted by another jack", cards: [.twoSpeakers], start: "built-in",
      reasons: ["routeConfigurationChange"], end: .sounds(on: "built-in")
    ) { try $0.card(.twoSpeakers).setAvailable(["front": .no]) },
    RouteRow(
      name: "of two headphones the unused ones' jack goes out", cards: [.laptop(), .usbHeadset],
      start: "headset", reasons: [], end: .sounds(on: "headset")
    ) { stage in
      try stage.card(.laptop()).setAvailable(["headphones": .no, "speaker": .unknown])
      try stage.server.control.wait(for: "the speaker") {
        $0.sink(named: "laptop")?.activePort == "speaker"
      }
    },
  ]
}
