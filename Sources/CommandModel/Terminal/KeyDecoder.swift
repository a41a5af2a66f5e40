// SPDX-License-Identifier: MIT

/// Turns the bytes that a terminal sends into keys. A sequence may be split between reads at any place.
///
/// An escape byte may be the escape key or the beginning of a sequence. The decoder keeps it until more bytes arrive
/// or `flush` is called. The caller calls `flush` if `isPending` is still true after a short wait.
package struct KeyDecoder: Sendable {
  // No sequence that stands for a key is longer. Longer ones are dropped, so that a terminal can't make the buffer
  // grow without limit.
  private static let longestSequence = 32

  private var pending: [UInt8] = []

  /// A decoder without pending bytes.
  package init() {}

  /// Whether bytes are kept because their sequence is incomplete.
  package var isPending: Bool { !pending.isEmpty }

  /// Adds bytes, and returns the keys that they complete. Sequences that stand for no key are dropped.
  package mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    for byte in bytes {
      // An escape byte begins a new sequence, even if the last one is incomplete.
      if byte == 0x1B { keys += flush() }
      pending.append(byte)
      let step = KeySequence.step(pending)
      if case .incomplete = step, pending.count < Self.longestSequence { continue }
      if case .key(let key) = step { keys.append(key) }
      pending = []
    }
    return keys
  }

  /// Ends the pending sequence because no more bytes arrived. A lone escape byte is the escape key; anything else is
  /// dropped.
  package mutating func flush() -> [Key] {
    defer { pending = [] }
    return pending == [0x1B] ? [.escape] : []
  }
}
