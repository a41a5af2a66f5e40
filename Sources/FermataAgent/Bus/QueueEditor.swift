// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FaceModel
import MediaModel
import PlaybackLogic
import PlaylistModel
import SourceIO
import SQLiteIO
import UserFiles

/// Edits the queue for callers on the bus. Sources that they name are looked up on a thread that may block; whether rows and entries exist is checked
/// when the edit is made.
///
/// Edits that add take effect in the order in which they came. Edits that need no look at the disk do not wait for them.
@AgentLoop
struct QueueEditor {
  private let service: PlayerService
  private let items: ItemService
  /// Looks up the files and other sources whose sounds are to be added.
  let search: SourceFinder

  init(
    service: PlayerService, items: ItemService, thread: BlockingThread, library: LibraryService? = nil,
    filesElsewhere: SourceFinder.FileFinder? = nil
  ) {
    self.service = service
    self.items = items
    search = SourceFinder(thread, service, items, library, elsewhere: filesElsewhere)
  }

  private var queue: PlayQueue { service.player.queue }

  /// Notes an order to play that has come. To be called when it is read; see `PlayerService.comingOrder`.
  func comingOrder() -> OrderMoment { service.comingOrder() }

  /// Notes an order to jump to an entry that has come, as `comingOrder` does. If that entry is gone, nothing is noted, as the order will be
  /// refused.
  func comingJump(to entry: EntryID) -> OrderMoment {
    queue.entry(entry) == nil ? service.playback.moment : comingOrder()
  }

  /// Looks something up for the order to play that came at this moment. If that throws, the order counts as
  /// never given.
  func forOrder<Found>(
    at moment: OrderMoment, _ lookUp: () async throws(BusError) -> Found
  ) async throws(BusError) -> Found {
    do throws(BusError) { return try await lookUp() } catch {
      service.orderFailed(at: moment)
      throw error
    }
  }

  // MARK: Adding

  /// Makes an edit that adds entries to the queue; returns these entries. With `fromBeginning`, long tracks start at their beginning and not at the
  /// place where they were left.
  func add(fromBeginning: Bool = false, _ edit: (inout PlayQueue) -> QueueChange) -> [EntryID] {
    service.edit(fromBeginning: fromBeginning, edit).edits.flatMap { edit in
      if case .added(let entries, _) = edit { entries.map(\.id) } else { [EntryID]() }
    }
  }

  /// Makes an edit that adds sources that were opened on trial, and plays the first one that can be played.
  ///
  /// `moment` is when the order came. If there was a reason for silence after that, or another order has led to a track, nothing is played.
  @discardableResult
  func play(
    _ opened: OpenedSources, at moment: OrderMoment, fromBeginning: Bool = false,
    _ edit: (inout PlayQueue, [EntrySource]) -> QueueChange
  ) -> (entries: [EntryID], outcome: OrderOutcome) {
    service.inOneTurn {
      let before = service.moment
      let entries = add(fromBeginning: fromBeginning) { edit(&$0, opened.sources) }
      guard entries.indices.contains(opened.start) else { return (entries, OrderOutcome([])) }
      if let known = opened.first { items.learn(known, of: entries[opened.start]) }
      let first = entries[opened.start]
      let chapter = service.player.chapterLeft(first, after: nil) ?? first
      let outcome = service.order(.jump(to: chapter), at: moment)
      service.noteLeft(before)
      return (entries, outcome)
    }
  }

