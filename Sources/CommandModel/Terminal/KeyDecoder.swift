// SPDX-License-Identifier: MIT

/// Turns the bytes that a terminal sends into keys, wherever a read happened to end.
///
/// An escape byte alone may be the escape key or the beginning of a sequence. The decoder keeps it until more bytes come or
/// `flush` says that none did; whoever reads calls that after a short wait while `isPending`.
package struct KeyDecoder: Sendable {
  // No sequence that means a key is longer; a longer one is dropped, so that a terminal can't make this grow.
  private static let longestSequence = 32

  private var pending: [UInt8] = []

  /// A decoder that has seen nothing.
  package init() {}

  /// Whether bytes wait for what follows them.
  package var isPending: Bool { !pending.isEmpty }

  /// The keys that are complete with these bytes. Sequences that mean no key are left out.
  package mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
    var keys: [Key] = []
    for byte in bytes {
      // An escape begins anew, whatever was unfinished.
      if byte == 0x1B { keys += flush() }
      pending.append(byte)
      let step = KeySequence.step(pending)
      if case .incomplete = step, pending.count < Self.longestSequence { continue }
      if case .key(let key) = step { keys.append(key) }
      pending = []
    }
    return keys
  }

  /// No more bytes came in time: a lone escape was the key. Anything else unfinished is dropped.
  package mutating func flush() -> [Key] {
    defer { pending = [] }
    return pending == [0x1B] ? [.escape] : []
  }
}
