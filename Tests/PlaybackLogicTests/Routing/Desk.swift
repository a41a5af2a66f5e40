// SPDX-License-Identifier: MIT
import AudioModel

@testable import PlaybackLogic

/// A desk with sound hardware on it, to be rearranged step by step; every step is a world that a server could describe.
struct Desk {
  static let own = SinkInput.Index(rawValue: 7)
  static let analog = Sink.Index(rawValue: 0)
  static let usb = Sink.Index(rawValue: 1)
  static let a2dp = Sink.Index(rawValue: 2)
  static let handsfree = Sink.Index(rawValue: 3)
  static let hdmi = Sink.Index(rawValue: 4)
  static let null = Sink.Index(rawValue: 9)
  static let pci = Card.Index(rawValue: 0)

  var sinks: [Sink] = []
  var cards: [Card] = []
  var stream: Sink.Index?
  /// Streams that are not ours.
  var others: [SinkInput] = []
  var hasStream = true
  var defaultSink = "analog"
  var server = "pulseaudio"

  var world: AudioWorld {
    let mine = hasStream ? [SinkInput(index: Self.own, sink: stream)] : []
    return AudioWorld(
      server: AudioServer(name: server, version: "", defaultSink: defaultSink), sinks: sinks, cards: cards,
      sinkInputs: mine + others)
  }

  var read: RouteEvent { .world(world, ownInput: hasStream ? Self.own : nil) }

  func with(_ change: (inout Desk) -> Void) -> Desk {
    var copy = self
    change(&copy)
    return copy
  }

  /// The same devices, made anew: every number is another.
  func renumbered() -> Desk {
    with { desk in
      for at in desk.sinks.indices {
        desk.sinks[at].index = Sink.Index(rawValue: desk.sinks[at].index.rawValue + 100)
        desk.sinks[at].card = desk.sinks[at].card.map { Card.Index(rawValue: $0.rawValue + 100) }
      }
      for at in desk.cards.indices {
        desk.cards[at].index = Card.Index(rawValue: desk.cards[at].index.rawValue + 100)
      }
      desk.stream = desk.stream.map { Sink.Index(rawValue: $0.rawValue + 100) }
    }
  }

  // MARK: Hardware

  /// The laptop: one sink, two ports, one of them muted by the jack of the other.
  static func laptop(jack: Bool) -> Desk {
    Desk().with {
      let ports = [
        Port(name: "speaker", kind: .speaker, availability: jack ? .no : .unknown),
        Port(name: "headphones", kind: .headphones, availability: jack ? .yes : .no),
      ]
      $0.cards = [
        Card(
          index: pci, name: "pci", activeProfile: "stereo",
          ports: ports + [Port(name: "hdmi", kind: .hdmi, availability: .no)],
          properties: ["device.bus": "pci"])
      ]
      $0.sinks = [
        Sink(
          index: analog, name: "analog", card: pci, ports: ports, activePort: jack ? "headphones" : "speaker")
      ]
      $0.stream = analog
    }
  }

  func adding(_ sink: Sink.Index, _ name: String, card: UInt32, _ cardName: String, bus: String, port: Port)
    -> Desk
  {
    with {
      let card = Card.Index(rawValue: card)
      $0.sinks.append(Sink(index: sink, name: name, card: card, ports: [port], activePort: port.name))
      guard !$0.cards.contains(where: { $0.index == card }) else { return }
      $0.cards.append(
        Card(index: card, name: cardName, activeProfile: "on", ports: [port], properties: ["device.bus": bus])
      )
    }
  }

  func addingUSB() -> Desk {
    adding(Self.usb, "usb", card: 1, "usb card", bus: "usb", port: Port(name: "out", kind: .analog))
  }
  func addingA2DP() -> Desk {
    adding(Self.a2dp, "a2dp", card: 2, "bluez", bus: "bluetooth", port: Port(name: "headset", kind: .headset))
  }
  func addingHandsfree() -> Desk {
    adding(
      Self.handsfree, "hfp", card: 2, "bluez", bus: "bluetooth",
      port: Port(name: "handsfree", kind: .handsfree))
  }
  func addingNull() -> Desk { with { $0.sinks.append(Sink(index: Self.null, name: Sink.nullSinkName)) } }

  func playing(on sink: Sink.Index?) -> Desk { with { $0.stream = sink } }
  func without(_ sink: Sink.Index) -> Desk { with { $0.sinks.removeAll { $0.index == sink } } }
  func withoutCard(_ card: UInt32) -> Desk { with { $0.cards.removeAll { $0.index.rawValue == card } } }
  /// The other port of a sink sounds.
  func port(_ name: String, of sink: Sink.Index = analog) -> Desk {
    with { desk in
      desk.sinks.indices.filter { desk.sinks[$0].index == sink }.forEach { desk.sinks[$0].activePort = name }
    }
  }
  func profile(_ name: String, of card: UInt32) -> Desk {
    with { desk in
      for at in desk.cards.indices where desk.cards[at].index.rawValue == card {
        desk.cards[at].activeProfile = name
      }
    }
  }

  /// A port's jack answers otherwise, on its card and on its sink.
  func jack(_ name: String, _ availability: Port.Availability, group: String? = nil) -> Desk {
    with { desk in
      for card in desk.cards.indices { Self.set(name, availability, group, in: &desk.cards[card].ports) }
      for sink in desk.sinks.indices { Self.set(name, availability, group, in: &desk.sinks[sink].ports) }
    }
  }

  private static func set(
    _ name: String, _ availability: Port.Availability, _ group: String?, in ports: inout [Port]
  ) {
    for port in ports.indices where ports[port].name == name {
      ports[port].availability = availability
      if let group { ports[port].availabilityGroup = group }
    }
  }

  /// The laptop's jack with everything that its path does: the speaker is muted while something is plugged in.
  func headphones(_ isIn: Bool) -> Desk {
    jack("headphones", isIn ? .yes : .no).jack("speaker", isIn ? .no : .unknown)
      .port(isIn ? "headphones" : "speaker")
  }
}