  /// Plays an entry if its file can be opened now. If not, throws the reason, and the present track goes on.
  ///
  /// `moment` is when the order came. If there was a reason for silence after that, or another order has led to a track, the jump is refused.
  func jump(
    to entry: EntryID, at moment: OrderMoment, _ job: BlockingJob = BlockingJob()
  ) async throws(BusError) -> OrderOutcome {
    if let row = queue.entry(entry) {
      let (isGone, reason, refusal) = try await forOrder(at: moment) { () throws(BusError) in
        try await search.tryToOpen(row, job)
      }
      service.mark([entry], asMissing: isGone)
      service.mark(entry, asUnplayable: isGone ? nil : reason)
      if let refusal {
        service.orderFailed(at: moment)
        throw AgentError.refused(refusal)
      }
    }
    let outcome = service.order(.jump(to: entry), at: moment)
    if let refusal = outcome.refusal, [.silencedMeanwhile, .overtaken].contains(refusal) {
      throw AgentError.refused(refusal.rawValue)
    }
    return outcome
  }

  // MARK: Answering

  /// Makes an edit and replies when it is on disk, in the order in which the edits came. An edit that cannot be stored is taken back and refused. If
  /// the last write failed, another write is tried first; if that fails too, the edit is not even begun, so that the present track is not disturbed.
  /// `moment` is when it came, if it is an order to play: it then stands in the way of no earlier one.
  func commit(at moment: OrderMoment? = nil, _ edit: @escaping @AgentLoop () throws -> BusReply) throws
    -> BusReply
  {
    guard let keeper = service.keeper else { return try edit() }
    if keeper.isWritable { return Self.answer(try edit(), when: keeper) }
    return .later {
      do throws(StoreError) { try await keeper.untilWritable() } catch {
        if let moment { service.orderFailed(at: moment) }
        throw Self.error(error)
      }
      return try await Self.values(of: Self.answer(try edit(), when: keeper))
    }
  }

  /// Makes an edit of the queue's modes.
  func edit(_ edit: FaceOrder.ModeEdit) throws -> BusReply {
    try commit { [service] in
      service.edit { edit.apply(to: &$0) }
      return .done
    }
  }

  private static func answer(_ reply: BusReply, when keeper: StateKeeper) -> BusReply {
    .later {
      let values = try await values(of: reply)
      do throws(StoreError) { try await keeper.untilStored() } catch { throw Self.error(error) }
      return values
    }
  }

  private static func values(of reply: BusReply) async throws -> [WireValue] {
    switch reply {
    case .now(let ready): ready
    case .later(let body): try await body()
    }
  }

  private static func error(_ error: StoreError) -> BusError { AgentError.cannotWrite(error.advice) }

  // MARK: Changing

  /// Replaces the whole queue with sources, and plays. `andThen` is called after both, in the same turn. If there was a reason for silence after `moment`,
  /// when the order came, nothing is played.
  func replace(
    with sources: [EntrySource], at moment: OrderMoment, _ options: PlayOptions, andThen: () -> Void = {}
  ) -> (entries: [EntryID], outcome: OrderOutcome) {
    service.inOneTurn {
      let entries = add(fromBeginning: options.fromBeginning) {
        $0.replace(with: sources, shuffle: options.shuffle)
      }
      defer { andThen() }
      if options.isStopped { return (entries, service.order(.stop)) }
      return (entries, service.order(options.isRandom ? .jumpAnywhere : .play, at: moment))
    }
  }

  /// Removes entries. Throws if one of them is not in the queue.
  func remove(_ entries: [EntryID]) throws(BusError) -> [EntryID] {
    for entry in entries { _ = try position(of: entry) }
    return Self.removed(by: service.edit { $0.remove(entries) })
  }

  /// Removes everything but the current entry. Throws if there is none.
  func crop() throws(BusError) -> [EntryID] {
    guard queue.current != nil else { throw AgentError.refused(Refusal.nothingCurrent.rawValue) }
    return Self.removed(by: service.edit { $0.crop() })
  }

  private static func removed(by change: QueueChange) -> [EntryID] {
    change.edits.flatMap { edit in
      if case .removed(let entries, _) = edit { entries.map(\.id) } else { [EntryID]() }
    }
  }

  /// Moves `count` entries, beginning with this one, so that the first of them gets to `row`, which counts from 1. Throws if they do not fit there.
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

