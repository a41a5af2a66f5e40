// SPDX-License-Identifier: MIT

/// A call of the `PlayQueue` method with the same name, and its arguments. (`append` is recorded as `insert`, and `clear` as `remove`.) Repeated on
/// an equal queue, it has the same outcome, random choices included.
///
/// Its size depends on its arguments, not on how much it changed: undoing a clear takes one byte in a journal.
package enum QueueCommand: Sendable, Hashable {
  case insert([EntrySource], at: Int)
  case insertNext([EntrySource])
  case insertFirst([EntrySource])
  case remove(RangeSet<Int>)
  case move(Range<Int>, to: Int)
  case replace([EntrySource], shuffle: ModeChoice<ShuffleMode>?)
  case undo
  case redo
  case start
  case advance
  case skipToNext
  case goBack
  case jump(to: EntryID)
  case jumpAnywhere
  case setRepeat(ModeChoice<RepeatMode>)
  case setShuffle(ModeChoice<ShuffleMode>)
  case setPreferences(repeat: RepeatMode, shuffle: ShuffleMode)
  case shuffleList(ModeChoice<ShuffleMode>?)
  case setConsume(Bool)
  case consume(EntryID)
  case shuffleNow
  case arrange(Arrangement)
  case noteLostPlace(Duration, inRedo: Bool)
  case noteLeft(EntryID, Duration)
  case relocate([FileRenaming])
  /// Whoever calls `PlayQueue.skipIdentities` also makes this command for the journal, because that method returns no `QueueChange` with a command in
  /// it.
  case skipIdentities(through: EntryID)

  /// Whether this command changes the queue for a caller who must be told whether the change is stored. Commands that only follow the music through
  /// the queue, or note a discovery, are no edits.
  package var isEdit: Bool {
    switch self {
    case .insert, .insertNext, .insertFirst, .remove, .move, .replace, .shuffleNow, .arrange, .undo, .redo:
      true
    case .setRepeat, .setShuffle, .shuffleList, .setConsume: true
    // The note belongs to the edit after which another entry is current, and has to be stored or given up along with it.
    case .noteLostPlace, .noteLeft: true
    case .start, .advance, .skipToNext, .goBack, .jump, .jumpAnywhere, .consume: false
    case .setPreferences, .skipIdentities, .relocate: false
    }
  }
}

// MARK: Bytes

/// The first byte tells the command: 0 to 15 are edits of the list, 16 to 31 are steps in the play order, and 32 and above are
/// modes and notes. 35 and 36 must not be used again, because earlier versions gave them a meaning.
extension QueueCommand {
  /// The command as the bytes that the journal stores; `init(encoded:)` reads them.
  package var encoded: [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .insert(let sources, let position):
      writer.put(0, sources)
      writer.put(position)
    case .insertNext(let sources): writer.put(1, sources)
    case .insertFirst(let sources): writer.put(10, sources)
    case .remove(let positions):
      writer.put(byte: 2)
      writer.put(positions)
    case .move(let rows, let target):
      writer.put(byte: 3)
      writer.put(rows)
      writer.put(target)
    case .replace(let sources, nil): writer.put(4, sources)
    case .replace(let sources, let shuffle?):
      writer.put(7, sources)
      writer.put(shuffle)
    case .undo: writer.put(byte: 5)
    case .redo: writer.put(byte: 6)
    case .shuffleNow: writer.put(byte: 8)
    case .arrange(let arrangement):
      writer.put(byte: 9)
      writer.put(arrangement)
    case .start: writer.put(byte: 16)
    case .advance: writer.put(byte: 17)
    case .skipToNext: writer.put(byte: 18)
    case .goBack: writer.put(byte: 19)
    case .jump(let id):
      writer.put(byte: 20)
      writer.put(id.rawValue)
    case .jumpAnywhere: writer.put(byte: 21)
    case .consume(let id):
      writer.put(byte: 22)
      writer.put(id.rawValue)
    case .setRepeat(let choice):
      writer.put(byte: 32)
      writer.put(choice)
    case .setShuffle(let choice):
      writer.put(byte: 33)
      writer.put(choice)
    case .setPreferences(let repeats, let shuffle):
      writer.put(byte: 34)
      writer.put(repeats)
      writer.put(shuffle)
    case .shuffleList(let choice):
      writer.put(byte: 37)
      writer.put(optional: choice)
    case .noteLostPlace(let place, let inRedo):
      writer.put(byte: 38)
      writer.put(place)
      writer.put(inRedo)
    case .noteLeft(let id, let place):
      writer.put(byte: 42)
      writer.put(id.rawValue)
      writer.put(place)
    case .skipIdentities(let id):
      writer.put(byte: 39)
      writer.put(id.rawValue)
    case .setConsume(let isOn):
      writer.put(byte: 40)
      writer.put(isOn)
    case .relocate(let renamings):
      writer.put(byte: 41)
      writer.put(renamings) { writer, renaming in
        writer.put(renaming.from.utf8)
        writer.put(renaming.to.utf8)
      }
    }
    return writer.bytes
  }

  /// The command from its `encoded` bytes, or nil if they are not those of a command.
  package init?(encoded: [UInt8]) {
    var reader = ByteReader(encoded)
    do {
      self = try reader.command()
      try reader.finish()
    } catch {
      return nil
    }
  }
}

extension ByteWriter {
  fileprivate mutating func put(_ kind: UInt8, _ sources: [EntrySource]) {
    put(byte: kind)
    put(sources) { $0.put($1) }
  }
}

extension ByteReader {
  fileprivate mutating func command() throws(Malformed) -> QueueCommand {
    switch try byte() {
    case 0: .insert(try sources(), at: try int())
    case 1: .insertNext(try sources())
    case 2: .remove(try positions())
    case 3: .move(try range(), to: try int())
    case 4: .replace(try sources(), shuffle: nil)
    case 5: .undo
    case 6: .redo
    case 7: .replace(try sources(), shuffle: try choice())
    case 8: .shuffleNow
    case 9: .arrange(try arrangement())
    case 10: .insertFirst(try sources())
    case 16: .start
    case 17: .advance
    case 18: .skipToNext
    case 19: .goBack
    case 20: .jump(to: EntryID(rawValue: try number()))
    case 21: .jumpAnywhere
    case 22: .consume(EntryID(rawValue: try number()))
    case 32: .setRepeat(try choice())
    case 33: .setShuffle(try choice())
    case 34: .setPreferences(repeat: try mode(), shuffle: try mode())
    case 37: .shuffleList(try optionalChoice())
    case 38: .noteLostPlace(try place(), inRedo: try flag())
    case 42: .noteLeft(EntryID(rawValue: try number()), try place())
    case 39: .skipIdentities(through: EntryID(rawValue: try number()))
    case 40: .setConsume(try flag())
    case 41:
      .relocate(
        try array { reader throws(Malformed) in
          let (from, to) = (try reader.text(), try reader.text())
          return FileRenaming(
            from: String(decoding: from, as: UTF8.self), to: String(decoding: to, as: UTF8.self))
        })
    default: throw Malformed()
    }
  }

  private mutating func sources() throws(Malformed) -> [EntrySource] {
    try array { reader throws(Malformed) in try reader.source() }
  }
}
