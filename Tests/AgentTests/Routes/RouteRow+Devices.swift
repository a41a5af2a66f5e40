// SPDX-License-Identifier: MIT
import AudioModel
import FermataTestKit

// Sinks and cards that come and go, and profiles.
extension RouteRow {
  static let deviceRows = [
    RouteRow(
      name: "another device comes and goes", sinks: ["speakers"], start: "speakers", reasons: [],
      end: .sounds(on: "speakers")
    ) { stage in
      try stage.insert(.usbHeadset)
      try stage.card(.usbHeadset).remove()
      try stage.server.control.wait(for: "the end of the headset") { $0.cards.isEmpty }
    },
    RouteRow(
      name: "a USB headset is pulled out", sinks: ["speakers"], cards: [.usbHeadset], start: "headset",
      reasons: ["oldDeviceUnavailable"], end: .paused
    ) { try $0.card(.usbHeadset).remove() },
    RouteRow(
      name: "of two headphones the used ones go", cards: [.laptop(), .usbHeadset], start: "headset",
      reasons: ["oldDeviceUnavailable"], end: .paused
    ) { try $0.card(.usbHeadset).remove() },
    RouteRow(
      name: "of two headphones the unused ones go", cards: [.laptop(), .usbHeadset], start: "laptop",
      reasons: [], end: .sounds(on: "laptop")
    ) { stage in
      try stage.card(.usbHeadset).remove()
      try stage.server.control.wait(for: "the end of the headset") { $0.cards.count == 1 }
    },
    RouteRow(
      name: "all devices go and are made anew, as where the session manager is restarted", cards: [.laptop()],
      start: "laptop", reasons: [], end: .sounds(on: "laptop"),
      impossible: [.pulseAudio: "its devices go only with the server, or one by one"]
    ) { stage in
      try stage.card(.laptop()).remove()
      try stage.server.control.wait(for: "the end of the card") { $0.cards.isEmpty }
      try stage.ears.listen(for: .milliseconds(500))
      try stage.insert(.laptop())
    },
    RouteRow(
      name: "HDMI unplugged, through a profile", cards: [.socketByProfile(.hdmi, isIn: true)],
      start: "socket", reasons: ["oldDeviceUnavailable"], end: .paused
    ) { try $0.card(.socketByProfile(.hdmi, isIn: true)).setAvailable(["socket": .no]) },
    RouteRow(
      name: "headphones out, through a profile", cards: [.socketByProfile(.headphones, isIn: true)],
      start: "socket", reasons: ["oldDeviceUnavailable"], end: .paused
    ) { try $0.card(.socketByProfile(.headphones, isIn: true)).setAvailable(["socket": .no]) },
    RouteRow(
      name: "headphones in, through a profile", cards: [.socketByProfile(.headphones, isIn: false)],
      start: "built-in", reasons: ["newDeviceAvailable"], end: .sounds(on: "socket")
    ) { try $0.card(.socketByProfile(.headphones, isIn: false)).setAvailable(["socket": .yes]) },
    RouteRow(
      name: "a Bluetooth headset turns to calls, and back to music", sinks: ["speakers"],
      cards: [.bluetoothHeadset], start: "bluetooth.a2dp",
      reasons: ["categoryChange", "categoryChange"],
      end: .sounds(on: "bluetooth.a2dp"), silent: ["speakers"]
    ) { stage in
      try stage.turnHeadset(to: "hfp")
      stage.events.wait(forChanges: 1)
      try stage.ears.waitForSound(on: "bluetooth.hfp")
      try stage.turnHeadset(to: "a2dp")
    },
    RouteRow(
      name: "a Bluetooth headset's profile is switched off", sinks: ["speakers"], cards: [.bluetoothHeadset],
      start: "bluetooth.a2dp", reasons: ["oldDeviceUnavailable"], end: .paused
    ) { try $0.card(.bluetoothHeadset).setProfile("off") },
    RouteRow(
      name: "a Bluetooth headset goes, card and all", sinks: ["speakers"], cards: [.bluetoothHeadset],
      start: "bluetooth.a2dp", reasons: ["oldDeviceUnavailable"], end: .paused
    ) { try $0.card(.bluetoothHeadset).remove() },
    RouteRow(
      name: "a USB headset's profile is switched off", sinks: ["speakers"], cards: [.usbHeadset],
      start: "headset", reasons: ["oldDeviceUnavailable"], end: .paused
    ) { try $0.card(.usbHeadset).setProfile("off") },
    RouteRow(
      name: "the user chose a profile with other speakers", cards: [.twoSpeakers], start: "built-in",
      reasons: ["override"], end: .sounds(on: "rear")
    ) { try $0.card(.twoSpeakers).setProfile("rear-only") },
    RouteRow(
      name: "the user chose another profile of the same speakers", cards: [.twoSpeakers], start: "built-in",
      reasons: ["categoryChange"], end: .sounds(on: "wide")
    ) { try $0.card(.twoSpeakers).setProfile("wide") },
  ]
}
