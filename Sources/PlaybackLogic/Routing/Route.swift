// SPDX-License-Identifier: MIT
package import AudioModel

/// Where the sound goes, in a person's terms: through which output, and out of which socket.
///
/// It has none of the server's index numbers, so it keeps its meaning when the server restarts.
package struct Route: Sendable, Hashable {
  /// What identifies a device when it comes back: its card's name and its port, or the sink's name if it has no card.
  /// The index numbers are different by then, and on Bluetooth the sink's name is too.
  package struct Device: Sendable, Hashable {
    /// The card's name, or the sink's name if it has no card.
    package var name: String
    /// The name of the port. Nil if there is none, and on Bluetooth, where the ports change with the profile.
    package var port: String?

    package init(name: String, port: String? = nil) {
      self.name = name
      self.port = port
    }
  }

  /// A sink that our sound goes through first, such as an equalizer.
  package struct Filter: Sendable, Hashable {
    package var sinkName: String
    /// The filter's description for people.
    package var description: String

    package init(sinkName: String, description: String = "") {
      self.sinkName = sinkName
      self.description = description
    }
  }

  package var sinkName: String
  /// The sink's description for people.
  package var sinkDescription: String
  /// The name of the active port; nil for a sink without ports.
  package var portName: String?
  /// The active port's description for people.
  package var portDescription: String?
  /// What the port leads to, such as headphones; nil for a sink without ports.
  package var portKind: Port.Kind?
  /// Whether the sound is meant only for whoever wears or attached the device, and must not go on elsewhere. True for
  /// anything but a built-in speaker, as far as the port's kind and the card's bus can tell.
  package var isPrivate: Bool
  /// Whether the sound server is PulseAudio or PipeWire.
  package var server: AudioServer.Kind
  /// The identity by which the device is recognized when it comes back.
  package var device: Device
  /// The filter that our stream plays to, which plays on to the sink; nil if our stream plays to the sink itself.
  package var filter: Filter?

  package init(
    sinkName: String, sinkDescription: String = "", portName: String? = nil, portDescription: String? = nil,
    portKind: Port.Kind? = nil, isPrivate: Bool = false, server: AudioServer.Kind = .pulseAudio,
    device: Device, filter: Filter? = nil
  ) {
    self.sinkName = sinkName
    self.sinkDescription = sinkDescription
    self.portName = portName
    self.portDescription = portDescription
    self.portKind = portKind
    self.isPrivate = isPrivate
    self.server = server
    self.device = device
    self.filter = filter
  }
}

extension Route {
  /// The name of the sink that our stream plays to: the sink's own, or that of a filter before it.
  package var entrance: String { filter?.sinkName ?? sinkName }

  /// Whether the sound takes its way over the sink of this name.
  package func leads(overSinkNamed name: String) -> Bool { name == sinkName || name == entrance }

  /// The route through this sink and its active port, as this reading of the sound server shows them.
  package init(of sink: Sink, in world: AudioWorld) { self = SinkPort(sink, in: world).route }
}

/// A change of the route, and the reason for it.
package struct RouteChange: Sendable, Hashable {
  /// Why the route changed. The raw values are the names on D-Bus.
  package enum Reason: String, Sendable, CaseIterable {
    /// The sound went to something that had just been plugged in, paired or made, or to a device that came back.
    case newDeviceAvailable
    /// The device that the sound went to is gone. This and `noSuitableRouteForCategory` are the only reasons for which
    /// playback pauses, besides a `mediaServicesWereReset` without the old device.
    case oldDeviceUnavailable
    /// The same device with another profile, for example a headset that switches its microphone on.
    case categoryChange
    /// Somebody chose another route.
    case override
    /// The machine woke up. The route is the same until another change is reported.
    case wakeFromSleep
    /// There is no output left that anyone could hear.
    case noSuitableRouteForCategory
    /// The hardware switched from one built-in output to another.
    case routeConfigurationChange
    /// The sound server is gone.
    case mediaServicesWereLost
    /// The sound server is back.
    case mediaServicesWereReset
    /// This is the first route that is known since the start; there was none before it.
    case unknown
  }

  package var reason: Reason
  /// The route before; nil if there was none that anyone could hear.
  package var previous: Route?
  /// The route now; nil if there is none, or none yet.
  package var current: Route?
  /// Whether playback has to pause, because the sound would now go where the listener is not.
  package var pauses: Bool
  /// Whether there is another output, and the server has not said yet whether the sound goes there. `current` is nil then.
  package var isUnlinked = false

  package init(_ reason: Reason, from previous: Route?, to current: Route?, pauses: Bool = false) {
    self.reason = reason
    self.previous = previous
    self.current = current
    self.pauses = pauses
  }

  /// The sink that has taken the place of this one because its card has another profile now; nil if the sound has left the card, or was not on this sink.
  func successor(ofSink sink: String) -> String? {
    guard let current, let previous, !pauses, previous.sinkName == sink else { return nil }
    return previous.device.name == current.device.name ? current.sinkName : nil
  }
}
