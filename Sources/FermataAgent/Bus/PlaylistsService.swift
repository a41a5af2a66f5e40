// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FaceModel
import PlaybackLogic

/// The saved playlists as MPRIS shows them, on one connection to the bus. Loop only.
@AgentLoop
final class PlaylistsService {
  private let connection: BusConnection
  private let editor: QueueEditor
  private let collection: PlaylistCollection
  private var told: PlaylistsFace

  init(_ connection: BusConnection, editor: QueueEditor, _ collection: PlaylistCollection) {
    self.connection = connection
    self.editor = editor
    self.collection = collection
    told = collection.face
  }

  /// The interface, answered by this object.
  func interface() -> BusInterface {
    BusInterface(
      MPRISDescriptions.playlists, call: { [weak self] in try self?.answer($0) ?? .done },
      get: { [weak self] name in
        self.flatMap { $0.collection.face.properties.first { $0.0 == name }?.1 }
      })
  }

  /// Call this when the playlists may have changed; sends what is different.
  func changed() {
    let now = collection.face
    defer { told = now }
    for arguments in now.changedPlaylists(from: told) {
      try? connection.emit(
        BusSignal(
          path: MPRISDescriptions.path, interface: MPRISDescriptions.playlists.name,
          member: "PlaylistChanged",
          arguments: arguments))
    }
    let changes = now.changes(from: told)
    guard !changes.isEmpty else { return }
    try? connection.propertiesChanged(at: MPRISDescriptions.path, MPRISDescriptions.playlists.name, changes)
  }

  /// Answers a call once the folder has been read, so that answers are about what is on the disk now, also while the agent is still
  /// starting.
  private func answer(_ call: MethodCall) throws -> BusReply {
    if call.member != "GetPlaylists" { return try editor.commit { [self] in activate(call) } }
    return .later { [self] in
      await collection.untilRead()
      return try collection.face.page(call.arguments)
    }
  }

  private func activate(_ call: MethodCall) -> BusReply {
    .later { [self] in
      await collection.untilRead()
      if case .playPlaylist(let file) = try collection.face.order(activate: call.arguments) {
        let sources = try await editor.expand([.file(file)]).entries
        editor.service.inOneTurn {
          _ = editor.replace(with: sources, PlayOptions())
          collection.activated(file)
        }
      }
      return []
    }
  }
}
