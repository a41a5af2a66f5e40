// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import DecodeIO
import FaceModel
import MediaModel
import PlaybackLogic
import SourceIO

/// The player as the desktop sees it, on one connection to the bus: properties are projections of its face, and only
/// differences go out.
@AgentLoop
final class MPRISService {
  private let connection: BusConnection
  private let service: PlayerService
  private let items: ItemService
  private let thread: BlockingThread
  private let senders: SenderDirectory
  private let quit: @AgentLoop () -> Void
  private var face: PlayerFace
  /// Orders whose senders are being looked up, in their order.
  private var lookups = 0
  private var lastLookup: Task<Void, any Error>?

  init(
    _ connection: BusConnection, _ service: PlayerService, items: ItemService, thread: BlockingThread,
    quit: @escaping @AgentLoop () -> Void
  ) {
    self.connection = connection
    self.service = service
    self.items = items
    self.thread = thread
    self.quit = quit
    senders = SenderDirectory(connection)
    face = PlayerFace(of: service, items: items)
    connection.export([root(), player()], at: MPRISDescriptions.path)
  }

  // MARK: Going out

  /// The turn is over: what changed is told.
  func turnEnded() {
    let now = PlayerFace(of: service, items: items)
    let changes = MPRISPlayer.changes(from: face, to: now)
    face = now
    guard !changes.isEmpty else { return }
    try? connection.propertiesChanged(at: MPRISDescriptions.path, MPRISDescriptions.player.name, changes)
  }

  /// The place in the track jumped.
  func seeked(to place: Duration) {
    let signal = BusSignal(
      path: MPRISDescriptions.path, interface: MPRISDescriptions.player.name, member: "Seeked",
      arguments: MPRISPlayer.seeked(to: place))
    try? connection.emit(signal)
  }

  // MARK: Interfaces

  private func root() -> BusInterface {
    var interface = BusInterface(MPRISDescriptions.root)
    for (name, value) in MPRISRoot.properties { interface.provide(name, get: { value }) }
    interface.answer("Raise") { _ in .done }
    interface.answer("Quit") { [quit] _ in
      // The answer goes out first.
      AgentLoop.after(.zero) { quit() }
      return .done
    }
    return interface
  }

  private func player() -> BusInterface {
    var interface = BusInterface(MPRISDescriptions.player)
    for method in MPRISDescriptions.player.methods {
      interface.answer(method.name) { [weak self] call in try self?.answer(call) ?? .done }
    }
    for property in MPRISDescriptions.player.properties {
      let name = property.name
      let getter: BusInterface.Getter = { [weak self] in try self?.value(of: name) ?? .boolean(false) }
      let setter: BusInterface.Setter = { [weak self] value, call in
        try self?.set(name, to: value, call) ?? .done
      }
      interface.provide(name, get: getter, set: property.access == .readWrite ? setter : nil)
    }
    return interface
  }

  private func value(of name: MemberName) throws -> WireValue {
    if name == "Position" { return MPRISPlayer.position(service.position) }
    guard let value = MPRISPlayer.property(name, of: PlayerFace(of: service, items: items)) else {
      throw BusError.unknownProperty(name.text, of: MPRISDescriptions.player.name.text)
    }
    return value
  }

  private func set(_ name: MemberName, to value: WireValue, _ call: MethodCall) throws -> BusReply {
    // What cannot be is refused at once, whoever asks.
    _ = try MPRISPlayer.order(set: name, to: value, in: PlayerFace(of: service, items: items))
    return try inOrder(call) { this, sender in
      let face = PlayerFace(of: this.service, items: this.items)
      if let order = try MPRISPlayer.order(set: name, to: value, in: face) {
        try this.obey(order, by: sender)
      }
    }
  }

  private func answer(_ call: MethodCall) throws -> BusReply {
    if call.member == "OpenUri" { return try open(call) }
    return try inOrder(call) { this, sender in
      let face = PlayerFace(of: this.service, items: this.items)
      if let order = try MPRISPlayer.order(call: call.member, call.arguments, in: face) {
        try this.obey(order, by: sender)
      }
    }
  }

  /// Carries out an order when it is known who gives it, and after those that came before it.
  private func inOrder(
    _ call: MethodCall, _ body: @escaping @AgentLoop (MPRISService, Sender) throws -> Void
  ) throws -> BusReply {
    if lookups == 0, let sender = senders.known(call.sender) {
      try body(self, sender)
      return .done
    }
    lookups += 1
    let before = lastLookup
    let lookup = AgentLoop.task(throwing: { [self] in
      _ = try? await before?.value
      let sender = await senders.resolve(call.sender)
      lookups -= 1
      try body(self, sender)
    })
    lastLookup = lookup
    return .later {
      try await lookup.value
      return []
    }
  }

  private func obey(_ order: FaceOrder, by sender: Sender) throws(BusError) {
    switch order {
    case .player(let order): service.order(order, by: sender)
    case .setRepeat(let choice): service.edit { $0.setRepeat(choice) }
    case .setShuffle(let choice): service.edit { $0.setShuffle(choice) }
    case .setVolume(let fraction): service.setVolume(fraction)
    case .open, .quit: break  // answered by `open` and by the root interface
    case .add, .playPlaylist, .queue: break  // the player's interface asks for none of these
    }
  }

  /// What is named is looked at first, and its first sound opened on trial: what plays goes on where nothing of it can be played.
  private func open(_ call: MethodCall) throws -> BusReply {
    guard case .open(let path)? = try MPRISPlayer.order(call: call.member, call.arguments, in: face) else {
      return .done
    }
    return .later { [self] in
      let found = await thread.run { Self.look(at: path) }
      let sources = try found.get()
      var added: EntryID?
      service.edit { queue in
        let change = queue.insertNext(sources)
        if case .added(let entries, _)? = change.edits.first { added = entries.first?.id }
        return change
      }
      if let added { service.order(.jump(to: added)) }
      return []
    }
  }

  /// Blocks.
  private nonisolated static func look(at path: FilePath) -> Result<[EntrySource], BusError> {
    do {
      let entries = try Sources.expand([.path(path)], from: "/").entries
      if let first = entries.first { try SoundOpener.tryToOpen(first.location) }
      return .success(entries)
    } catch {
      return .failure(.failed("\(error)"))
    }
  }
}
