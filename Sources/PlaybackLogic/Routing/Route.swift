// SPDX-License-Identifier: MIT
public import AudioModel

/// Where the sound goes, as a person would say it: through which output, out of which socket.
///
/// A value without the server's numbers, so that it means the same after the server has been started anew.
public struct Route: Sendable, Hashable {
  /// What a device is known by when it comes back: its card and port, since the numbers and, on Bluetooth, the sink's name
  /// are others then. Where there is no card, the sink's name.
  public struct Device: Sendable, Hashable {
    /// The card's name, or the sink's where it has no card.
    public var name: String
    /// The port on that card. Nil where it has none, and on Bluetooth, whose ports go with the profile.
    public var port: String?

    /// A device of this name and port.
    public init(name: String, port: String? = nil) {
      self.name = name
      self.port = port
    }
  }

  /// The sink by name.
  public var sinkName: String
  /// The sink as a person is shown it.
  public var sinkDescription: String
  /// The port that sounds, by name; nil for a sink without ports.
  public var portName: String?
  /// The port as a person is shown it.
  public var portDescription: String?
  /// What the port leads to.
  public var portKind: Port.Kind?
  /// Whether what sounds there is meant for whoever wears or attached it, and must not go on elsewhere: anything but a
  /// built-in speaker, as far as the port's kind and the card's bus can tell.
  public var isPrivate: Bool
  /// The program that carries the sound.
  public var server: AudioServer.Kind
  /// What it is known by when it comes back.
  public var device: Device

  /// A route with these properties.
  public init(
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
  public init(of sink: Sink, in world: AudioWorld) { self = Place(sink, in: world).route }
}
