// SPDX-License-Identifier: MIT
import AudioModel

/// One reading of the world, and the stream in it that is ours.
struct Reading: Sendable, Equatable {
  var world: AudioWorld
  var ownInput: SinkInput.Index?

  /// The sink that our sound goes to. Without a stream it is the default one: where a stream would go.
  var sink: Sink? {
    guard let ownInput else { return world.sink(named: world.server.defaultSink) }
    return world.sinkInput(ownInput)?.sink.flatMap(world.sink)
  }
}

/// A sink and its active port in one reading: what a route is underneath, with the server's numbers.
struct Place: Sendable, Equatable {
  let sink: Sink.Index
  let card: Card.Index?
  let port: Port?
  /// Losing this port means that the listener is gone.
  let isExternal: Bool
  let isBluetooth: Bool
  let route: Route

  init(_ sink: Sink, in world: AudioWorld) {
    let card = sink.card.flatMap(world.card)
    let bus = card?.properties["device.bus"] ?? sink.properties["device.bus"]
    let active = sink.active
    self.sink = sink.index
    self.card = sink.card
    port = active
    isBluetooth = bus == "bluetooth"
    isExternal = active.map { $0.kind != .speaker } ?? false || bus == "bluetooth" || bus == "usb"
    let device = card.map { Route.Device(name: $0.name, port: bus == "bluetooth" ? nil : active?.name) }
    route = Route(
      sinkName: sink.name, sinkDescription: sink.description, portName: active?.name,
      portDescription: active?.description, portKind: active?.kind, isPrivate: isExternal,
      server: world.server.kind, device: device ?? Route.Device(name: sink.name, port: active?.name))
  }

  /// Its socket was empty when this was read.
  var isUnplugged: Bool { isExternal && port?.availability == .no }

  func isSame(as other: Place) -> Bool { sink == other.sink && port?.name == other.port?.name }
}

/// Where our sound ends up in one reading.
enum Landing: Sendable, Equatable {
  /// Linked to nothing that the reading knows: PipeWire says so in mid-change, and so may lists that were overtaken.
  case unlinked
  /// No sink is there, or only the server's stand-in for none.
  case noOutput
  case at(Place)

  init(_ reading: Reading) {
    let world = reading.world
    guard let sink = reading.sink else {
      self = world.sinks.allSatisfy(\.isNullFallback) ? .noOutput : .unlinked
      return
    }
    self = sink.isNullFallback ? .noOutput : .at(Place(sink, in: world))
  }

  var place: Place? {
    guard case .at(let place) = self else { return nil }
    return place
  }

  /// What goes to an empty socket is heard by nobody.
  var route: Route? { place.flatMap { $0.isUnplugged ? nil : $0.route } }
}
