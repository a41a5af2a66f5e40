// SPDX-License-Identifier: MIT

/// Bytes taken one after another from the front. Each step gives nil, and takes nothing, where too few are left.
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

  /// Takes this mark, if it stands here.
  package mutating func take(mark: some Collection<UInt8>) -> Bool {
    guard rest.starts(with: mark) else { return false }
    rest = rest.dropFirst(mark.count)
    return true
  }

  /// A whole number of up to eight bytes; nil for one above `Int.max` as well.
  package mutating func number(_ bytes: Int, _ order: Order) -> Int? {
    guard let taken = take(bytes) else { return nil }
    return Int(exactly: order == .bigEndian ? Self.bits(taken) : Self.bits(taken.reversed()))
  }

  /// Eight bytes as they stand, for fields that are no whole number of bytes.
  package mutating func bits() -> UInt64? { take(8).map(Self.bits) }

  private static func bits(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// What stands before the next NUL, which goes too; all that is left where there is none.
  package mutating func text() -> ArraySlice<UInt8> {
    let text = rest.prefix { $0 != 0 }
    rest = rest[text.endIndex...].dropFirst()
    return text
  }
}
