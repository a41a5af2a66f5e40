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

/// What happened on the sound server or to our stream, for the route classifier, which finds out from it where our sound goes. Handed in as it
/// happens, in order.
package enum RouteEvent: Sendable, Equatable {
  /// The listener ordered that our sound goes to the sink of this name. Our stream is about to be moved there.
  case ordered(sinkNamed: String)
  /// Our stream now goes to another sink.
  case moved(to: Sink.Index)
  /// The server reported a change of a sink.
  case sink(ServerChange, Sink.Index)
  /// The server reported a change of a card.
  case card(ServerChange, Card.Index)
  /// The server reported a change of itself, most often another default sink.
  case serverChanged
  /// The listener's choice of an output holds for the next stream as well.
  case chosen
  /// The answer to `RouteEffect.readWorld`: all that the server says of itself. `ownInput` is the stream that carries our sound, if there is one, and
  /// `chosenSink` the sink on which the next one will be made. `isWanted` is true if the listener wants music, whatever keeps it silent.
  case world(AudioWorld, ownInput: SinkInput.Index?, chosenSink: String? = nil, isWanted: Bool = false)
  /// The server has made our stream.
  case streamReady
  /// The server reported a change of our stream: it was linked, corked or muted.
  case streamChanged
  /// The server reported a change of another stream. It may be that of a filter.
  case otherStreamChanged
  /// Our stream no longer exists. `killed` is true if somebody had it ended; otherwise it could not be made, or the connection is gone.
  case streamEnded(killed: Bool)
  /// The server is gone, or was not found.
  case serverLost
  /// The server answers.
  case serverFound
  case wokeUp
  /// The time of `RouteEffect.timer` is over. The event may be late, or belong to a wait that is over.
  case timer
}

/// What the route classifier, which finds out where our sound goes, wants done. The effects of one event have to be carried out in their order.
package enum RouteEffect: Sendable, Equatable {
  /// Read all that the sound server says of itself and hand it in as `RouteEvent.world`. At most one such request is open at a
  /// time. If the reading fails while the server stays, it has to be tried again.
  case readWorld
  /// Cork our stream before anything else is done, because the sound may be going to the wrong device.
  case hold
  /// Silence is no longer needed for the route. The session decides whether the music sounds again. `sinkIsGone` is true if the sink that our sound
  /// went to was seen gone meanwhile.
  case release(sinkIsGone: Bool)
  /// Send `RouteEvent.timer` after this time. A later request replaces an earlier one.
  case timer(after: Duration)
  /// Report this change of the route, which is the output and port that our sound goes to.
  case change(RouteChange)
  /// Somebody terminated our stream while its sink is still there. The route has not changed, but playback pauses.
  case terminated
}
