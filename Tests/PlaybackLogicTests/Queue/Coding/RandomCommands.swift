// SPDX-License-Identifier: MIT
import FermataTestKit
@testable import PlaybackLogic

/// What people might do, by chance: commands that mostly fit a queue.
struct RandomCommands {
  var chance: SeededGenerator

  mutating func next(for queue: PlayQueue) -> QueueCommand {
    switch below(27) {
    case 0, 1, 2: .insert(sources(), at: below(queue.count + 1))
    case 3, 4: .insert(sources(), at: queue.count)
    case 5: .insertNext(sources())
    case 6, 7: .remove(positions(in: queue))
    case 8: move(in: queue)
    case 9: below(4) == 0 ? .replace(sources(), shuffle: choice()) : .start
    case 10, 11: .undo
    case 12: .redo
    case 13: .start
    case 14, 15: .advance
    case 16: .skipToNext
    case 17, 18: .goBack
    case 19: .jump(to: id(in: queue))
    case 20: .jumpAnywhere
    case 21: .setRepeat(below(3) == 0 ? .default : .chosen(RepeatMode.allCases[below(3)]))
    case 22: mode()
    case 23: .shuffleList(choice())
    case 24: .noteLostPlace(.milliseconds(below(200_000)), inRedo: below(2) == 0)
    case 25: .skipIdentities(through: EntryID(rawValue: UInt64(below(200))))
    default:
      below(2) == 0 ? .setAlbum(album(), of: id(in: queue)) : .setMissing(below(2) == 0, of: id(in: queue))
    }
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &chance) }

  private mutating func album() -> AlbumKey { AlbumKey(rawValue: UInt64(below(5))) }

  private mutating func sources() -> [EntrySource] {
    (0..<[1, 1, 2, 3, 8][below(5)]).map { _ in
      let start = UInt32(below(1_000))
      let span = [nil, CueSpan(start: start), CueSpan(start: start, end: start + 9)][below(3)]
      return EntrySource("/ä/\(below(1 << 40))", span: span, album: album())
    }
  }

  private mutating func positions(in queue: PlayQueue) -> RangeSet<Int> {
    let size = below(10) == 0 ? queue.count : 1 + below(3)
    return RangeSet((0..<queue.count).shuffled(using: &chance).prefix(size).map { $0..<$0 + 1 })
  }

  private mutating func move(in queue: PlayQueue) -> QueueCommand {
    let start = below(queue.count)
    let rows = start..<min(queue.count, start + 1 + below(3))
    return .move(rows, to: below(queue.count - rows.count + 1))
  }

  private mutating func id(in queue: PlayQueue) -> EntryID {
    queue.isEmpty ? EntryID(rawValue: 1) : queue[below(queue.count)].id
  }

  private mutating func choice() -> ModeChoice<ShuffleMode>? {
    [nil, .default, .chosen(ShuffleMode.allCases[below(3)])][below(3)]
  }

  private mutating func mode() -> QueueCommand {
    let shuffle = ShuffleMode.allCases[below(3)]
    if below(4) > 0 { return .setShuffle(below(4) == 0 ? .default : .chosen(shuffle)) }
    return .setPreferences(repeat: RepeatMode.allCases[below(3)], shuffle: shuffle)
  }
}
