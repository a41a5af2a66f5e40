// SPDX-License-Identifier: MIT
import AgentLoop
import BusModel
import FaceModel
import LibraryIO
import LibraryQuery
import MediaModel
import PlaybackLogic

/// Sorts rows of the queue for a caller on the bus. Loop only; used once.
///
/// The facts about each entry come from the library if it has them, and otherwise from the items in memory. If neither has them, the files are read,
/// for a short time. The rows are compared on a thread that may block, so the loop serves others meanwhile. If the queue is edited before the order
/// is found, the order is applied to the entries that are still there.
@AgentLoop
final class QueueSorter {
  private let editor: QueueEditor
  private let service: PlayerService
  private let items: ItemService
  private var rows: [Entry] = []
  /// The key that each row is compared by; nil while nothing is known of its entry.
  private var keys: [[UInt8]?] = []

  /// How long files are read for entries of which nothing is known yet.
  private static let patience = Duration.seconds(4)
  /// How many entries the library is asked about at a time. Other callers' questions to it can run between two of these.
  private static let atOnce = 1_000
  /// How many files are read at a time. Their facts are turned into keys on the loop, which must not take long.
  private static let readAtOnce = 256

  init(_ editor: QueueEditor, _ service: PlayerService, _ items: ItemService) {
    (self.editor, self.service, self.items) = (editor, service, items)
  }

  /// Sorts these entries among the rows that they are in, or the whole queue if `entries` is empty. Throws if one of them is not in the queue, or if
  /// there is nothing to sort.
  func sort(_ entries: [EntryID], by sort: TrackSort, _ job: BlockingJob) async throws(BusError)
    -> SortOutcome
  {
    rows = try chosen(entries)
    keys = Array(repeating: nil, count: rows.count)
    if sort.needsFacts {
      await askLibrary(sort)
      takeKnown(sort)
      await readFiles(sort)
    }
    let unread = sort.needsFacts ? keys.count { $0 == nil } : 0
    let order = try await editor.search.run(job) { [keys, rows] _ in
      .success(
        TrackSort.order(zip(keys, rows).map { $0 ?? sort.key(ofUnread: Array($1.location.utf8)) }))
    }
    let ids = order.map { rows[$0].id }
    let change = service.edit { $0.arrange(ids, order: sort.description) }
    return SortOutcome(rows: rows.count, moved: change.edits.reduce(0) { $0 + $1.moved }, unread: unread)
  }

  /// These entries, or the whole queue if none are named, in the queue's order. Throws if one is not in the queue, or if there are fewer than two.
  private func chosen(_ entries: [EntryID]) throws(BusError) -> [Entry] {
    let queue = service.player.queue
    var chosen = entries.isEmpty ? queue.entries(at: 0..<queue.count) : []
    if !entries.isEmpty {
      var positions: [Int] = []
      for entry in Set(entries) { positions.append(try editor.position(of: entry)) }
      chosen = positions.sorted().map { queue[$0] }
    }
    guard chosen.count > 1 else {
      throw AgentError.refused(
        queue.isEmpty ? Refusal.emptyQueue.rawValue : "one row is in every order already")
    }
    return chosen
  }

  /// Takes the rows' keys from what the library knows of their files, and of the parts of files. Of files that it does not know, and of all if it
  /// does not answer, the tags are read later.
  private func askLibrary(_ sort: TrackSort) async {
    guard let library = editor.search.library, library.isThere else { return }
    for start in stride(from: 0, to: rows.count, by: Self.atOnce) {
      let files = (start..<min(start + Self.atOnce, rows.count)).compactMap { row in
        ItemService.path(rows[row].location).map { path in
          (row: row, path: path, start: rows[row].span.map { DiscTime(frames: Int($0.start)) })
        }
      }
      let found = try? await library.use { store in
        zip(files, try store.facts(of: files.map { ($0.path, $0.start) })).map { file, facts in
          facts.map { sort.key(of: $0, at: file.path.bytes) }
        }
      }
      guard let found else { return }
      for (file, key) in zip(files, found) { keys[file.row] = key }
    }
  }

  private func takeKnown(_ sort: TrackSort) {
    for (row, entry) in rows.enumerated() where keys[row] == nil && !items.isReading(entry.id) {
      if let tags = items.knownTags(entry.id) { take(tags, at: row, sort) }
    }
  }

  private func readFiles(_ sort: TrackSort) async {
    let end = AgentLoop.now + Self.patience
    let wanted = keys.indices.filter { keys[$0] == nil }
    for start in stride(from: 0, to: wanted.count, by: Self.readAtOnce) where AgentLoop.now < end {
      let some = wanted[start..<min(start + Self.readAtOnce, wanted.count)]
      let found = await items.read(some.map { rows[$0] }, until: end)
      for row in some { if let known = found[rows[row].id] { take(known.item.tags, at: row, sort) } }
    }
  }

  private func take(_ tags: MediaTags, at row: Int, _ sort: TrackSort) {
    // Without tags and a length, or if it can't be read, nothing is known of a file.
    guard tags != MediaTags(), let path = ItemService.path(rows[row].location) else { return }
    keys[row] = sort.key(of: TrackFacts(path, tags), at: path.bytes)
  }
}

extension QueueEdit {
  /// How many rows got another entry by this edit, if it was a sorting; 0 for any other.
  fileprivate var moved: Int {
    if case .arranged(let arrangement) = self { arrangement.movedRows } else { 0 }
  }
}
