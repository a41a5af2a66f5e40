// SPDX-License-Identifier: MIT

/// What the bytes from a terminal mean so far.
enum KeySequence: Equatable {
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
