// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FaceModel
import PlaybackLogic

/// The player as the desktop sees it by MPRIS, on one connection to the bus. Properties are computed from what the player shows (`PlayerFace`), and
/// only differences are sent.
@AgentLoop
final class MPRISService {
  private let connection: BusConnection
  private let service: PlayerService
  private let items: ItemService
  private let editor: QueueEditor
  private let senders: SenderDirectory
  private let quit: @AgentLoop () -> Void
  private let program: MPRISRoot.Program
  private let tracks: TrackListService
  private var face: PlayerFace
  /// Says when the tags of another track are known. Until then its metadata is not sent, because notifiers and scrobblers would take a
  /// track whose title changes a moment later for two tracks.
  private let announcer: Announcer
  /// Whether metadata was held back and has yet to be sent, and whether it is still to be told that this track plays.
  private var owesMetadata = false
  private var owesPlaying = false
  private var told: ToldPlace
  /// Grows whenever what the player shows has changed, so that an answer made before is not used again.
  private var edition: UInt64 = 0

  init(
    _ connection: BusConnection, _ service: PlayerService, items: ItemService, editor: QueueEditor,
    playlists: PlaylistsService?, of program: MPRISRoot.Program, quit: @escaping @AgentLoop () -> Void
  ) {
    self.connection = connection
    self.service = service
    self.items = items
    self.editor = editor
    self.quit = quit
    self.program = program
    senders = SenderDirectory(connection) { [weak service] in service?.note($0()) }
    face = PlayerFace(of: service, items: items)
    told = ToldPlace(service.position, isPlaying: face.state.mpris == .playing, at: AgentLoop.now)
    announcer = Announcer(announced: face.entry)
    tracks = TrackListService(connection, service, items: items, editor: editor)
    announcer.askAgain = { [weak self] in self?.tellChanges() }
    connection.preparation = { [senders] call in
      guard Self.depends(onSenderOf: call), senders.known(call.sender) == nil else { return nil }
      return { await senders.lookUp(call.sender) }
    }
    let lists = [tracks.interface()] + (playlists.map { [$0.interface()] } ?? [])
    connection.export([root(), player()] + lists, at: MPRISDescriptions.path)
  }

  // MARK: Going out

  /// Sends signals about what the player reports.
  func hear(_ news: PlayerNews) {
    switch news {
    case .seeked(let place): told.jump(to: place)
    case .queue: tracks.queueChanged()
    case .item(let entry): tracks.itemChanged(entry)
    case .turn: turnEnded()
    default: break
    }
  }

  /// Sends signals about what has changed since the player's last turn.
  private func turnEnded() {
    tracks.turnEnded()
    tellChanges()
  }

  private func tellChanges() {
    let now = PlayerFace(of: service, items: items)
    var changes = MPRISPlayer.properties.changes(from: face, to: now)
    let isOtherTrack = now.entry != face.entry || owesMetadata
    face = now
    if !changes.isEmpty { edition += 1 }
    holdMetadata(in: &changes)
    if !changes.isEmpty {
      try? connection.propertiesChanged(at: MPRISDescriptions.path, MPRISDescriptions.player.name, changes)
    }
    if isOtherTrack && !owesMetadata || face.state.mpris == .stopped { told.begin(at: AgentLoop.now) }
    let place = told.placeToTell(
      face.state, isPlaying: face.state.mpris == .playing, isTrackTold: !owesMetadata,
      present: service.position,
      at: AgentLoop.now)
    guard let place else { return }
    try? connection.emit(
      MPRISPlayer.seeked(to: place), of: MPRISDescriptions.player, at: MPRISDescriptions.path)
  }

  /// Takes another track's metadata out of `changes` while its tags are read, however long that takes, and adds metadata that was held back before
  /// and is complete now. A client that asks gets what is known.
  private func holdMetadata(in changes: inout [(MemberName, WireValue)]) {
    let isReading = face.entry.map(items.isReading) ?? false
    let step = announcer.step(face.entry, awaitsSound: false, isReading: isReading)
    if step == .tellPlace { told.jump(to: service.position) }
    let change = changes.firstIndex { $0.0 == "Metadata" }
    if announcer.isWaiting {
      owesMetadata = owesMetadata || change != nil
      if let change { changes.remove(at: change) }
    } else {
      if owesMetadata, change == nil, let metadata = MPRISPlayer.properties.value(of: "Metadata", in: face) {
        changes.append(("Metadata", metadata))
      }
      owesMetadata = false
    }
    holdPlaying(in: &changes)
  }

