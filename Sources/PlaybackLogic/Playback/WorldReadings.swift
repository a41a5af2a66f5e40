// SPDX-License-Identifier: MIT

/// Collects the parts of `Playback` that need a reading of the sound server. Only one reading is under way at a time, and it serves everybody who
/// asked before it began.
struct WorldReadings: Sendable {
  /// The parts that may need a reading: the route classifier, the call watcher, the call watcher because the server corked us, and the guard of other
  /// players.
  enum Reader { case route, calls, cork, others }

  /// A reading of the sound server that is under way: the parts that need it, and `StreamVolume.mark` of the time when it began.
  struct Reading {
    let readers: Set<Reader>
    let volumeMark: Int?
  }

  private(set) var underWay: Reading?
  private var waiting: Set<Reader> = []

  mutating func want(_ reader: Reader) { waiting.insert(reader) }

  /// Call when a reading of the sound server failed. The parts that needed it wait for the next one.
  mutating func wantAgain(_ failed: Reading) { waiting.formUnion(failed.readers) }

  /// Begins a reading of the sound server if a part needs one and none is under way. Returns whether it did. `mark` is `StreamVolume.mark` now.
  mutating func begin(at mark: Int?) -> Bool {
    guard underWay == nil, !waiting.isEmpty else { return false }
    underWay = Reading(readers: waiting, volumeMark: mark)
    waiting = []
    return true
  }

  mutating func end() { underWay = nil }

  /// Call when the server is gone: nobody waits for a reading any more.
  mutating func forget() { waiting = [] }
}
