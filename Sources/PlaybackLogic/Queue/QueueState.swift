// SPDX-License-Identifier: MIT

/// Everything a `PlayQueue` consists of, as plain values. It is what is stored, and a queue can be made from it.
///
/// Positions count from 0 in `entries`.
package struct QueueState: Sendable, Hashable {
  /// A shuffled play order.
  struct Order: Sendable, Hashable {
    /// The position of each entry, in the order in which they play.
    var positions: [UInt32]
    /// The number of this play order, as `passes` counts them.
    var pass: UInt64
    /// Whether the order keeps the entries of each album together.
    var byAlbum: Bool
    /// For each album, the position of the entry after which a new entry of that album is placed. Nil if these have to be found anew.
    var anchors: [UInt32]?
  }

  /// The entries, in the order of the list.
  package var entries: [Entry] = []
  /// The play order if shuffle is on, otherwise nil.
  var order: Order?
  /// The position of the current entry; nil if nothing is current.
  var current: Int?
  /// Whether the play order was played to its end, and nothing has become current after that.
  var isOver = false
  /// The position of the entry that the next shuffled pass will begin with; nil if it is not drawn yet.
  var nextFirst: Int?
  /// The entries that somebody asked to hear next, as stretches of the play order. Each stretch is two numbers in a row: the
  /// positions of its first and its last entry.
  var asked: [Int] = []
  /// The entries that were played before the current one, the latest last.
  var history: [EntryID] = []
  /// The number of the identity given out last, whether or not its entry is still there.
  var lastID: UInt64 = 0
  /// How many play orders have been made for this queue so far.
  var passes: UInt64 = 0
  /// The state of the generator that draws shuffled orders; with it, the generator goes on with the same numbers.
  var chance: UInt64 = 0
  /// The modes that were chosen, and those in the settings when this was stored.
  var modes = QueueModes()
  /// The edits that undo and redo would carry out.
  var log = UndoLog()

  init() {}
}

extension QueueState {
  /// The state as bytes. Costs one pass over the list.
  package var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.put(entries)
    writer.put(order.map { [$0] } ?? []) { $0.put($1) }
    writer.put(current)
    writer.put(isOver)
    writer.put(nextFirst)
    writer.put(asked) { $0.put($1) }
    writer.put(history) { $0.put($1.rawValue) }
    writer.put(lastID)
    writer.put(passes)
    writer.put(fixed: chance)
    writer.put(modes)
    writer.put(log.undo) { $0.put($1) }
    writer.put(log.redo) { $0.put($1) }
    return writer.bytes
  }

  /// The state from its `encoded` bytes, or nil if they are malformed. The values need not make sense together;
  /// `PlayQueue.init(restoring:)` checks that.
  package init?(encoded: [UInt8]) {
    var reader = ByteReader(encoded)
    do {
      try self.init(&reader)
      try reader.finish()
    } catch {
      return nil
    }
  }

  private init(_ reader: inout ByteReader) throws(ByteReader.Malformed) {
    typealias Malformed = ByteReader.Malformed
    entries = try reader.entries()
    order = try reader.array { reader throws(Malformed) in try reader.order() }.first
    current = try reader.optional()
    isOver = try reader.flag()
    nextFirst = try reader.optional()
    asked = try reader.array { reader throws(Malformed) in try reader.int() }
    history = try reader.array { reader throws(Malformed) in EntryID(rawValue: try reader.number()) }
    lastID = try reader.number()
    passes = try reader.number()
    chance = try reader.fixed()
    modes = try reader.modes()
    let undo = try reader.array { reader throws(Malformed) in try reader.step() }
    log = UndoLog(undo: undo, redo: try reader.array { reader throws(Malformed) in try reader.step() })
  }
}

extension ByteWriter {
  fileprivate mutating func put(_ order: QueueState.Order) {
    put(order.positions) { $0.put(UInt64($1)) }
    put(order.pass)
    put(order.byAlbum)
    put(order.anchors.map { [$0] } ?? []) { writer, anchors in
      writer.put(anchors) { $0.put(UInt64($1)) }
    }
  }
}

extension ByteReader {
  fileprivate mutating func order() throws(Malformed) -> QueueState.Order {
    let positions = try array { reader throws(Malformed) in try reader.uint32() }
    let (pass, byAlbum) = (try number(), try flag())
    let anchors = try array { reader throws(Malformed) in
      try reader.array { reader throws(Malformed) in try reader.uint32() }
    }
    return QueueState.Order(positions: positions, pass: pass, byAlbum: byAlbum, anchors: anchors.first)
  }
}

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
    case .insert(let sources, let position):
      guard (0...count).contains(position) else { return false }
      _ = insert(sources, at: position)
    case .insertNext(let sources): _ = insertNext(sources)
    case .insertFirst(let sources): _ = insertFirst(sources)
    case .remove(let positions):
      guard positions.lies(within: count) else { return false }
      _ = remove(at: positions)
    case .move(let rows, let target):
      guard RangeSet(rows).lies(within: count), (0...max(0, count - rows.count)).contains(target) else {
        return false
      }
      _ = move(rows, to: target)
    case .arrange(let arrangement):
      guard arrangement.fits(count) else { return false }
      _ = arrange(arrangement)
    case .replace(let sources, let shuffle): _ = replace(with: sources, shuffle: shuffle)
    case .undo: return undo() != nil
    case .redo: return redo() != nil
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
    case .relocate(let renamings): _ = relocate(renamings)
    case .noteLostPlace(let place, let inRedo): return noteLostPlace(place, inRedo: inRedo).command != nil
    case .noteLeft(let id, let place): return noteLeft(id, at: place).command != nil
    case .setPreferences(let repeats, let shuffle): _ = setPreferences(repeat: repeats, shuffle: shuffle)
    }
    return true
  }
}

extension QueueChange {
  /// The cost of replaying this change on a queue of `count` entries, where one edit of one entry is 1. As measured, each entry
  /// of an edit costs 1/8, a new play order or a renamed file costs 1/16 for each entry of the list, and text costs 1 per kilobyte.
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
    return 1 + entries / 8 + text / 1_024 + (isReordered || !relocated.isEmpty ? count / 16 : 0)
  }
}
