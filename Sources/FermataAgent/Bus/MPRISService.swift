// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FaceModel
import PlaybackLogic

/// The player as the desktop sees it by MPRIS, on one connection to the bus. Properties are computed from the player's face, and only
/// differences are sent. Loop only.
@AgentLoop
final class MPRISService {
  private let connection: BusConnection
  private let service: PlayerService
  private let items: ItemService
  private let editor: QueueEditor
  private let senders: SenderDirectory
  private let quit: @AgentLoop () -> Void
  private let tracks: TrackListService
  private var face: PlayerFace
  /// The place that the listener jumped to in this turn.
  private var seekedTo: Duration?
  /// Grows with each change of the face, so that an answer made for an older face is not used again.
  private var edition: UInt64 = 0
  /// How many orders wait until their senders are looked up. They are carried out in the order in which they came.
  private var lookups = 0
  private var lastLookup: Task<Void, any Error>?

  init(
    _ connection: BusConnection, _ service: PlayerService, items: ItemService, editor: QueueEditor,
    playlists: PlaylistsService?, quit: @escaping @AgentLoop () -> Void
  ) {
    self.connection = connection
    self.service = service
    self.items = items
    self.editor = editor
    self.quit = quit
    senders = SenderDirectory(connection) { [weak service] in service?.note($0()) }
    face = PlayerFace(of: service, items: items)
    tracks = TrackListService(connection, service, items: items, editor: editor)
    let lists = [tracks.interface()] + (playlists.map { [$0.interface()] } ?? [])
    connection.export([root(), player()] + lists, at: MPRISDescriptions.path)
  }

  // MARK: Going out

  /// Sends what the player reports.
  func hear(_ news: PlayerNews) {
    switch news {
    case .seeked(let place): seekedTo = place
    case .queue: tracks.queueChanged()
    case .item(let entry): tracks.itemChanged(entry)
    case .turn: turnEnded()
    default: break
    }
  }

  /// Sends what changed in the turn that is over.
  private func turnEnded() {
    tracks.turnEnded()
    let now = PlayerFace(of: service, items: items)
    let changes = MPRISPlayer.changes(from: face, to: now)
    face = now
    if !changes.isEmpty {
      edition += 1
      try? connection.propertiesChanged(at: MPRISDescriptions.path, MPRISDescriptions.player.name, changes)
    }
    // After the new track: whoever hears of another track takes it to be at its beginning.
    if let place = seekedTo { seeked(to: place) }
    seekedTo = nil
  }

  /// Sends that the place in the track jumped.
  private func seeked(to place: Duration) {
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
    BusInterface(
      MPRISDescriptions.player, call: { [weak self] in try self?.answer($0) ?? .done },
      all: all(), get: { [weak self] in self?.value(of: $0) },
      set: { [weak self] in try self?.set($0, to: $1, $2) ?? .done })
  }

  /// All properties at once: those that were sent last, which are still right, and the place in the track.
  private func all() -> WholeProperties {
    WholeProperties(
      moving: "Position",
      value: { [weak self] in self.map { MPRISPlayer.microseconds($0.service.position) } ?? 0 },
      edition: { [weak self] in self?.edition ?? 0 },
      entries: { [weak self] in
        self.map { MPRISPlayer.properties(of: $0.face) }?.map { name, value in
          DictionaryEntry(.string(name.text), .variant(value))
        } ?? []
      })
  }

  private func value(of name: MemberName) -> WireValue? {
    if name == "Position" { return MPRISPlayer.position(service.position) }
    return MPRISPlayer.property(name, of: PlayerFace(of: service, items: items))
  }

  private func set(_ name: MemberName, to value: WireValue, _ call: MethodCall) throws -> BusReply {
    // A value that cannot be set is refused at once, whoever asks.
    _ = try MPRISPlayer.order(set: name, to: value, in: PlayerFace(of: service, items: items))
    let set = { @AgentLoop [self] in
      try inOrder(name, call) { this, sender in
        let face = PlayerFace(of: this.service, items: this.items)
        if let order = try MPRISPlayer.order(set: name, to: value, in: face) {
          try this.obey(order, by: sender)
        }
      }
    }
    return name == "LoopStatus" || name == "Shuffle" ? try editor.commit(set) : try set()
  }

  private func answer(_ call: MethodCall) throws -> BusReply {
    if call.member == "OpenUri" { return try open(call) }
    return try inOrder(call.member, call) { this, sender in
      let face = PlayerFace(of: this.service, items: this.items)
      if let order = try MPRISPlayer.order(call: call.member, call.arguments, in: face) {
        try this.obey(order, by: sender)
      }
    }
  }

  /// Carries out an order after those that came before it. If it matters who gives the order, that is looked up first.
  private func inOrder(
    _ member: MemberName, _ call: MethodCall,
    _ body: @escaping @AgentLoop (MPRISService, Sender) throws -> Void
  ) throws -> BusReply {
    service.note("bus: \(call.member) from \(call.sender)")
    let sender = MPRISPlayer.depends(onSenderOf: member) ? senders.known(call.sender) : .user
    if lookups == 0, let sender {
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

  private func open(_ call: MethodCall) throws -> BusReply {
    guard case .open(let path)? = try MPRISPlayer.order(call: call.member, call.arguments, in: face) else {
      return .done
    }
    return try editor.commit { [editor] in
      .later {
        editor.play(try await editor.open(path)) { $0.insertNext($1) }
        return []
      }
    }
  }
}