  /// Takes out of `changes` that the player plays while the metadata of the track that plays is held back, and adds it when it is told: clients would take
  /// the former track for the one that plays. That the music stops is told at once.
  private func holdPlaying(in changes: inout [(MemberName, WireValue)]) {
    let change = changes.firstIndex { $0.0 == "PlaybackStatus" }
    let isPlaying = face.state.mpris == .playing
    if owesMetadata, isPlaying {
      owesPlaying = owesPlaying || change != nil
      if let change { changes.remove(at: change) }
    } else {
      if owesPlaying, isPlaying, change == nil {
        changes.append(("PlaybackStatus", .string(face.state.mpris.rawValue)))
      }
      owesPlaying = false
    }
  }

  // MARK: Interfaces

  private func root() -> BusInterface {
    var interface = BusInterface(MPRISDescriptions.root)
    interface.answer(MPRISRoot.Method.self) { [quit, program] method, _ in
      switch method {
      case .raise: break
      // Quits only after the answer has been sent.
      case .quit where program.canQuit: AgentLoop.after(.zero) { quit() }
      case .quit: break
      }
      return .done
    }
    interface.provide { [program] in MPRISRoot.properties.value(of: $0, in: program) }
    return interface
  }

  private func player() -> BusInterface {
    var interface = BusInterface(MPRISDescriptions.player)
    interface.answer(MPRISPlayer.Method.self) { [weak self] in try self?.answer($0, $1) ?? .done }
    interface.provide { [weak self] in
      self?.value(of: $0)
    } set: { [weak self] in
      try self?.set($0, to: $1, $2) ?? .done
    }
    interface.provide(all())
    return interface
  }

  /// All properties at once: the values that were sent last, which still hold, and the present place in the track.
  private func all() -> WholeProperties {
    WholeProperties(
      moving: "Position",
      value: { [weak self] in self.map { MPRISPlayer.microseconds($0.service.position) } ?? 0 },
      edition: { [weak self] in self?.edition ?? 0 },
      entries: { [weak self] in
        self.map { MPRISPlayer.properties.values(of: $0.face) }?.map { name, value in
          DictionaryEntry(.string(name.text), .variant(value))
        } ?? []
      })
  }

  private func value(of name: MemberName) -> WireValue? {
    if name == "Position" { return .int64(MPRISPlayer.microseconds(service.position)) }
    return MPRISPlayer.properties.value(of: name, in: PlayerFace(of: service, items: items))
  }

  private func set(_ name: MemberName, to value: WireValue, _ call: MethodCall) throws -> BusReply {
    service.note("bus: \(name) from \(call.sender)")
    let face = PlayerFace(of: service, items: items)
    switch try MPRISPlayer.properties.order(setting: name, to: value, in: face) {
    case .edit(let edit): return try editor.edit(edit)
    case .player(let order): service.order(order, by: sender(of: call))
    case .setVolume(let fraction): service.setVolume(fraction)
    case .setMuted(let isMuted): service.setMuted(isMuted)
    case nil: break
    }
    return .done
  }

  private func answer(_ asked: MPRISPlayer.Call, _ call: MethodCall) throws -> BusReply {
    switch asked {
    case .order(let rule):
      service.note("bus: \(call.member) from \(call.sender)")
      let face = PlayerFace(of: service, items: items)
      if let order = try rule(face) { service.order(order, by: sender(of: call)) }
      return .done
    case .open(let path):
      let moment = editor.comingOrder()
      return try editor.commit(at: moment) { [editor] in
        .later {
          let opened = try await editor.forOrder(at: moment) { () throws(BusError) in
            try await editor.search.open(path)
          }
          editor.play(opened, at: moment) { $0.insertFirst($1) }
          return []
        }
      }
    }
  }

  /// Who gives an order, as far as that matters for it. Somebody who has left already counts as a person.
  private func sender(of call: MethodCall) -> Sender {
    Self.depends(onSenderOf: call) ? senders.known(call.sender) ?? .user : .user
  }

  private static func depends(onSenderOf call: MethodCall) -> Bool {
    MPRISPlayer.depends(onSenderOf: call.member, of: call.interface, call.arguments)
  }
}
