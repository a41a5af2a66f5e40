// SPDX-License-Identifier: MIT

/// An output of the sound server, to which programs play.
package struct Sink: Sendable, Equatable {
  package typealias Index = ServerIndex<Sink>

  /// The name of the sink that the server makes when it has no other. Nobody hears what is played there.
  package static let nullSinkName = "auto_null"

  package var index: Index
  /// The server's name for the sink. A device that returns usually has the same name, except on Bluetooth.
  package var name: String
  package var description: String
  /// The card that the sink belongs to; nil if it belongs to none, as the null sink does.
  package var card: Card.Index?
  /// The sink's sockets and speakers. Some sinks have none.
  package var ports: [Port]
  package var activePort: String?
  /// The name of the source that records what this sink plays.
  package var monitorSource: String
  package var isMuted: Bool
  /// The volume of the sink's loudest channel as a fraction of full volume, on the scale of a volume slider; nil if it is not known.
  package var volume: Double?
  /// Whether the server has suspended the sink and released its hardware.
  package var isSuspended: Bool
  /// Whether the volume of a stream is a share of what the hardware can give, and not of the sink's own volume: PulseAudio's "flat volumes". A stream
  /// that is made louder than the sink then turns the sink up.
  package var hasFlatVolume: Bool
  /// Whether the sink is on another machine, reached over a network.
  package var isRemote: Bool
  /// The number of the server's module that made the sink; nil if the server does not tell.
  package var module: UInt32?
  /// The server's property list: `device.bus`, `device.form_factor` and the like.
  package var properties: [String: String]

  package init(
    index: Index, name: String, description: String = "", card: Card.Index? = nil, ports: [Port] = [],
    activePort: String? = nil, monitorSource: String = "", isMuted: Bool = false, volume: Double? = nil,
    isSuspended: Bool = false, hasFlatVolume: Bool = false, isRemote: Bool = false, module: UInt32? = nil,
    properties: [String: String] = [:]
  ) {
    self.index = index
    self.name = name
    self.description = description
    self.card = card
    self.ports = ports
    self.activePort = activePort
    self.monitorSource = monitorSource
    self.isMuted = isMuted
    self.volume = volume
    self.isSuspended = isSuspended
    (self.hasFlatVolume, self.isRemote) = (hasFlatVolume, isRemote)
    self.module = module
    self.properties = properties
  }

  package var active: Port? { ports.first { $0.name == activePort } }
  /// Whether this is the server's stand-in for "no output at all".
  package var isNullFallback: Bool { name == Self.nullSinkName }
}

/// One connector of a sink or card: a socket, a built-in speaker or a wireless link.
package struct Port: Sendable, Equatable {
  /// Whether something is plugged in, as far as the hardware can tell.
  package enum Availability: String, Sendable {
    case unknown, no, yes
  }

  /// The kind of device at the port. Kinds that later versions of the protocol add count as `unknown`.
  package enum Kind: String, Sendable {
    case unknown, aux, speaker, headphones, line, mic, headset, handset, earpiece, spdif, hdmi, tv, radio
    case video, usb, bluetooth, portable, handsfree, car, hifi, phone, network, analog
  }

  /// The server's name for the port; no other port of the card has it.
  package var name: String
  package var description: String
  package var kind: Kind
  package var availability: Availability
  /// The server prefers ports with a higher priority.
  package var priority: Int
  /// Ports of one card with the same group share one jack. Empty when the server does not say.
  package var availabilityGroup: String

  package init(
    name: String, description: String = "", kind: Kind = .unknown, availability: Availability = .unknown,
    priority: Int = 0, availabilityGroup: String = ""
  ) {
    self.name = name
    self.description = description
    self.kind = kind
    self.availability = availability
    self.priority = priority
    self.availabilityGroup = availabilityGroup
  }
}

/// A piece of sound hardware. Its sinks depend on its active profile.
package struct Card: Sendable, Equatable {
  package typealias Index = ServerIndex<Card>

  /// One way of using a card, for example with an HDMI output.
  package struct Profile: Sendable, Equatable {
    package var name: String
    package var description: String
    package var isAvailable: Bool
    /// The server prefers profiles with a higher priority.
    package var priority: Int

    package init(name: String, description: String = "", isAvailable: Bool = true, priority: Int = 0) {
      self.name = name
      self.description = description
      self.isAvailable = isAvailable
      self.priority = priority
    }
  }

  package var index: Index
  package var name: String
  package var profiles: [Profile]
  package var activeProfile: String?
  /// The ports of all profiles, not only of the active one.
  package var ports: [Port]
  /// The server's property list: `device.bus`, `device.description` and the like.
  package var properties: [String: String]

  package init(
    index: Index, name: String, profiles: [Profile] = [], activeProfile: String? = nil, ports: [Port] = [],
    properties: [String: String] = [:]
  ) {
    self.index = index
    self.name = name
    self.profiles = profiles
    self.activeProfile = activeProfile
    self.ports = ports
    self.properties = properties
  }
}

