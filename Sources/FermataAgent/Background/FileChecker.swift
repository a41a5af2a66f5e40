// SPDX-License-Identifier: MIT
import AgentLoop
import FileIO
import MediaModel
import PlaybackLogic

/// Finds out which entries of the queue have lost their files. All entries are checked once when the agent starts. Later, an entry is
/// checked when it cannot be played, and a missing one also when it becomes the current or the following entry. When one is found again, all are.
///
/// Files are looked for on a thread that may block, and never opened.
@AgentLoop
final class FileChecker {
  private let service: PlayerService
  private let thread: BlockingThread
  private var sweep: QueueSweep?

  /// How many entries one job checks. Other jobs of the thread can run between two of these.
  private static let batch = 500

  init(_ service: PlayerService, thread: BlockingThread) {
    self.service = service
    self.thread = thread
  }

  /// Checks all entries, `batch` at a time. Does nothing if that is under way already.
  func checkAll() {
    guard sweep == nil, !service.player.queue.isEmpty else { return }
    sweep = QueueSweep()
    AgentLoop.task { [self] in
      while let entries = sweep?.next(Self.batch, of: service.player.queue), !entries.isEmpty {
        await check(entries)
      }
      sweep = nil
    }
  }

  /// Checks the entries that the player could not play to their ends, and missing ones that became the current or the following entry.
  func hear(_ news: PlayerNews) {
    switch news {
    case .skipped(let entry, _), .endedEarly(let entry, _, _):
      check([entry].compactMap(service.player.queue.entry))
    case .queue(let change):
      for edit in change.edits { sweep?.follow(edit) }
      if change.current != nil { checkMarked() }
    // Its disk is back, so others may be there again, too.
    case .missing(let entries) where entries.count == 1:
      if service.player.queue.entry(entries[0])?.isMissing == false { checkAll() }
    default: break
    }
  }

  /// Checks the current and the following entry if they are marked as missing: their files may be there again.
  private func checkMarked() {
    let queue = service.player.queue
    check([queue.current, queue.following].compactMap { $0.flatMap(queue.entry) }.filter(\.isMissing))
  }

  private func check(_ entries: [Entry]) {
    if !entries.isEmpty { AgentLoop.task { [self] in await check(entries) } }
  }

  private func check(_ entries: [Entry]) async {
    let found = try? await thread.run { job in
      let changed = entries.filter { entry in
        job.looks(at: entry.location)
        return Self.isGone(entry) != entry.isMissing
      }.map { ($0.id, !$0.isMissing) }
      return (changed.filter(\.1).map(\.0), changed.filter { !$0.1 }.map(\.0))
    }
    // If the disk does not answer, nothing is known. The sweep ends, since the rest of the queue probably lies there too.
    guard let (gone, back) = found else { return sweep = nil }
    service.mark(gone, asMissing: true)
    service.mark(back, asMissing: false)
  }

  /// Whether the entry's file does not exist. A file that we may not look at counts as existing. Blocks.
  nonisolated static func isGone(_ entry: Entry) -> Bool {
    guard case .file(let path) = ItemService.location(entry) else { return false }
    return path.isMissing
  }
}
