// SPDX-License-Identifier: MIT
import PlaybackLogic

/// Edits by chance, the same for the same seed; they mostly fit a queue.
struct Edits {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }

  mutating func below(_ bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(truncatingIfNeeded: state >> 11) % max(1, bound)
  }

  mutating func next(for queue: PlayQueue) -> QueueCommand {
    let position = below(max(1, queue.count))
    if queue.count > 900 { return .remove(RangeSet(0..<queue.count - 10)) }
    switch below(16) {
    case 0 where below(6) == 0: return .insert(sources(300), at: position)
    case 0, 1, 2, 3: return .insert(sources(1 + below(4)), at: min(position, queue.count))
    case 4: return .insertNext(sources(1))
    case 5, 6: return .remove(RangeSet(position..<min(queue.count, position + 2)))
    case 7: return .move(position..<min(queue.count, position + 1), to: below(queue.count))
    case 8, 9: return .undo
    case 10: return .redo
    case 11: return .start
    case 12: return .advance
    case 13: return .goBack
    case 14: return .setShuffle(.chosen(ShuffleMode.allCases[below(3)]))
    default: return .setRepeat(.chosen(RepeatMode.allCases[below(3)]))
    }
  }

  private mutating func sources(_ count: Int) -> [EntrySource] {
    (0..<count).map { _ in EntrySource("/m/\(below(1_000_000))", album: AlbumKey(rawValue: UInt64(below(9))))
    }
  }
}
