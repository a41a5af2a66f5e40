// SPDX-License-Identifier: MIT

/// A key that was pressed in a terminal.
package enum Key: Sendable, Hashable {
  /// A letter, a digit, a sign or a space.
  case character(Character)
  /// A letter together with the control key, in lower case.
  case control(Character)
  case up, down, left, right
  case home, end, pageUp, pageDown, insert, delete
  case enter, tab, backTab, backspace, escape
}

/// Turns the bytes that a terminal sends into keys. A sequence may be split between reads at any place.
///
/// An escape byte may be the escape key or the beginning of a sequence. The decoder keeps it until more bytes arrive
/// or `flush` is called. The caller calls `flush` if `isPending` is still true after a short wait.
package struct KeyDecoder: Sendable {
  // No sequence that stands for a key is longer. Longer ones are dropped, so that a terminal can't make the buffer
  // grow without limit.
  private static let longestSequence = 32

  private var pending: [UInt8] = []

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

/// What the bytes from a terminal mean so far.
private enum KeySequence: Equatable {
  case incomplete
  case key(Key)
  /// Complete, but not a key: a mouse event, the mark of a paste, an invalid character.
  case nothing

  static func step(_ bytes: [UInt8]) -> KeySequence {
    switch bytes[0] {
    case 0x1B: bytes.count == 1 ? .incomplete : escape(bytes)
    case 0x0D, 0x0A: .key(.enter)
    case 0x09: .key(.tab)
    case 0x7F, 0x08: .key(.backspace)
    // 1 is control-a. 0 and 28 to 31 have no letter.
    case 0x01...0x1A: .key(.control(Character(Unicode.Scalar(bytes[0] + 0x60))))
    case 0x20..<0x7F: .key(.character(Character(Unicode.Scalar(bytes[0]))))
    case 0xC2...0xF4: letter(bytes)
    default: .nothing
    }
  }

  // A character of several bytes in UTF-8.
  private static func letter(_ bytes: [UInt8]) -> KeySequence {
    let length = bytes[0] < 0xE0 ? 2 : bytes[0] < 0xF0 ? 3 : 4
    guard bytes.count == length else { return .incomplete }
    guard let text = String(validating: bytes, as: UTF8.self), text.count == 1 else { return .nothing }
    return .key(.character(text[text.startIndex]))
  }

  private static func escape(_ bytes: [UInt8]) -> KeySequence {
    switch bytes[1] {
    case UInt8(ascii: "["): control(bytes.dropFirst(2))
    case UInt8(ascii: "O"): bytes.count == 2 ? .incomplete : keypad(bytes[2])
    default: .nothing  // a letter with Alt; ignored
    }
  }

  // After `ESC [`: digits and signs, up to a final byte.
  private static func control(_ bytes: ArraySlice<UInt8>) -> KeySequence {
    guard let last = bytes.last else { return .incomplete }
    switch last {
    case 0x20...0x3F: return .incomplete
    case UInt8(ascii: "~"): return numbered(bytes.dropLast()).map(KeySequence.key) ?? .nothing
    case 0x40...0x7E: return named(last).map(KeySequence.key) ?? .nothing
    default: return .nothing
    }
  }

  private static func keypad(_ byte: UInt8) -> KeySequence {
    byte == UInt8(ascii: "M") ? .key(.enter) : named(byte).map(KeySequence.key) ?? .nothing
  }

  private static func named(_ byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "Z"): .backTab
    default: nil
    }
  }

  // `5~`, or `5;2~` with a modifier, which is ignored.
  private static func numbered(_ bytes: ArraySlice<UInt8>) -> Key? {
    switch String(decoding: bytes.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self) {
    case "1", "7": .home
    case "2": .insert
    case "3": .delete
    case "4", "8": .end
    case "5": .pageUp
    case "6": .pageDown
    default: nil
    }
  }
}
