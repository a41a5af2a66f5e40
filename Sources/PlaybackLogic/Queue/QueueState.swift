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
