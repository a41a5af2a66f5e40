// SPDX-License-Identifier: MIT

/// Collects who needs a reading of the server's state, so that only one is under way at a time and it serves everybody who asked
/// before it began.
struct WorldReadings {
  /// Who may need a reading.
  enum Reader { case route, calls, cork }

  private var waiting: Set<Reader> = []
  private(set) var isUnderWay = false

  /// Notes that this reader needs a reading. Returns whether one has to be started.
  mutating func want(_ reader: Reader) -> Bool {
    waiting.insert(reader)
    return !isUnderWay
  }

  /// A reading begins. Returns for whom.
  mutating func begin() -> Set<Reader> {
    isUnderWay = true
    defer { waiting = [] }
    return waiting
  }

  /// The reading has ended. Returns whether another one has to be started, because somebody asked meanwhile.
  mutating func end() -> Bool {
    isUnderWay = false
    return !waiting.isEmpty
  }

  /// The server is gone: nobody waits any more.
  mutating func forget() { waiting = [] }
}
