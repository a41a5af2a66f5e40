// SPDX-License-Identifier: MIT
import AgentAccess
import CommandModel
import FaceModel
import LibraryQuery
import MediaModel
import PlaybackLogic

/// A source to put into a queue.
public enum MusicSource: Sendable, Hashable {
  /// A file, a folder with everything below it, or a playlist: an absolute path.
  case path(String)
  /// A file, a folder or a playlist, as a `file:` URI, which can hold names in any encoding.
  case url(String)
  /// An item of the library.
  case item(MediaItem.PersistentID)
  /// A saved playlist, by its name.
  case playlist(String)

  func source() throws(MusicError) -> FaceModel.MediaSource {
    switch self {
    case .item(let id): return .item(MediaModel.MediaItem.ID(rawValue: id.rawValue))
    case .playlist(let name): return .playlist(name)
    case .path(let text): return .file(try FilePath(absolute: text))
    case .url(let text):
      guard let path = try? FilePath(uri: text) else {
        throw MusicError(.noSuchFile, text, "it names no file of this machine", "name a file: URI")
      }
      return .file(path)
    }
  }
}

extension FilePath {
  /// The path that a program has given as text. Throws if it is not absolute: the player's process has a working directory of its own.
  init(absolute text: String) throws(MusicError) {
    guard let path = FilePath(text), path.isAbsolute else {
      throw MusicError(.noSuchFile, text, "it is no absolute path", "begin it with '/'")
    }
    self = path
  }
}

/// The result of adding sources.
public struct AddedSources: Sendable, Hashable {
  /// The rows that were added to the queue, in their order.
  public let entries: [QueueEntry.ID]
  /// The sources that were left out, each with the reason.
  public let leftOut: [String]

  /// How many rows were added to the queue.
  public var count: Int { entries.count }

  static let none = AddedSources(entries: [], leftOut: [])
}

extension AddedSources {
  init(_ rows: AddedRows) {
    self.init(entries: rows.entries.map { QueueEntry.ID(rawValue: $0.rawValue) }, leftOut: rows.leftOut)
  }
}

/// What an edit of the queue did.
public struct QueueChange: Sendable, Hashable {
  /// How many rows were added.
  public let added: Int
  /// How many rows were removed.
  public let removed: Int
  /// How many rows were moved.
  public let moved: Int

  init(_ counts: EditCounts) { (added, removed, moved) = (counts.added, counts.removed, counts.moved) }
}

// The queue: its rows, and edits. Every edit can be undone.
extension MusicPlayer {
  /// The rows of the queue in the order of the list, from `first` on, which counts from 0. Rows that do not exist are left out.
  public func entries(from first: Int = 0, count: Int = 500) async throws(MusicError) -> [QueueEntry] {
    guard first >= 0, count > 0 else { return [] }
    return try await core.ask { agent async throws(CommandError) in
      let length = try await agent.status().queueLength
      guard first < length else { return [] }
      do throws(CommandError) {
        let rows = first + 1...first + min(count, length - first)
        return try await agent.queue(rows: rows, withTags: true).items.compactMap(QueueEntry.init)
      } catch {
        // The queue may have become shorter meanwhile.
        if try await agent.status().queueLength <= first { return [] }
        throw error
      }
    }
  }

  /// The rows that play next, in the order in which they play: with shuffle that is not the order of the list. At most `count`.
  public func upcomingEntries(count: Int = 20) async throws(MusicError) -> [QueueEntry] {
    guard count > 0 else { return [] }
    return try await core.ask { agent async throws(CommandError) in
      try await agent.upcoming(min(count, Int(Int32.max))).page.items.compactMap(QueueEntry.init)
    }
  }

  /// Replaces the queue and stops; ``MusicPlayer/play()`` then begins with its first row. Without any source the queue is emptied. If none of the sources
  /// can be played, throws and leaves the queue as it was.
  @discardableResult
  public func setQueue(with sources: [MusicSource]) async throws(MusicError) -> AddedSources {
    let sources = try sources.map { source throws(MusicError) in try source.source() }
    guard !sources.isEmpty else {
      try await removeAll()
      return .none
    }
    return try await core.ask { agent async throws(CommandError) in
      AddedSources(try await agent.play(sources, PlayOptions(isStopped: true)))
    }
  }

  /// Replaces the queue by the items that a query finds, in its order, and stops. If it finds none, the queue is emptied.
  @discardableResult
  public func setQueue(with query: MediaQuery) async throws(MusicError) -> AddedSources {
    try await setQueue(with: try await query.persistentIDs.map(MusicSource.item))
  }

