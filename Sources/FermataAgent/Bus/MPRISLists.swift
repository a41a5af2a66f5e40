// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FaceModel
import MediaModel
import PlaybackLogic
import SourceIO

/// The queue as MPRIS's TrackList shows it, on one connection to the bus.
@AgentLoop
final class TrackListService {
  private let connection: BusConnection
  private let service: PlayerService
  private let items: ItemService
  private let editor: QueueEditor
  private var face = TrackListFace()
  private var isStale = false

  init(_ connection: BusConnection, _ service: PlayerService, items: ItemService, editor: QueueEditor) {
    self.connection = connection
    self.service = service
    self.items = items
    self.editor = editor
    // Entries that are in the queue from the beginning are not sent as new.
    _ = face.update(to: service.player.queue)
  }

  /// MPRIS's TrackList interface, whose calls this object answers.
  func interface() -> BusInterface {
    var interface = BusInterface(MPRISDescriptions.trackList)
    interface.answer(MPRISTrackList.Method.self) { [weak self] call, _ in try self?.answer(call) ?? .done }
    interface.provide { [weak self] name in
      self.flatMap { MPRISTrackList.properties.value(of: name, in: $0.face) }
    }
    return interface
  }

  // MARK: Going out

  /// Notes that the queue or its current row has changed. The part that MPRIS shows is compared with the former one when the turn is over.
  func queueChanged() { isStale = true }

  /// Sends signals about what has changed in the shown part of the queue since the player's last turn.
  func turnEnded() {
    guard isStale else { return }
    isStale = false
    let news = face.update(to: service.player.queue)
    guard !news.isEmpty else { return }
    for news in news { emit(news) }
    try? connection.propertiesChanged(
      at: MPRISDescriptions.path, MPRISDescriptions.trackList.name, [], invalidated: ["Tracks"])
  }

  /// Sends the new metadata of an entry, if it is in the part of the queue that MPRIS shows.
  func itemChanged(_ entry: EntryID) { if face.shows(entry) { emit(.metadataChanged(entry)) } }

  private func emit(_ news: TrackListNews) {
    let signal = news.signal { metadata(of: $0) ?? Fields() }
    try? connection.emit(signal, of: MPRISDescriptions.trackList, at: MPRISDescriptions.path)
  }

  private func metadata(of entry: EntryID) -> Fields? {
    service.player.queue.entry(entry).map { row in
      let known = items.item(row)
      return MPRISTrackList.metadata(of: entry, known.item, artURL: known.artURL)
    }
  }

  // MARK: Coming in

  private func answer(_ asked: MPRISTrackList.Call) throws -> BusReply {
    switch asked {
    case .metadata(let tracks): return .value(tracks.compactMap(metadata))
    case .add(let path, let other, let plays):
      let moment = plays ? editor.comingOrder() : nil
      return try editor.commit(at: moment) { [self] in
        .later {
          try await self.add(path, after: other, playing: moment)
          return []
        }
      }
    case .remove(let entry?):
      return try editor.commit { [service] in
        service.edit { $0.remove([entry]) }
        return .done
      }
    case .goTo(let entry?):
      return .later { [editor, moment = editor.comingJump(to: entry)] in
        _ = try await editor.jump(to: entry, at: moment)
        return []
      }
    case .remove(nil), .goTo(nil): return .done
    }
  }

  /// Adds a file after another entry, or before all that are shown if there is none. If that entry is gone by now, the file is added at the
  /// end. With `moment`, see `QueueEditor.play`, it is also played.
  private func add(_ path: FilePath, after other: EntryID?, playing moment: OrderMoment?)
    async throws(BusError)
  {
    let edit = { [face] (queue: inout PlayQueue, sources: [EntrySource]) in
      let top = face.tracks.first.flatMap { queue.position(of: $0) } ?? 0
      let position = other.map { queue.position(of: $0).map { $0 + 1 } ?? queue.count } ?? top
      return queue.insert(sources, at: position)
    }
    if let moment {
      let opened = try await editor.forOrder(at: moment) { () throws(BusError) in
        try await editor.search.open(path)
      }
      editor.play(opened, at: moment, edit)
      return
    }
    let sources = try await editor.search.expand([.file(path)]).entries
    service.edit { edit(&$0, sources) }
  }
}

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
