// SPDX-License-Identifier: MIT
package import AudioModel

// The cards that tests use.
extension CardLayout {
  /// A laptop: one sink "laptop" with the ports "speaker" and "headphones". `headphonesIn` says whether headphones
  /// are plugged in. While they are, the speaker's availability is "no", as with most drivers, unless `mutesSpeaker`
  /// is false.
  package static func laptop(headphonesIn: Bool = true, mutesSpeaker: Bool = true) -> CardLayout {
    let speaker: Port.Availability = headphonesIn && mutesSpeaker ? .no : .unknown
    return CardLayout(
      name: "card.laptop", bus: "pci",
      ports: [
        Port(name: "speaker", kind: .speaker, availability: speaker, priority: 100),
        Port(name: "headphones", kind: .headphones, availability: headphonesIn ? .yes : .no, priority: 200),
      ],
      profiles: [Profile("stereo", priority: 6500, sink: "laptop", ports: ["speaker", "headphones"])])
  }

  /// Built-in speakers in two places, and no socket: the sink "built-in" with the ports "front" and "rear". The front
  /// ones have the higher priority. The profile "rear-only" has the sink "rear" with only the rear ones, and the
  /// profile "wide" has the sink "wide" with both ports.
  package static let twoSpeakers = CardLayout(
    name: "card.speakers", bus: "pci",
    ports: [
      Port(name: "front", kind: .speaker, priority: 200), Port(name: "rear", kind: .speaker, priority: 100),
    ],
    profiles: [
      Profile("both", priority: 6500, sink: "built-in", ports: ["front", "rear"]),
      Profile("wide", priority: 6200, sink: "wide", ports: ["front", "rear"]),
      Profile("rear-only", priority: 6000, sink: "rear", ports: ["rear"]),
    ])

  /// A card that needs another profile to use its socket. Graphics cards are like that, and so are cards whose driver
  /// has use cases. It has either the sink "built-in" with the port "speaker", or the sink "socket" with the port
  /// "socket", which is preferred while something is plugged in.
  package static func socketByProfile(_ kind: Port.Kind, isIn: Bool) -> CardLayout {
    CardLayout(
      name: "card.profiles", bus: "pci",
      ports: [
        Port(name: "speaker", kind: .speaker, priority: 100),
        Port(name: "socket", kind: kind, availability: isIn ? .yes : .no, priority: 200),
      ],
      profiles: [
        Profile("speaker", priority: 5000, sink: "built-in", ports: ["speaker"]),
        Profile("socket", priority: 6500, sink: "socket", ports: ["socket"]),
      ])
  }

  /// A USB headset: one sink "headset" with a port that can't tell whether it is used. When it is unplugged the whole
  /// card disappears.
  package static let usbHeadset = CardLayout(
    name: "card.usb", bus: "usb",
    ports: [Port(name: "headset-output", kind: .headset, priority: 100)],
    profiles: [Profile("stereo", priority: 6500, sink: "headset", ports: ["headset-output"])])

  /// A Bluetooth headset: the profile "a2dp" has the sink "bluetooth.a2dp" for music, and the profile "hfp" has
  /// "bluetooth.hfp" for calls.
  package static let bluetoothHeadset = CardLayout(
    name: "card.bluetooth", bus: "bluetooth",
    ports: [Port(name: "headset-output", kind: .headset, availability: .yes, priority: 100)],
    profiles: [
      Profile("a2dp", priority: 40, sink: "bluetooth.a2dp", ports: ["headset-output"]),
      Profile("hfp", priority: 30, sink: "bluetooth.hfp", ports: ["headset-output"]),
    ],
    releasesSinkFirst: true)

  /// A graphics card's output: the sink "hdmi" with the port "hdmi-output", connected or not.
  package static func hdmi(isConnected: Bool = true) -> CardLayout {
    CardLayout(
      name: "card.hdmi", bus: "pci",
      ports: [Port(name: "hdmi-output", kind: .hdmi, availability: isConnected ? .yes : .no, priority: 100)],
      profiles: [Profile("hdmi-stereo", priority: 5900, sink: "hdmi", ports: ["hdmi-output"])])
  }
}