  /// Adds sources at the end of the queue.
  @discardableResult
  public func append(_ sources: [MusicSource]) async throws(MusicError) -> AddedSources {
    try await add(sources) { .append($0) }
  }

  /// Adds sources so that the first of them gets this index, which counts from 0.
  @discardableResult
  public func insert(_ sources: [MusicSource], at index: Int) async throws(MusicError) -> AddedSources {
    try await add(sources) { .insert($0, at: Self.row(index)) }
  }

  /// Adds sources after the current row, and after those that were added in this way before.
  @discardableResult
  public func insertNext(_ sources: [MusicSource]) async throws(MusicError) -> AddedSources {
    try await add(sources) { .addNext($0) }
  }

  /// Plays this row. Throws if it is not in the queue.
  public func play(_ entry: QueueEntry.ID) async throws(MusicError) {
    let id = EntryID(rawValue: entry.rawValue)
    try await core.ask { agent async throws(CommandError) in _ = try await agent.order(.jump(to: id)) }
  }

  /// Removes rows. If the current row is among them, the next one plays.
  public func remove(_ entries: [QueueEntry.ID]) async throws(MusicError) {
    guard !entries.isEmpty else { return }
    try await edit(.remove(entries.map { EntryID(rawValue: $0.rawValue) }))
  }

  /// The row of an index. An index beyond any queue means its end.
  private static func row(_ index: Int) -> Int { min(max(0, index), Int(Int32.max)) + 1 }

  /// Moves a row, so that it has this index afterwards, which counts from 0. Throws if the row is not in the queue.
  public func move(_ entry: QueueEntry.ID, to index: Int) async throws(MusicError) {
    try await edit(.move(EntryID(rawValue: entry.rawValue), count: 1, to: Self.row(index)))
  }

  /// Sorts rows by these properties, the most important first: the whole queue, or the given rows among themselves. The current track goes on, and
  /// ``undo()`` takes the sorting back as one edit.
  ///
  /// An order by album is that of a shelf: by the album's artist, the album, the disc and the track. Rows that are equal keep their order. Rows whose
  /// tags can't be read within some seconds come last; their number is returned.
  @discardableResult
  public func sort(
    _ entries: [QueueEntry.ID] = [], by keys: [MediaQuery.SortKey] = [.ascending(.albumTitle)]
  ) async throws(MusicError) -> Int {
    let sort: TrackSort
    do throws(PredicateError) { sort = try TrackSort(keys.map(\.text)) } catch {
      throw MusicError(.invalidArgument, "sort", error.message, "name other properties")
    }
    let ids = entries.map { EntryID(rawValue: $0.rawValue) }
    return try await core.ask { agent async throws(CommandError) in
      try await agent.sort(ids, by: sort).unread
    }
  }

  /// The picture of a row as a `file:` URI, which fits into `size` times `size` pixels. If the row has none, one is drawn. Nil for the picture's own
  /// size; then a row without a picture is an error. Throws also if the row is not in the queue.
  ///
  /// The file may be deleted later, when newer pictures need its room: open it at once, or ask again.
  public func artworkURL(of entry: QueueEntry.ID, size: Int? = nil) async throws(MusicError) -> String {
    try MusicError.check(artworkSize: size)
    return try await core.ask { agent async throws(CommandError) in
      try await agent.art(of: EntryID(rawValue: entry.rawValue), size: size).uri
    }
  }

  /// Empties the queue and stops.
  public func removeAll() async throws(MusicError) { try await edit(.clear) }

  /// Undoes the last edit of the queue, whoever made it, and returns what that edit had done. Music that it has stopped stays stopped.
  @discardableResult
  public func undo() async throws(MusicError) -> QueueChange { try await retrace(.undo) }

  /// Redoes the edit that was undone last, and returns what that edit does.
  @discardableResult
  public func redo() async throws(MusicError) -> QueueChange { try await retrace(.redo) }

  private func retrace(_ order: QueueOrder) async throws(MusicError) -> QueueChange {
    try await core.ask { agent async throws(CommandError) in QueueChange(try await agent.retrace(order)) }
  }

  private func edit(_ order: QueueOrder) async throws(MusicError) {
    try await core.ask { agent async throws(CommandError) in try await agent.edit(order) }
  }

  private func add(
    _ sources: [MusicSource], _ order: @escaping @Sendable ([FaceModel.MediaSource]) -> QueueOrder
  ) async throws(MusicError) -> AddedSources {
    guard !sources.isEmpty else { return .none }
    let sources = try sources.map { source throws(MusicError) in try source.source() }
    return try await core.ask { agent async throws(CommandError) in
      AddedSources(try await agent.add(order(sources)))
    }
  }
}