extension Card {
  /// Whether the card is a part of the machine, which nobody can pull out while it runs.
  package var isBuiltIn: Bool {
    properties["device.bus"] == "pci" || name.hasPrefix("alsa_card.platform-")
  }
}

extension Sink {
  /// How the device is connected, such as `usb` or `bluetooth`; nil if the server does not tell.
  package func bus(in world: AudioWorld) -> String? {
    card.flatMap(world.card)?.properties["device.bus"] ?? properties["device.bus"]
  }
}

/// The sinks that sound passes on its way: from the one that a program plays it to, through filters such as an equalizer, to the one where it is heard.
///
/// A filter is a sink without hardware that plays on to another sink. A program on it is not moved when the listener's headphones go: only the filter
/// is, or it goes on with another port of the same card. So whether a listener's device is gone has to be asked of the last sink, not of the first.
package struct SinkPath: Sendable, Equatable {
  /// The sinks in the order of the sound. Never empty.
  package let sinks: [Sink]
  /// Whether the end is missing: the last of these sinks is a filter, and the server does not say to which sink it plays on. Either it is just linking
  /// the two, or it hides the other one.
  package let isBroken: Bool

  package var first: Sink { sinks[0] }
  /// The sink where the sound is heard; nil if that is not known at the moment.
  package var heard: Sink? { isBroken ? nil : sinks.last }
}

extension AudioWorld {
  /// The sinks that sound passes if a program plays it to this one.
  package func path(from sink: Sink) -> SinkPath {
    var sinks = [sink]
    // Filters may be chained. A chain that leads back to itself ends where it would begin anew.
    while true {
      switch successor(of: sinks[sinks.count - 1]) {
      case .sink(let next) where !sinks.contains { $0.index == next.index }: sinks.append(next)
      case .sink, .none: return SinkPath(sinks: sinks, isBroken: false)
      case .unknown: return SinkPath(sinks: sinks, isBroken: true)
      }
    }
  }

  private enum Successor {
    case none
    /// There is one, but the reading does not show which.
    case unknown
    case sink(Sink)
  }

  /// The sink that this one plays on to. A sink that plays on to several at once has no successor: its sound is lost with none of them. What has a card or
  /// ports is heard itself, even if a loopback records it.
  private func successor(of sink: Sink) -> Successor {
    guard sink.card == nil, sink.ports.isEmpty else { return .none }
    if sink.hasUnlistedLinks { return unlistedSuccessor(of: sink) }
    let outlets = outlets(of: sink)
    guard let first = outlets.first, outlets.allSatisfy({ $0.sink == first.sink }) else { return .none }
    return first.sink.flatMap(self.sink).map(Successor.sink) ?? .unknown
  }

  /// The default output; or, where the user has made the filter itself the default, the only device that is in use. Nobody knows which that is while
  /// several are, or none.
  private func unlistedSuccessor(of filter: Sink) -> Successor {
    guard server.defaultSink == filter.name else {
      return self.sink(named: server.defaultSink).map(Successor.sink) ?? .unknown
    }
    let used = sinks.filter { $0.card != nil && !$0.isSuspended }
    return used.count == 1 ? .sink(used[0]) : .unknown
  }

  /// The streams by which a sink plays on what it is given: those that were made together with it, or else those of a loopback that records it.
  private func outlets(of sink: Sink) -> [SinkInput] {
    let own = outlets(madeBy: [maker(sink.module, nil, sink.properties)])
    guard own.isEmpty else { return own }
    return outlets(
      madeBy: sourceOutputs.filter { $0.monitors == sink.index }.map {
        maker($0.module, $0.client, $0.properties)
      })
  }

  private func outlets(madeBy makers: [String?]) -> [SinkInput] {
    let makers = Set(makers.compactMap(\.self))
    guard !makers.isEmpty else { return [] }
    return sinkInputs.filter { maker($0.module, $0.client, $0.properties).map(makers.contains) ?? false }
  }

  /// The name of what made a sink or a stream: a module of the server, or a group of nodes on PipeWire. Nil if a program made it, or if that is not
  /// known. A filter's sink and the stream by which it plays on have the same maker; so have the two streams of a loopback.
  private func maker(_ module: UInt32?, _ client: AudioClient.Index?, _ properties: [String: String])
    -> String?
  {
    switch server.kind {
    // A program's streams all have the module that serves programs.
    case .pulseAudio: client == nil ? module.map { "module \($0)" } : nil
    case .pipeWire: properties["node.link-group"] ?? properties["pulse.module.id"].map { "module \($0)" }
    }
  }
}

extension Sink {
  /// The sinks of programs that play to the default output, by links that the server does not list: Easy Effects, its predecessor, and JamesDSP.
  private static let ofUnlistedLinks: Set = [
    "easyeffects_sink", "pulseeffects_sink", "PulseEffects_apps", "jamesdsp_sink",
  ]

  fileprivate var hasUnlistedLinks: Bool { Self.ofUnlistedLinks.contains(name) }
}