  /// Undoes the last edit; returns what that edit had done. Throws if there is none.
  func undo() throws(BusError) -> EditCounts {
    let change = queue.canUndo ? service.edit { $0.undo() ?? QueueChange() } : QueueChange()
    guard change.command != nil else {
      throw AgentError.refused("there is no edit of the queue to take back")
    }
    return EditCounts(change.inverseEdits)
  }

  /// Redoes the edit that was undone last; returns what it did. Throws if there is none.
  func redo() throws(BusError) -> EditCounts {
    let change = queue.canRedo ? service.edit { $0.redo() ?? QueueChange() } : QueueChange()
    guard change.command != nil else { throw AgentError.refused("there is no edit of the queue to do again") }
    return EditCounts(change.edits)
  }

  func position(of entry: EntryID) throws(BusError) -> Int {
    guard let position = queue.position(of: entry) else {
      throw AgentError.noSuchItem("\(Refusal.noSuchEntry.rawValue) as \(entry.rawValue); list the queue anew")
    }
    return position
  }

  // MARK: Saving

  /// The queue as it is now, for `save`, with the items that are known.
  func listing() -> [(entry: Entry, item: ItemService.Known)] {
    queue.entries(at: 0..<queue.count).map { ($0, items.itemSoFar($0)) }
  }

  /// Writes rows of the queue into a file; the file's name decides the format. An empty queue is refused, because it would only erase the file. A
  /// file that exists is refused too, unless `replacing` is set. Tags that are not known are read first, as many as there is time for.
  func save(
    _ rows: [(entry: Entry, item: ItemService.Known)], at path: FilePath, replacing: Bool, _ job: BlockingJob
  ) async throws(BusError) {
    guard !rows.isEmpty else { throw AgentError.refused("the queue is empty; there is nothing to save") }
    let unread = rows.filter { !$0.item.areTagsRead }.map(\.entry)
    let found = await items.read(unread, until: AgentLoop.now + Self.patience)
    try await search.run(job) { job in
      let lines = rows.map { PlaylistEntry($0.source, (found[$0.id] ?? $1).item.tags) }
      job.looks(at: path.text)
      return Self.written { () throws(PlaylistFileError) in
        try PlaylistFile.save(
          Playlist(entries: lines), at: path, replacing: replacing, keptIn: UserFolders.playlists)
      }
    }
  }

  /// Adds sources at the end of a playlist file, with their tags. Of very many no tags are read; a playlist needs none.
  func add(_ sources: [EntrySource], toFile path: FilePath, _ job: BlockingJob) async throws(BusError) {
    let read = sources.count <= Self.mostRead ? items.readsSources : nil
    try await search.run(job) { job in
      let lines = sources.map { source in
        job.looks(at: source.location)
        return PlaylistEntry(source, read?(source)?.item.tags)
      }
      job.looks(at: path.text)
      return Self.written { () throws(PlaylistFileError) in
        try PlaylistFile.append(lines, to: path, keptIn: UserFolders.playlists)
      }
    }
  }

  /// Of at most so many sources the tags are read for a playlist. Another order waits until that is done.
  private static let mostRead = 500

  /// Before a queue is saved, tags that are missing are read for this time at most; the rest of the rows is saved without.
  private static let patience = Duration.seconds(5)

  private nonisolated static func written(
    _ write: () throws(PlaylistFileError) -> Void
  ) -> Result<Void, BusError> {
    do throws(PlaylistFileError) { return .success(try write()) } catch {
      let kind: AgentError = error.reason == .exists ? .refused : .cannotWrite
      return .failure(kind(error.description))
    }
  }
}

extension PlaylistEntry {
  /// The playlist's line for an entry with these tags. For a part of a file they are those of the part.
  fileprivate init(_ source: EntrySource, _ tags: MediaTags?) {
    self.init(source)
    guard let tags else { return }
    title = tags.title
    performer = tags.artist.isEmpty ? nil : tags.artist.joined(separator: ", ")
    album = tags.album
    duration = tags.duration
  }
}
