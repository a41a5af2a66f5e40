// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import FaceModel
import MediaModel
import PlaybackLogic
import PlaylistModel
import SourceIO

/// Edits the queue as others ask for it: what they name is looked up on the thread that may block, and whether rows and
/// entries are there is checked when the edit is made.
///
/// Edits that add take effect in the order of their coming; they do not hold up those that need no look at the disk.
@AgentLoop
struct QueueEditor {
  let service: PlayerService
  let thread: BlockingThread

  private var queue: PlayQueue { service.player.queue }

  // MARK: Adding

  /// What sources come to. Those of a library are refused: there is none. Throws as well where the first sound cannot be opened,
  /// if it is to be opened on trial.
  func expand(
    _ sources: [MediaSource], opensFirst: Bool = false
  ) async throws(BusError) -> [EntrySource] {
    var requests: [SourceRequest] = []
    for source in sources {
      switch source {
      case .file(let path): requests.append(.path(path))
      case .item:
        throw AgentError.refused("\(source.text): there is no library to look it up in; name it as file:")
      }
    }
    let wanted = requests
    return try await thread.run { Self.look(at: wanted, opensFirst) }.get()
  }

  /// Blocks.
  private nonisolated static func look(
    at requests: [SourceRequest], _ opensFirst: Bool
  ) -> Result<[EntrySource], BusError> {
    do {
      let entries = try Sources.expand(requests, from: "/").entries
      if opensFirst, let first = entries.first { try SoundOpener.tryToOpen(first.location) }
      return .success(entries)
    } catch let error as SourceError {
      return .failure(Self.error(error))
    } catch {
      return .failure(AgentError.nothingPlayable("\(error)"))
    }
  }

  private nonisolated static func error(_ error: SourceError) -> BusError {
    switch error.reason {
    case .cancelled: AgentError.tryAgain(error.description)
    case .noSuchFile: AgentError.noSuchFile(error.description)
    case .nothingPlayable: AgentError.nothingPlayable(error.description)
    }
  }

  /// Makes an edit that adds; answers what has come.
  func add(_ edit: (inout PlayQueue) -> QueueChange) -> [EntryID] {
    service.edit(edit).edits.flatMap { edit in
      if case .added(let entries, _) = edit { entries.map(\.id) } else { [EntryID]() }
    }
  }

  /// Makes an edit that adds, and plays the first of what has come.
  func play(_ sources: [EntrySource], _ edit: (inout PlayQueue) -> QueueChange) {
    service.inOneTurn {
      if let first = add(edit).first { service.order(.jump(to: first)) }
    }
  }

  /// Puts sources in the place of all that is there, and plays.
  func replace(
    with sources: [EntrySource], _ options: PlayOptions
  ) -> (entries: [EntryID], outcome: OrderOutcome) {
    service.inOneTurn {
      if let shuffle = options.shuffle { service.edit { $0.setShuffle(shuffle) } }
      let entries = add { $0.replace(with: sources) }
      return (entries, service.order(options.isRandom ? .jumpAnywhere : .play))
    }
  }

  // MARK: Changing

  /// Takes entries out, if all of them are there.
  func remove(_ entries: [EntryID]) throws(BusError) -> [EntryID] {
    for entry in entries { _ = try position(of: entry) }
    return service.edit { $0.remove(entries) }.edits.flatMap { edit in
      if case .removed(let entries, _) = edit { entries.map(\.id) } else { [EntryID]() }
    }
  }

  /// Moves rows together; the row counts from 1.
  func move(_ entry: EntryID, count: Int, to row: Int) throws(BusError) -> [EntryID] {
    let start = try position(of: entry)
    let left = queue.count - start
    guard (1...left).contains(count) else {
      throw AgentError.refused("\(count) rows from row \(start + 1) on can't be moved: there are \(left)")
    }
    guard (1...queue.count - count + 1).contains(row) else {
      throw AgentError.refused(
        "row \(row) is too far down for \(count) of \(queue.count) rows; \(queue.count - count + 1) is the last"
      )
    }
    let rows = start..<start + count
    let moved = queue.entries(at: rows).map(\.id)
    service.edit { $0.move(rows, to: row - 1) }
    return moved
  }

  /// Takes the last edit back.
  func undo() throws(BusError) {
    guard queue.canUndo else { throw AgentError.refused("there is no edit of the queue to take back") }
    service.edit { $0.undo() ?? QueueChange() }
  }

  /// Makes the edit again that was taken back last.
  func redo() throws(BusError) {
    guard queue.canRedo else { throw AgentError.refused("there is no edit of the queue to do again") }
    service.edit { $0.redo() ?? QueueChange() }
  }

  private func position(of entry: EntryID) throws(BusError) -> Int {
    guard let position = queue.position(of: entry) else {
      throw AgentError.refused("\(Refusal.noSuchEntry.rawValue) as \(entry.rawValue); list the queue anew")
    }
    return position
  }

  // MARK: Saving

  /// Writes the queue into a file, in the format of its name.
  func save(at path: FilePath) async throws(BusError) {
    let entries = queue.entries(at: 0..<queue.count)
    try await thread.run { Self.write(entries, at: path) }.get()
  }

  /// Blocks.
  private nonisolated static func write(_ entries: [Entry], at path: FilePath) -> Result<Void, BusError> {
    do throws(PlaylistFileError) {
      return .success(
        try PlaylistFile.save(Playlist(entries: entries.map { PlaylistEntry($0.source) }), at: path))
    } catch {
      return .failure(AgentError.cannotWrite(error.description))
    }
  }
}
