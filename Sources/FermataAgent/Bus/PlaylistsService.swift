// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FaceModel
import PlaybackLogic
import SourceIO

/// The saved playlists as MPRIS shows them, on one connection to the bus.
@AgentLoop
final class PlaylistsService {
  private let connection: BusConnection
  private let editor: QueueEditor
  private let collection: PlaylistCollection
  private var reported: PlaylistsFace

  init(_ connection: BusConnection, editor: QueueEditor, _ collection: PlaylistCollection) {
    self.connection = connection
    self.editor = editor
    self.collection = collection
    reported = collection.face
  }

  /// MPRIS's Playlists interface, whose calls this object answers.
  func interface() -> BusInterface {
    var interface = BusInterface(MPRISDescriptions.playlists)
    interface.answer(MPRISPlaylists.Method.self) { [weak self] call, _ in try self?.answer(call) ?? .done }
    interface.provide { [weak self] name in
      self.flatMap { MPRISPlaylists.properties.value(of: name, in: $0.collection.face) }
    }
    return interface
  }

  /// Sends signals about the playlists and properties that have changed. Call this when there may be any.
  func changed() {
    let now = collection.face
    defer { reported = now }
    for signal in now.signals(from: reported) {
      try? connection.emit(signal, of: MPRISDescriptions.playlists, at: MPRISDescriptions.path)
    }
    let changes = MPRISPlaylists.properties.changes(from: reported, to: now)
    guard !changes.isEmpty else { return }
    try? connection.propertiesChanged(at: MPRISDescriptions.path, MPRISDescriptions.playlists.name, changes)
  }

  /// Answers a call once the folder of playlists has been read, so that the answer is about the playlists that are on disk now, even while the agent
  /// is starting.
  private func answer(_ asked: MPRISPlaylists.Call) throws -> BusReply {
    switch asked {
    case .activate(let playlist):
      let moment = editor.comingOrder()
      return try editor.commit(at: moment) { [self] in activate(playlist, at: moment) }
    case .page(let index, let count, let order, let isReversed):
      return .later { [self] in
        await collection.untilRead()
        return try collection.face.page(from: index, count: count, order: order, isReversed: isReversed)
      }
    }
  }

  private func activate(_ playlist: ObjectPath, at moment: OrderMoment) -> BusReply {
    .later { [self] in
      await collection.untilRead()
      let key = try await editor.forOrder(at: moment) { () throws(BusError) in
        try collection.face.playlist(at: playlist)
      }
      let source: MediaSource =
        switch key {
        case .file(let file): .file(file)
        case .smart(let name): .playlist(name)
        }
      let sources = try await editor.forOrder(at: moment) { () throws(BusError) in
        try await editor.search.expand([source]).entries
      }
      _ = editor.replace(with: sources, at: moment, PlayOptions()) { collection.activated(key) }
      return []
    }
  }
}
