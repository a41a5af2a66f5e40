// SPDX-License-Identifier: MIT
import AgentLoop
import FileIO
import MediaModel
import PlaybackLogic

/// Notes which entries of the queue have lost their files: all are looked at once, and later those that cannot be played, and
/// those that were gone and whose turn comes.
///
/// Files are looked at on the thread that may block, and never opened. Nothing runs while nothing of this happens.
@AgentLoop
final class FileChecker {
  private let service: PlayerService
  private let thread: BlockingThread
  private var sweep: QueueSweep?

  /// Other jobs of the thread come between as many.
  private static let batch = 500

  init(_ service: PlayerService, thread: BlockingThread) {
    self.service = service
    self.thread = thread
  }

  /// Looks at all entries, some at a time.
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

  /// Hears what the player tells.
  func hear(_ news: PlayerNews) {
    switch news {
    case .troubled(let entry, _, _): check([entry].compactMap(service.player.queue.entry))
    case .queue(let change):
      for edit in change.edits { sweep?.follow(edit) }
      if change.current != nil { checkMarked() }
    default: break
    }
  }

  /// What plays or comes next is perhaps there again.
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
    // Of what does not answer nothing is known, and the rest of the queue is likely to lie there too.
    guard let (gone, back) = found else { return sweep = nil }
    service.mark(gone, asMissing: true)
    service.mark(back, asMissing: false)
  }

  /// Whether there is nothing at the entry's place; what may not be looked at is there. Blocks.
  nonisolated static func isGone(_ entry: Entry) -> Bool {
    guard case .file(let path) = ItemService.location(entry) else { return false }
    return path.isMissing
  }
}
