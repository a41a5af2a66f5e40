// SPDX-License-Identifier: MIT
import AgentLoop
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
  private var meter = ListeningMeter<Track>()
  private var timer: LoopTimer?
  /// Whether the player has gone on by itself since the meter looked last, to another track or to the same again.
  private var hasAdvanced = false
  /// The current track, kept because making its path each time would be slow.
  private var current: Track?

  /// One entry of the queue with its file. It is kept here because the file may be needed when the entry is no longer in the queue.
  private struct Track: Hashable, Sendable {
    let entry: EntryID
    let source: ItemSource
  }

  init(_ service: PlayerService, _ library: LibraryService) {
    (self.service, self.library) = (service, library)
  }

  /// Passes what the player reports to the meter, which decides what counts as played or skipped.
  func hear(_ news: PlayerNews) {
    switch news {
    case .queue(let change): if change.current?.cause == .advanced { hasAdvanced = true }
    case .turn: if library.isThere { look() }
    default: break
    }
  }

  private func look() {
    let now = AgentLoop.now
    let moment = ListeningMeter<Track>.Moment(
      track(), length: service.player.length, place: service.position,
      sounds: service.player.state == .playing && service.why == nil, hasAdvanced: hasAdvanced)
    hasAdvanced = false
    library.count(
      meter.see(moment, at: now).map { count in
        switch count {
        case .played(let track): .played(track.source)
        case .skipped(let track): .skipped(track.source)
        }
      })
    timer?.cancel()
    timer = meter.due.map { due in AgentLoop.after(due - now) { [weak self] in self?.look() } }
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
