// SPDX-License-Identifier: MIT
import AgentLoop
import BusIO
import BusModel
import FaceModel
import MediaModel
import PlaybackLogic

/// Answers questions about the entries of the queue, with what is known of their files.
@AgentLoop
struct QueueListing {
  let service: PlayerService
  let items: ItemService

  private var list: PlayQueue { service.player.queue }

  /// Some rows, which count from 1, with the titles of all.
  func page(from row: Int, count: Int) -> BusReply {
    page { list in list.entries(at: AgentQueue.positions(from: row, count: count, of: list.count)) }
  }

  /// So many entries of those that come next, and the rows where they stand.
  func upcoming(_ count: Int) -> BusReply {
    page { list in
      list.comingUp(count).compactMap(list.entry)
    } with: { list, entries in
      .arguments(entries.map { UInt32(clamping: (list.position(of: $0.id) ?? -1) + 1) })
    }
  }

  /// Answers with the entries that `find` picks out, followed by the values of `more`. It takes a while to read their titles. If the queue is edited
  /// meanwhile the entries are picked anew, as clients hear of the edit before this answer.
  private func page(
    _ find: @escaping (PlayQueue) -> [Entry],
    with more: @escaping (PlayQueue, [Entry]) -> [WireValue] = { _, _ in [] }
  ) -> BusReply {
    let wanted = find(list)
    return .later {
      let read = await items.items(wanted, of: list.count)
      let known = Dictionary(zip(wanted.lazy.map(\.id), read), uniquingKeysWith: { first, _ in first })
      let entries = find(list)
      let faces = entries.map { entry in
        let known = known[entry.id] ?? items.lateItem(entry, of: list.count)
        var face = face(entry, known)
        face.isUnread = known.isUnread
        return face
      }
      return QueuePage(items: faces, length: list.count, current: list.currentPosition.map { $0 + 1 }).reply
        + more(list, entries)
    }
  }

  /// Some rows with what is known of them at once.
  func rows(from row: Int, count: Int) -> RowsPage {
    let rows = AgentQueue.positions(from: row, count: count, of: list.count, atMost: RowsPage.largest)
    var page = RowsPage(length: list.count, current: list.currentPosition.map { $0 + 1 })
    let current = list.current
    for entry in list.entries(at: rows) {
      // Of an entry whose tags are not read yet only the location is sent, unless the queue itself knows more about it.
      let isTold =
        (items.isKnown(entry.id) && !items.isReading(entry.id)) || entry.isMissing || entry.span != nil
        || entry.id == current
        || service.player.whyUnplayable[entry.id] != nil
      let face = isTold ? face(entry, items.itemSoFar(entry)) : nil
      if !page.append(entry.id, at: entry.location, face) { break }
    }
    return page
  }

  /// What is known of an entry now. The first call starts reading its tags.
  func item(_ entry: Entry) -> ItemFace { face(entry, items.item(entry)) }

  /// An entry with what is `known` of its file.
  func face(_ entry: Entry, _ known: ItemService.Known) -> ItemFace {
    // The file may have been found missing since this copy of the entry was made.
    let isMissing = list.entry(entry.id)?.isMissing ?? entry.isMissing
    let reason = service.player.whyUnplayable[entry.id] ?? known.unplayable
    var face = ItemFace(
      known.item, entry: entry.id, artURL: known.artURL, isCurrent: entry.id == list.current,
      isMissing: isMissing, unplayable: isMissing ? Refusal.missing.rawValue : reason)
    if entry.span != nil { face.chapter = known.item.tags.track }
    return face
  }
}
