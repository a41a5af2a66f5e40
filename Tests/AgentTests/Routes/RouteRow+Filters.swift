// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit

// The music plays to a filter, such as an equalizer, which plays on to what the listener hears.
extension RouteRow {
  static let filterRows = [
    RouteRow(
      name: "behind a filter: jack out", cards: [.laptop()],
      filters: [.remap("equalizer", of: "laptop")], start: "equalizer", reasons: ["oldDeviceUnavailable"],
      end: .paused
    ) { try $0.card(.laptop()).setAvailable(["headphones": .no, "speaker": .unknown]) },
    RouteRow(
      name: "behind a filter: jack in", cards: [.laptop(headphonesIn: false)],
      filters: [.remap("equalizer", of: "laptop")], start: "equalizer", reasons: ["newDeviceAvailable"],
      end: .sounds(on: "laptop")
    ) { try $0.card(.laptop()).setAvailable(["headphones": .yes, "speaker": .no]) },
    RouteRow(
      name: "behind a filter: a headset out, and the filter goes on with the speakers or goes too",
      sinks: ["speakers"], cards: [.usbHeadset], filters: [.remap("equalizer", of: "headset")],
      start: "equalizer", reasons: ["oldDeviceUnavailable"], end: .paused
    ) { try $0.card(.usbHeadset).remove() },
    RouteRow(
      name: "behind a loopback: jack out", sinks: ["mix"], cards: [.laptop()],
      filters: [.loopback(of: "mix", to: "laptop")], start: "mix", reasons: ["oldDeviceUnavailable"],
      end: .paused
    ) { try $0.card(.laptop()).setAvailable(["headphones": .no, "speaker": .unknown]) },
    RouteRow(
      name: "behind Easy Effects: the move to it is no change, jack out is a loss",
      sinks: ["easyeffects_sink"], cards: [.laptop()], start: "laptop", reasons: ["oldDeviceUnavailable"],
      end: .paused
    ) { stage in
      try stage.moveStream(to: "easyeffects_sink")
      try stage.ears.waitForSound(on: "easyeffects_sink")
      stage.ears.mark()
      try stage.card(.laptop()).setAvailable(["headphones": .no, "speaker": .unknown])
    },
  ]
}
