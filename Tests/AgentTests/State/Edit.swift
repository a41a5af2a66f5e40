// SPDX-License-Identifier: MIT
import FaceModel
import FermataTestKit
import MediaModel
import PlaybackLogic

/// A change of the queue as somebody asks for it over the bus, and what it does to a queue of our own.
enum Edit {
  case order(QueueOrder)
  case play([MediaSource])
  case repeats(RepeatMode)
  case shuffle(ShuffleMode)
  case jump(EntryID)

  var call: AgentCall {
    switch self {
    case .order(let order): AgentCall(order)
    case .play(let sources): .play(sources, PlayOptions())
    case .repeats(let mode): .set(repeat: .chosen(mode))
    case .shuffle(let mode): .set(shuffle: .chosen(mode))
    case .jump(let entry): AgentCall(.jump(to: entry))
    }
  }

  /// Does it to a queue. False where the agent would refuse it.
  func apply(to queue: inout PlayQueue) -> Bool {
    switch self {
    case .play(let sources): _ = queue.replace(with: Self.entries(sources), shuffle: nil)
    case .repeats(let mode): _ = queue.setRepeat(.chosen(mode))
    case .shuffle(let mode): _ = queue.setShuffle(.chosen(mode))
    case .jump(let entry): _ = queue.jump(to: entry)
    case .order(let order): return Self.apply(order, to: &queue)
    }
    return true
  }

  private static func apply(_ order: QueueOrder, to queue: inout PlayQueue) -> Bool {
    switch order {
    case .append(let sources): _ = queue.append(entries(sources))
    case .addNext(let sources): _ = queue.insertNext(entries(sources))
    case .insert(let sources, let row): _ = queue.insert(entries(sources), at: min(row - 1, queue.count))
    case .remove(let ids): _ = queue.remove(ids)
    case .move(let id, let count, let row):
      guard let start = queue.position(of: id) else { return false }
      _ = queue.move(start..<start + count, to: row - 1)
    case .clear: _ = queue.clear()
    case .crop: _ = queue.crop()
    case .undo: return queue.undo() != nil
    case .redo: return queue.redo() != nil
    case .shuffle(let choice): _ = queue.shuffleList(choice)
    case .shuffleNow: _ = queue.shuffleNow()
    // What files say of themselves only the agent knows.
    case .sort: break
    }
    return true
  }

  private static func entries(_ sources: [MediaSource]) -> [EntrySource] {
    sources.map { EntrySource($0.text) }
  }
}

/// Edits by chance that never take one entry out, and never leave the agent anything to refuse.
struct RandomEdits {
  var chance: SeededGenerator
  /// What is added.
  let sources: [MediaSource]
  /// How many rows are many.
  var many = 40

  /// An edit for this queue, whose `kept` entry it leaves in.
  mutating func next(for queue: PlayQueue, keeping kept: EntryID?) -> Edit {
    while true {
      let edit = proposal(for: queue, keeping: kept)
      var outcome = queue
      guard edit.apply(to: &outcome), outcome.count < 400 else { continue }
      // What undoing takes out may be what is to stay.
      if kept == nil || outcome.current == kept { return edit }
    }
  }

  private mutating func proposal(for queue: PlayQueue, keeping kept: EntryID?) -> Edit {
    if queue.count > many { return .order(.remove(others(8, in: queue, than: kept))) }
    switch below(16) {
    case 0, 1: return .order(.append(some()))
    case 2, 3: return .order(.addNext(some()))
    case 4, 5: return .order(.insert(some(), at: 1 + below(queue.count + 3)))
    case 6, 7: return .order(.remove(others(1 + below(3), in: queue, than: kept)))
    case 8, 9, 10: return move(in: queue)
    case 11, 12: return .order(.undo)
    case 13: return .order(.redo)
    case 14: return .repeats(RepeatMode.allCases[below(RepeatMode.allCases.count)])
    // Which songs are of one album only the agent knows.
    default: return .shuffle(below(2) == 0 ? .off : .songs)
    }
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &chance) }

  private mutating func some() -> [MediaSource] {
    (0...below(2)).map { _ in sources[below(sources.count)] }
  }

  private mutating func others(_ count: Int, in queue: PlayQueue, than kept: EntryID?) -> [EntryID] {
    let ids = queue.entries(at: 0..<queue.count).map(\.id).filter { $0 != kept }
    return Array(ids.shuffled(using: &chance).prefix(count))
  }

  private mutating func move(in queue: PlayQueue) -> Edit {
    guard !queue.isEmpty else { return .order(.append(some())) }
    let start = below(queue.count)
    let count = 1 + below(min(3, queue.count - start))
    return .order(.move(queue[start].id, count: count, to: 1 + below(queue.count - count + 1)))
  }
}
