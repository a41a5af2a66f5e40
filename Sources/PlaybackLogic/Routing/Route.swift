// SPDX-License-Identifier: MIT
package import AudioModel

/// Where the sound goes, as a person would say it: through which output, out of which socket.
///
/// A value without the server's numbers, so that it means the same after the server has been started anew.
package struct Route: Sendable, Hashable {
  /// What a device is known by when it comes back: its card and port, since the numbers and, on Bluetooth, the sink's name
  /// are others then. Where there is no card, the sink's name.
  package struct Device: Sendable, Hashable {
    /// The card's name, or the sink's where it has no card.
    package var name: String
    /// The port on that card. Nil where it has none, and on Bluetooth, whose ports go with the profile.
    package var port: String?

    /// A device of this name and port.
    package init(name: String, port: String? = nil) {
      self.name = name
      self.port = port
    }
  }

  /// The sink by name.
  package var sinkName: String
  /// The sink as a person is shown it.
  package var sinkDescription: String
  /// The port that sounds, by name; nil for a sink without ports.
  package var portName: String?
  /// The port as a person is shown it.
  package var portDescription: String?
  /// What the port leads to.
  package var portKind: Port.Kind?
  /// Whether what sounds there is meant for whoever wears or attached it, and must not go on elsewhere: anything but a
  /// built-in speaker, as far as the port's kind and the card's bus can tell.
  package var isPrivate: Bool
  /// The program that carries the sound.
  package var server: AudioServer.Kind
  /// What it is known by when it comes back.
  package var device: Device

  /// A route with these properties.
  package init(
    sinkName: String, sinkDescription: String = "", portName: String? = nil, portDescription: String? = nil,
    portKind: Port.Kind? = nil, isPrivate: Bool = false, server: AudioServer.Kind = .pulseAudio,
    device: Device
  ) {
    self.sinkName = sinkName
    self.sinkDescription = sinkDescription
    self.portName = portName
    self.portDescription = portDescription
    self.portKind = portKind
    self.isPrivate = isPrivate
    self.server = server
    self.device = device
  }
}

extension Route {
  /// The way that sound takes out of this sink, as this world has it.
  package init(of sink: Sink, in world: AudioWorld) { self = Place(sink, in: world).route }
}
