// SPDX-License-Identifier: MIT

/// Decides which files are read next, and what happens when the reader dies.
///
/// Files are sent in batches. When a reader dies, any file of the batch that it was answering may be the cause; so these are read again, each alone.
/// A file on which a second reader dies is given up, and the others get their answers.
package struct ReadingPlan: Sendable {
  /// Why a reader is gone.
  package enum Death: Sendable, Equatable {
    /// The reader crashed, computed without end, or sent an invalid message: the file is the cause.
    case fault
    /// The reader was killed by somebody else, or had ended for lack of work: no file is the cause.
    case outside
    /// The reader waited too long for a disk that is slow or does not answer.
    case disk
  }

  /// Batches of files that have not been sent, the next one first.
  private var waiting: [[Int]]
  /// Files that are to be read alone, because a reader died on a batch with them.
  private var alone: [Int] = []
  /// The batches of files that have been sent and not fully answered, in order.
  private var inFlight: [[Int]] = []
  private var suspects: Set<Int> = []
  /// Files that are to be read alone because their disk was too slow for the whole batch.
  private var slow: Set<Int> = []
  /// How many readers in a row were killed from outside without having answered.
  private var killings = 0

  /// After this many readers in a row that were killed from outside, the files that they had are given up.
  private static let mostKillings = 20

  /// A plan for this many files, which are identified by their numbers from 0 on.
  package init(count: Int) {
    waiting = stride(from: 0, to: count, by: ReaderProtocol.mostFiles).map { start in
      Array(start..<min(count, start + ReaderProtocol.mostFiles))
    }
  }

  /// Whether every file was answered or given up.
  package var isDone: Bool { waiting.isEmpty && alone.isEmpty && inFlight.isEmpty }

  /// The batch that the reader answers now; nil if it has nothing to do.
  package var current: [Int]? { inFlight.first }

  /// Takes the batch to send now; nil if the reader has enough to do, or if nothing is left.
  package mutating func next() -> [Int]? {
    if let file = alone.first {
      guard inFlight.isEmpty else { return nil }
      alone.removeFirst()
      inFlight.append([file])
      return [file]
    }
    guard inFlight.count < ReaderProtocol.mostInFlight, !waiting.isEmpty else { return nil }
    let isAlone = inFlight.first.map { $0.count == 1 && suspects.contains($0[0]) } ?? false
    guard !isAlone else { return nil }
    inFlight.append(waiting.removeFirst())
    return inFlight.last
  }

  /// Drops files, given by their places in the whole list, from the batch that `next` returned last: the caller could not open them, and has their
  /// answer already.
  package mutating func leaveOut(_ files: Set<Int>) {
    guard let last = inFlight.popLast() else { return }
    let kept = last.filter { !files.contains($0) }
    if !kept.isEmpty { inFlight.append(kept) }
  }

  /// Call when the reader has answered for all files of the batch that was sent first: none of them has killed it, so all leave the plan.
  package mutating func answered() {
    killings = 0
    guard !inFlight.isEmpty else { return }
    let done = inFlight.removeFirst()
    suspects.subtract(done)
    slow.subtract(done)
  }

  /// Call when the reader is gone. Returns the files that are given up because of that.
  package mutating func died(_ death: Death) -> [Int] {
    let unread = inFlight
    inFlight = []
    guard let first = unread.first else { return [] }
    switch death {
    case .fault:
      waiting = unread.dropFirst() + waiting
      if first.count == 1, suspects.remove(first[0]) != nil { return first }
      suspects.formUnion(first)
      alone += first
      return []
    case .disk:
      waiting = unread.dropFirst() + waiting
      guard first.count == 1 else {
        slow.formUnion(first)
        alone += first
        return []
      }
      // Not even one file could be read: the disk does not answer, and the rest of the batch is on it as well.
      let lost = slow.remove(first[0]) == nil ? first : first + alone.filter(slow.contains)
      alone.removeAll(where: lost.contains)
      slow.subtract(lost)
      suspects.subtract(lost)
      return lost
    case .outside:
      killings += 1
      guard killings < Self.mostKillings else { return unread.flatMap { $0 } }
      // A file on which a reader may have died stays alone.
      if first.count == 1, suspects.contains(first[0]) {
        alone.insert(first[0], at: 0)
      } else {
        waiting = unread + waiting
      }
      return []
    }
  }
}
