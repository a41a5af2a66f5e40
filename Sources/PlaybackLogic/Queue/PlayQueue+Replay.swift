// SPDX-License-Identifier: MIT

extension PlayQueue {
  /// Repeats a command that was run on an equal queue, with the same outcome. Never traps: a command that does not fit this queue
  /// (a position outside the list, nothing to undo) is not carried out. Returns whether the command fitted.
  package mutating func replay(_ command: QueueCommand) -> Bool {
    switch command {
    case .insert, .insertNext, .remove, .move, .replace, .undo, .redo: return replayEdit(command)
    case .setAlbum(let album, let id):
      _ = setAlbum(album, of: id)
      return entry(id) != nil
    case .setMissing(let isMissing, let id):
      _ = setMissing(isMissing, of: id)
      return entry(id) != nil
    case .skipIdentities(let id): return skipIdentities(through: id)
    case .jump(let id): return jump(to: id).current != nil
    case .start: _ = start()
    case .advance: _ = advance()
    case .skipToNext: _ = skipToNext()
    case .goBack: _ = goBack()
    case .jumpAnywhere: _ = jumpAnywhere()
    case .setRepeat(let choice): _ = setRepeat(choice)
    case .setShuffle(let choice): _ = setShuffle(choice)
    case .shuffleList(let choice): _ = shuffleList(choice)
    case .noteLostPlace(let place, let inRedo): return noteLostPlace(place, inRedo: inRedo).command != nil
    case .setPreferences(let repeats, let shuffle): _ = setPreferences(repeat: repeats, shuffle: shuffle)
    }
    return true
  }

  private mutating func replayEdit(_ command: QueueCommand) -> Bool {
    switch command {
    case .insert(let sources, let position) where (0...count).contains(position):
      _ = insert(sources, at: position)
    case .insertNext(let sources): _ = insertNext(sources)
    case .remove(let positions) where positions.lies(within: count): _ = remove(at: positions)
    case .move(let rows, let target)
    where RangeSet(rows).lies(within: count) && (0...max(0, count - rows.count)).contains(target):
      _ = move(rows, to: target)
    case .replace(let sources, let shuffle): _ = replace(with: sources, shuffle: shuffle)
    case .undo: return undo() != nil
    case .redo: return redo() != nil
    default: return false
    }
    return true
  }
}

extension QueueChange {
  /// The cost of replaying this change, where one edit of one entry is 1. As measured, each entry of an edit costs 1/8, a new
  /// play order costs 1/16 for each entry of the list, and text costs 1 per kilobyte.
  func work(in queue: PlayQueue) -> Int {
    let entries = edits.reduce(0) { $0 + $1.size }
    let text = edits.lazy.map(\.added).joined().reduce(0) { $0 + $1.text.utf8.count }
    return 1 + entries / 8 + text / 1_024 + (isReordered ? queue.count / 16 : 0)
  }
}

extension QueueEdit {
  fileprivate var size: Int {
    switch self {
    case .added(let entries, _), .removed(let entries, _): entries.count
    case .moved(let rows, _): rows.count
    }
  }

  fileprivate var added: [Entry] { if case .added(let entries, _) = self { entries } else { [] } }
}
