// SPDX-License-Identifier: MIT

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
    writer.put(repeatChoice)
    writer.put(shuffleChoice, besides: listShuffle)
    writer.put(repeatPreference)
    writer.put(shufflePreference)
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
    repeatChoice = try reader.choice()
    (shuffleChoice, listShuffle) = try reader.choices()
    repeatPreference = try reader.mode()
    shufflePreference = try reader.mode()
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
