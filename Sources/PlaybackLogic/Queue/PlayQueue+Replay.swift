// SPDX-License-Identifier: MIT

/// The queue on disk: a stored state, and a journal of the commands that came after it.
extension PlayQueue {
  /// Everything the queue consists of, for storing. Costs one pass over the list.
  package var state: QueueState {
    var state = order.state
    state.log = log
    return state
  }

  /// A queue made from a stored state, with the modes of the present settings. It never traps. A part of the state that makes no sense (an entry
  /// twice, an order that is not a permutation, a position outside the list) is drawn again or left out; the entries are kept.
  package init(restoring state: QueueState, repeat: RepeatMode = .none, shuffle: ShuffleMode = .off) {
    var modes = state.modes
    (modes.repeatPreference, modes.shufflePreference) = (`repeat`, shuffle)
    let ids = state.entries.lazy.map(\.id.rawValue).filter { $0 <= EntryTable.highestID }
    let lastID = max(ids.max() ?? 0, min(state.lastID, EntryTable.highestID))
    let held = (state.log.undo + state.log.redo).flatMap(\.entries).lazy.map(\.id.rawValue).max() ?? 0
    // No step that this queue has recorded can hold an identity above the highest. A log with one is not trusted.
    let isLogSane = held <= EntryTable.highestID
    self.init(
      PlayOrder(restoring: state, lastID: isLogSane ? max(lastID, held) : lastID, modes),
      isLogSane ? state.log : UndoLog())
  }

  /// A queue made from a stored state, with the modes that the settings had when it was stored. Any command has the same outcome
  /// on it as on the queue that was stored, so a journal can be replayed on it.
  package init(resuming state: QueueState) {
    self.init(restoring: state, repeat: state.modes.repeatPreference, shuffle: state.modes.shufflePreference)
  }

  /// Repeats a command that was run on an equal queue, with the same outcome. Never traps: a command that does not fit this queue
  /// (a position outside the list, nothing to undo) is not carried out. Returns whether the command fitted.
  package mutating func replay(_ command: QueueCommand) -> Bool {
    switch command {
    case .insert, .insertNext, .insertFirst, .remove, .move, .arrange, .replace, .undo, .redo:
      return replayEdit(command)
    case .shuffleNow: _ = shuffleNow()
    case .consume(let id): return consume(id).command != nil
    case .setConsume(let isOn): _ = setConsume(isOn)
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
    case .insertFirst(let sources): _ = insertFirst(sources)
    case .remove(let positions) where positions.lies(within: count): _ = remove(at: positions)
    case .move(let rows, let target)
    where RangeSet(rows).lies(within: count) && (0...max(0, count - rows.count)).contains(target):
      _ = move(rows, to: target)
    case .arrange(let arrangement) where arrangement.fits(count): _ = arrange(arrangement)
    case .replace(let sources, let shuffle): _ = replace(with: sources, shuffle: shuffle)
    case .undo: return undo() != nil
    case .redo: return redo() != nil
    default: return false
    }
    return true
  }
}

extension QueueChange {
  /// The cost of replaying this change on a queue of `count` entries, where one edit of one entry is 1. As measured, each entry
  /// of an edit costs 1/8, a new play order costs 1/16 for each entry of the list, and text costs 1 per kilobyte.
  func work(in count: Int) -> Int {
    var (entries, text) = (0, 0)
    for edit in edits {
      switch edit {
      case .added(let added, _):
        entries += added.count
        text += added.reduce(0) { $0 + $1.text.utf8.count }
      case .removed(let removed, _): entries += removed.count
      case .moved(let rows, _): entries += rows.count
      case .arranged(let arrangement): entries += arrangement.origins.count
      }
    }
    return 1 + entries / 8 + text / 1_024 + (isReordered ? count / 16 : 0)
  }
}
