// SPDX-License-Identifier: MIT

/// A call that was made to a queue, with its arguments. It is enough to repeat the call on an equal queue with the same outcome,
/// random choices included.
///
/// Its size depends on what was asked for, not on how much that changed: undoing a clear takes one byte in a journal.
package enum QueueCommand: Sendable, Hashable {
  /// `insert` and `append`.
  case insert([EntrySource], at: Int)
  /// `insertNext`.
  case insertNext([EntrySource])
  /// `remove` and `clear`.
  case remove(RangeSet<Int>)
  /// `move`.
  case move(Range<Int>, to: Int)
  /// `replace`.
  case replace([EntrySource], shuffle: ModeChoice<ShuffleMode>?)
  /// `undo`.
  case undo
  /// `redo`.
  case redo
  /// `start`.
  case start
  /// `advance`.
  case advance
  /// `skipToNext`.
  case skipToNext
  /// `goBack`.
  case goBack
  /// `jump`.
  case jump(to: EntryID)
  /// `jumpAnywhere`.
  case jumpAnywhere
  /// `setRepeat`.
  case setRepeat(ModeChoice<RepeatMode>)
  /// `setShuffle`.
  case setShuffle(ModeChoice<ShuffleMode>)
  /// `setPreferences`.
  case setPreferences(repeat: RepeatMode, shuffle: ShuffleMode)
  /// `shuffleList`.
  case shuffleList(ModeChoice<ShuffleMode>?)
  /// `noteLostPlace`.
  case noteLostPlace(Duration, inRedo: Bool)
  /// `setAlbum`. That method returns no `QueueChange`, so its caller makes this command.
  case setAlbum(AlbumKey, of: EntryID)
  /// `setMissing`. Made by the caller, as with `setAlbum`.
  case setMissing(Bool, of: EntryID)
  /// `skipIdentities`. Made by the caller, as with `setAlbum`.
  case skipIdentities(through: EntryID)
}

extension QueueCommand {
  /// Whether somebody asked to change the queue and must be told whether the change is stored. Commands that only follow the
  /// music through the queue, or note something that was found out, are no edits.
  package var isEdit: Bool {
    switch self {
    case .insert, .insertNext, .remove, .move, .replace, .undo, .redo, .setRepeat, .setShuffle, .shuffleList:
      true
    // The note belongs to the edit that removed the current entry, and has to be stored or given up along with it.
    case .noteLostPlace: true
    case .start, .advance, .skipToNext, .goBack, .jump, .jumpAnywhere: false
    case .setPreferences, .setAlbum, .setMissing, .skipIdentities: false
    }
  }
}

extension QueueCommand {
  /// The command as bytes.
  package var encoded: [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .insert, .insertNext, .remove, .move, .replace, .undo, .redo: writer.putEdit(self)
    case .start, .advance, .skipToNext, .goBack, .jump, .jumpAnywhere: writer.putStep(self)
    case .setRepeat, .setShuffle, .shuffleList, .setPreferences, .setAlbum, .setMissing, .noteLostPlace,
      .skipIdentities:
      writer.putNote(self)
    }
    return writer.bytes
  }

  /// The command from its `encoded` bytes, or nil if they are not those of a command.
  package init?(encoded: [UInt8]) {
    var reader = ByteReader(encoded)
    do {
      let kind = try reader.byte()
      self =
        if kind < 16 {
          try reader.edit(kind)
        } else if kind < 32 {
          try reader.step(kind)
        } else {
          try reader.note(kind)
        }
      try reader.finish()
    } catch {
      return nil
    }
  }
}

/// The first byte tells the command: 0 to 15 are edits of the list, 16 to 31 are steps in the play order, and 32 and above are
/// modes and notes.
extension ByteWriter {
  fileprivate mutating func putEdit(_ command: QueueCommand) {
    switch command {
    case .insert(let sources, let position):
      put(0, sources)
      put(position)
    case .insertNext(let sources): put(1, sources)
    case .remove(let positions):
      put(byte: 2)
      put(positions)
    case .move(let rows, let target):
      put(byte: 3)
      put(rows)
      put(target)
    case .replace(let sources, nil): put(4, sources)
    case .replace(let sources, let shuffle?):
      put(7, sources)
      put(shuffle)
    case .undo: put(byte: 5)
    default: put(byte: 6)
    }
  }

  private mutating func put(_ kind: UInt8, _ sources: [EntrySource]) {
    put(byte: kind)
    put(sources) { $0.put($1) }
  }

  fileprivate mutating func putStep(_ command: QueueCommand) {
    switch command {
    case .start: put(byte: 16)
    case .advance: put(byte: 17)
    case .skipToNext: put(byte: 18)
    case .goBack: put(byte: 19)
    case .jump(let id):
      put(byte: 20)
      put(id.rawValue)
    default: put(byte: 21)
    }
  }

  fileprivate mutating func putNote(_ command: QueueCommand) {
    switch command {
    case .setRepeat(let choice):
      put(byte: 32)
      put(choice)
    case .setShuffle(let choice):
      put(byte: 33)
      put(choice)
    case .setPreferences(let repeats, let shuffle):
      put(byte: 34)
      put(repeats)
      put(shuffle)
    case .setAlbum(let album, let id):
      put(byte: 35)
      put(fixed: album.rawValue)
      put(id.rawValue)
    case .setMissing(let isMissing, let id):
      put(byte: 36)
      put(isMissing)
      put(id.rawValue)
    case .shuffleList(let choice):
      put(byte: 37)
      put(optional: choice)
    case .noteLostPlace(let place, let inRedo):
      put(byte: 38)
      put(place)
      put(inRedo)
    case .skipIdentities(let id):
      put(byte: 39)
      put(id.rawValue)
    default: preconditionFailure("\(self) is no note")
    }
  }
}

extension ByteReader {
  fileprivate mutating func edit(_ kind: UInt8) throws(Malformed) -> QueueCommand {
    switch kind {
    case 0: .insert(try sources(), at: try int())
    case 1: .insertNext(try sources())
    case 2: .remove(try positions())
    case 3: .move(try range(), to: try int())
    case 4: .replace(try sources(), shuffle: nil)
    case 5: .undo
    case 6: .redo
    case 7: .replace(try sources(), shuffle: try choice())
    default: throw Malformed()
    }
  }

  private mutating func sources() throws(Malformed) -> [EntrySource] {
    try array { reader throws(Malformed) in try reader.source() }
  }

  fileprivate mutating func step(_ kind: UInt8) throws(Malformed) -> QueueCommand {
    switch kind {
    case 16: .start
    case 17: .advance
    case 18: .skipToNext
    case 19: .goBack
    case 20: .jump(to: EntryID(rawValue: try number()))
    case 21: .jumpAnywhere
    default: throw Malformed()
    }
  }

  fileprivate mutating func note(_ kind: UInt8) throws(Malformed) -> QueueCommand {
    switch kind {
    case 32: .setRepeat(try choice())
    case 33: .setShuffle(try choice())
    case 34: .setPreferences(repeat: try mode(), shuffle: try mode())
    case 35: .setAlbum(AlbumKey(rawValue: try fixed()), of: EntryID(rawValue: try number()))
    case 36: .setMissing(try flag(), of: EntryID(rawValue: try number()))
    case 37: .shuffleList(try optionalChoice())
    case 38: .noteLostPlace(try place(), inRedo: try flag())
    case 39: .skipIdentities(through: EntryID(rawValue: try number()))
    default: throw Malformed()
    }
  }
}
