// SPDX-License-Identifier: MIT

/// Reads an array of bytes from front to end. If too few are left, a method returns nil and takes nothing.
package struct ByteCursor {
  package enum Order { case littleEndian, bigEndian }

  package private(set) var rest: ArraySlice<UInt8>

  package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }
  package init(_ bytes: [UInt8]) { rest = bytes[...] }

  package mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard (0...rest.count).contains(count) else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// Takes these bytes if they come next; otherwise returns false and takes nothing.
  package mutating func take(mark: some Collection<UInt8>) -> Bool {
    guard rest.starts(with: mark) else { return false }
    rest = rest.dropFirst(mark.count)
    return true
  }

  /// Takes a whole number of up to eight bytes. Nil also for a number above `Int.max`, whose bytes are taken
  /// nonetheless.
  package mutating func number(_ bytes: Int, _ order: Order) -> Int? {
    guard let taken = take(bytes) else { return nil }
    return Int(exactly: order == .bigEndian ? Self.bits(taken) : Self.bits(taken.reversed()))
  }

  /// Takes eight bytes as one big-endian word, for fields whose limits are inside a byte.
  package mutating func bits() -> UInt64? { take(8).map(Self.bits) }

  private static func bits(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Takes the bytes before the next NUL, and the NUL with them; takes all that is left if there is none.
  package mutating func text() -> ArraySlice<UInt8> {
    let text = rest.prefix { $0 != 0 }
    rest = rest[text.endIndex...].dropFirst()
    return text
  }
}
