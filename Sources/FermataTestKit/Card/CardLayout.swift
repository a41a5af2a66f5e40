// SPDX-License-Identifier: MIT
public import AudioModel

/// What a virtual card is made of: ports, and profiles of which each has at most one sink. Every card also has the
/// profile "off". Names are words without spaces, slashes and commas.
public struct CardLayout: Sendable, Equatable {
  /// One way of using the card.
  public struct Profile: Sendable, Equatable {
    /// What the server calls it.
    public var name: String
    /// The server prefers higher ones.
    public var priority: Int
    /// The name of its sink, if it has one.
    public var sink: String?
    /// The names of the sink's ports.
    public var ports: [String]

    /// A profile with these properties.
    public init(_ name: String, priority: Int, sink: String?, ports: [String]) {
      self.name = name
      self.priority = priority
      self.sink = sink
      self.ports = ports
    }
  }

  /// What the server calls the card.
  public var name: String
  /// The card's bus, "pci", "usb" or "bluetooth"; it stands in `device.bus`.
  public var bus: String
  /// Its ports in every profile.
  public var ports: [Port]
  /// Its profiles; the one in use at first is chosen by the server.
  public var profiles: [Profile]
  /// Whether, on a change of profile, the old sink goes before the new one comes.
  public var releasesSinkFirst: Bool

  /// A card made of these.
  public init(
    name: String, bus: String, ports: [Port], profiles: [Profile], releasesSinkFirst: Bool = false
  ) {
    self.name = name
    self.bus = bus
    self.ports = ports
    self.profiles = profiles
    self.releasesSinkFirst = releasesSinkFirst
  }

  /// A laptop: one sink "laptop" with the ports "speaker" and "headphones", the latter plugged in or not. While they
  /// are in, the speaker is "no", as drivers have it.
  public static func laptop(headphonesIn: Bool = true) -> CardLayout {
    CardLayout(
      name: "card.laptop", bus: "pci",
      ports: [
        Port(name: "speaker", kind: .speaker, availability: headphonesIn ? .no : .unknown, priority: 100),
        Port(name: "headphones", kind: .headphones, availability: headphonesIn ? .yes : .no, priority: 200),
      ],
      profiles: [Profile("stereo", priority: 6500, sink: "laptop", ports: ["speaker", "headphones"])])
  }

  /// A USB headset: one sink "headset" with a port that cannot tell whether it is used. It goes whole.
  public static let usbHeadset = CardLayout(
    name: "card.usb", bus: "usb",
    ports: [Port(name: "headset-output", kind: .headset, priority: 100)],
    profiles: [Profile("stereo", priority: 6500, sink: "headset", ports: ["headset-output"])])

  /// A Bluetooth headset: the profile "a2dp" with the sink "bluetooth.a2dp" for music, "hfp" with "bluetooth.hfp" for calls.
  public static let bluetoothHeadset = CardLayout(
    name: "card.bluetooth", bus: "bluetooth",
    ports: [Port(name: "headset-output", kind: .headset, availability: .yes, priority: 100)],
    profiles: [
      Profile("a2dp", priority: 40, sink: "bluetooth.a2dp", ports: ["headset-output"]),
      Profile("hfp", priority: 30, sink: "bluetooth.hfp", ports: ["headset-output"]),
    ],
    releasesSinkFirst: true)

  /// A graphics card's output: the sink "hdmi" with the port "hdmi-output", connected or not.
  public static func hdmi(isConnected: Bool = true) -> CardLayout {
    CardLayout(
      name: "card.hdmi", bus: "pci",
      ports: [Port(name: "hdmi-output", kind: .hdmi, availability: isConnected ? .yes : .no, priority: 100)],
      profiles: [Profile("hdmi-stereo", priority: 5900, sink: "hdmi", ports: ["hdmi-output"])])
  }

  // The form that both card programs read.
  var portWords: String {
    ports.map { "\($0.name)/\($0.kind.rawValue)/\($0.availability.rawValue)/\($0.priority)" }
      .joined(separator: " ")
  }

  var profileWords: String {
    profiles.map { "\($0.name)/\($0.priority)/\($0.sink ?? "-")/\($0.ports.joined(separator: ","))" }
      .joined(separator: " ")
  }

  var propertyWords: String { "device.bus=\(bus)" }
}
