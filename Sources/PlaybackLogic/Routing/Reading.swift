// SPDX-License-Identifier: MIT
import AudioModel

/// One reading of the server's world (all that it says of itself at one time), and which stream in it is ours.
struct Reading: Sendable, Equatable {
  var world: AudioWorld
  var ownInput: SinkInput.Index?
  /// The sink on which our next stream will be made; nil if the listener has chosen none.
  var chosenSink: String?
  /// Whether the listener wants music, even if something keeps it silent at the moment.
  var isWanted = false
  /// Whether a filter counts as the place where the sound is heard if the server does not show where it plays on to, and has not for some time.
  var takesFiltersAsEnd = false

  /// The sink that our stream plays to, which may be a filter; nil if our stream is linked to none. Without a stream it is the sink where a new stream
  /// would go: the one that the listener has chosen, else the default sink.
  var sink: Sink? {
    guard let ownInput else {
      return chosenSink.flatMap { world.sink(named: $0) } ?? world.sink(named: world.server.defaultSink)
    }
    return world.sinkInput(ownInput)?.sink.flatMap(world.sink)
  }

  /// The sinks that our sound passes, up to the one where it is heard; nil if our stream is linked to none.
  var path: SinkPath? { sink.map(world.path) }
}

extension Reading {
  /// The same reading with our stream on this sink, if the sink is there and the reading shows our stream on another one.
  func corrected(by sink: Sink.Index) -> Reading {
    guard let ownInput, let at = world.sinkInputs.firstIndex(where: { $0.index == ownInput }),
      world.sinkInputs[at].sink != nil, world.sinkInputs[at].sink != sink, world.sink(sink) != nil
    else { return self }
    var reading = self
    reading.world.sinkInputs[at].sink = sink
    return reading
  }
}

/// The sink where our sound is heard, and its active port, in one reading of the sound server. It is the internal counterpart of a `Route` and holds the
/// server's index numbers, which mean nothing to another server.
struct SinkPort: Sendable, Equatable {
  let sink: Sink.Index
  /// The sink that our stream plays to: the same one, or a filter before it.
  let entrance: Sink.Index
  let card: Card.Index?
  let port: Port?
  /// Whether the listener's device is gone when this sink or port is lost. True for anything but a built-in speaker, as far as
  /// the port's kind and the bus can tell.
  let isExternal: Bool
  let isBluetooth: Bool
  let route: Route

  /// Where sound is heard that takes this path, as far as its end is known.
  init(endOf path: SinkPath, in world: AudioWorld) {
    self.init(path.sinks.last ?? path.first, through: path.sinks.count > 1 ? path.first : nil, in: world)
  }

  init(_ sink: Sink, through filter: Sink? = nil, in world: AudioWorld) {
    let card = sink.card.flatMap(world.card)
    let bus = sink.bus(in: world)
    let active = sink.active
    self.sink = sink.index
    entrance = (filter ?? sink).index
    self.card = sink.card
    port = active
    isBluetooth = bus == "bluetooth"
    isExternal = active.map { $0.kind != .speaker } ?? false || bus == "bluetooth" || bus == "usb"
    let device = card.map { Route.Device(name: $0.name, port: bus == "bluetooth" ? nil : active?.name) }
    route = Route(
      sinkName: sink.name, sinkDescription: sink.description, portName: active?.name,
      portDescription: active?.description, portKind: active?.kind, isPrivate: isExternal,
      server: world.server.kind, device: device ?? Route.Device(name: sink.name, port: active?.name),
      filter: filter.map { Route.Filter(sinkName: $0.name, description: $0.description) })
  }

  /// Whether this is no built-in speaker, and nothing was plugged into its port when the server was read.
  var isUnplugged: Bool { isExternal && port?.availability == .no }

  func isSame(as other: SinkPort) -> Bool { sink == other.sink && port?.name == other.port?.name }
}

/// Where our sound goes according to one reading of the sound server.
enum Destination: Sendable, Equatable {
  /// Our stream, or a filter that it plays to, goes to no sink that is in the reading. PipeWire shows this in the middle of a change. It also happens when
  /// the lists changed while they were read.
  case unlinked
  /// There is no sink, or only the server's stand-in for "no output".
  case noOutput
  case at(SinkPort)

  init(_ reading: Reading) {
    let world = reading.world
    guard let sink = reading.sink else {
      self = world.sinks.allSatisfy(\.isNullFallback) ? .noOutput : .unlinked
      return
    }
    let path = world.path(from: sink)
    if path.isBroken, !reading.takesFiltersAsEnd {
      self = .unlinked
    } else if path.sinks.last?.isNullFallback == true {
      self = .noOutput
    } else {
      self = .at(SinkPort(endOf: path, in: world))
    }
  }

  var place: SinkPort? {
    guard case .at(let place) = self else { return nil }
    return place
  }

  /// The route to report for this destination; nil if there is no sink, or if the port is unplugged, because nobody would hear
  /// the sound.
  var route: Route? { place.flatMap { $0.isUnplugged ? nil : $0.route } }
}
