// SPDX-License-Identifier: MIT

/// Who waits for a reading of the server's world, so that one is under way at a time and serves all who asked before it began.
struct WorldReadings {
  /// Who may want to know.
  enum Reader { case route, calls, cork }

  private var waiting: Set<Reader> = []
  private(set) var isUnderWay = false

  /// Notes a wish. True if a reading has to be begun.
  mutating func want(_ reader: Reader) -> Bool {
    waiting.insert(reader)
    return !isUnderWay
  }

  /// A reading begins; answers for whom.
  mutating func begin() -> Set<Reader> {
    isUnderWay = true
    defer { waiting = [] }
    return waiting
  }

  /// It ended. True if another one has to be begun.
  mutating func end() -> Bool {
    isUnderWay = false
    return !waiting.isEmpty
  }

  /// The server is gone: nobody waits any more.
  mutating func forget() { waiting = [] }
}
