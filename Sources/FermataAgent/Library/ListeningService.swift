// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import LibraryModel
import MediaModel
import PlaybackLogic
import SourceIO

/// Tells the library which tracks were played and which were skipped, as `ListeningMeter` decides.
///
/// While nothing plays, and without a library, it sets no timer.
@AgentLoop
final class ListeningService {
  private let service: PlayerService
  private let library: LibraryService
  /// The number that an entry has in the library, as far as that is known.
  private let number: @AgentLoop (Entry) -> MediaItem.ID?
  /// The numbers of files, and of parts of files, that were current lately, the last one at the end.
  private var numbers: [(source: ItemSource, id: MediaItem.ID)] = []
  private let log: Log
  private var meter = ListeningMeter<Track>()
  private var timer: LoopTimer?
  /// Whether the player has gone on by itself since the meter looked last, to another track or to the same again.
  private var hasAdvanced = false
  /// The current track, kept because making its path each time would be slow.
  private var current: Track?
  /// What was played and skipped, and when, as far as the library has not stored it.
  private var unstored: [(count: ListeningMeter<ItemSource>.Count, known: MediaItem.ID?, time: Int64)] = []
  private var storing: Task<Void, Never>?
  private var isStopped = false
  /// Whether the log says that something cannot be stored.
  private var isTroubleTold = false

  /// How much is kept while it cannot be stored: a month of listening. The oldest is given up first.
  private static let mostUnstored = 10_000

  /// One entry of the queue with its file. It is kept here because the file may be needed when the entry is no longer in the queue.
  private struct Track: Hashable, Sendable {
    let entry: EntryID
    let source: ItemSource
  }

  init(
    _ service: PlayerService, _ library: LibraryService, _ log: Log,
    number: @escaping @AgentLoop (Entry) -> MediaItem.ID? = { _ in nil }
  ) {
    (self.service, self.library, self.log, self.number) = (service, library, log, number)
  }

  /// The number that a file or a part of one had in the library when it was current, if that was lately. A file may get another name while it plays.
  func number(of source: ItemSource) -> MediaItem.ID? { numbers.last { $0.source == source }?.id }

  /// Notes the number of the current file, once it is known.
  private func noteNumber() {
    guard let track = track(), numbers.last?.source != track.source,
      let entry = service.player.queue.entry(track.entry), let id = number(entry)
    else { return }
    numbers.append((track.source, id))
    numbers.removeFirst(max(0, numbers.count - Self.mostNumbers))
  }

  private static let mostNumbers = 64

  /// Passes what the player reports to the meter, which decides what counts as played or skipped.
  func hear(_ news: PlayerNews) {
    switch news {
    case .queue(let change): if change.current?.cause == .advanced { hasAdvanced = true }
    case .turn: if library.isThere, !isStopped { look() }
    case .item: noteNumber()
    default: break
    }
  }

  private func look() {
    let now = AgentLoop.now
    let moment = ListeningMeter<Track>.Moment(
      track(), length: service.player.length, place: service.position,
      sounds: service.player.state == .playing && service.why == nil, hasAdvanced: hasAdvanced)
    hasAdvanced = false
    let counts = meter.see(moment, at: now)
    for count in counts {
      let count = Self.count(count)
      unstored.append((count, number(of: count.track), LibraryService.now))
    }
    noteNumber()
    if !counts.isEmpty { beginToStore() }
    timer?.cancel()
    timer = meter.due.map { due in AgentLoop.after(due - now) { [weak self] in self?.look() } }
  }

  private static func count(
    _ count: ListeningMeter<Track>.Count
  ) -> ListeningMeter<ItemSource>.Count {
    switch count {
    case .played(let track): .played(track.source)
    case .skipped(let track): .skipped(track.source)
    }
  }

  /// Counts nothing any more.
  func stop() {
    isStopped = true
    timer?.cancel()
  }

  /// Has the library store what it has not stored yet, once more. Returns when that has succeeded or failed.
  func finish() async {
    await storing?.value
    if !unstored.isEmpty { beginToStore() }
    await storing?.value
  }

  private func beginToStore() {
    guard storing == nil else { return }
    storing = AgentLoop.task { [self] in
      await store()
      storing = nil
    }
  }

  /// Has the library store what it has not stored yet. What cannot be stored now is tried again when the next track was played or skipped.
  private func store() async {
    unstored.removeFirst(max(0, unstored.count - Self.mostUnstored))
    var stored = 0
    // One by one, so that none is counted twice if a later one fails.
    while let (count, known, time) = unstored.first {
      do throws(BusError) {
        if try await library.store(count, known: known, at: time) { stored += 1 }
      } catch {
        if !isTroubleTold { log(.warning, "what was played is not stored yet: \(error.message)") }
        isTroubleTold = true
        break
      }
      unstored.removeFirst()
      isTroubleTold = false
    }
    if stored > 0 { library.changed(ChangeCounts(changed: stored)) }
  }

  /// The current entry with its file, or with the part of a file that a CUE sheet makes of it; nil if it is no file, as the built-in tune.
  private func track() -> Track? {
    guard let entry = service.player.queue.current else { return nil }
    if current?.entry == entry { return current }
    current = service.player.queue.entry(entry).flatMap { row in
      guard case .file(let path) = ItemService.location(row) else { return nil }
      return Track(entry: entry, source: ItemSource(path, part: row.span.flatMap(FilePart.init)))
    }
    return current
  }
}
