// SPDX-License-Identifier: MIT

/// The order in which people expect names: "2 b" before "10 a", a capital beside its small letter, and the files in a folder right after the folder's
/// own name. It is a total order: only equal bytes are equal.
package enum NaturalOrder {
  /// Whether the first name comes before the second.
  package static func precedes(_ first: some StringProtocol, _ second: some StringProtocol) -> Bool {
    compare(Array(first.utf8), Array(second.utf8)) < 0
  }

  /// Whether the first path comes before the second.
  package static func precedes(_ first: FilePath, _ second: FilePath) -> Bool {
    compare(first.bytes, second.bytes) < 0
  }

  /// Negative if the first comes before the second, positive if it comes after it, zero if their bytes are equal.
  static func compare(_ first: [UInt8], _ second: [UInt8]) -> Int {
    var a = first[...]
    var b = second[...]
    while let x = a.first, let y = b.first {
      if isDigit(x), isDigit(y) {
        let difference = compareNumbers(takeNumber(&a), takeNumber(&b))
        if difference != 0 { return difference }
      } else {
        if rank(x) != rank(y) { return rank(x) - rank(y) }
        a.removeFirst()
        b.removeFirst()
      }
    }
    if a.isEmpty != b.isEmpty { return a.isEmpty ? -1 : 1 }
    return compareBytes(first, second)
  }

  /// A name as bytes: comparing the bytes of two names gives the natural order, for sorts that compare bytes only. Names that differ only in
  /// capitals, or in zeros before a number, get equal keys.
  package static func key(_ name: [UInt8]) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(name.count + 8)
    var rest = name[...]
    while let byte = rest.first {
      guard isDigit(byte) else {
        // No name contains the byte 0, so using it for a slash places slashes before everything else.
        key.append(UInt8(clamping: max(0, rank(byte))))
        rest.removeFirst()
        continue
      }
      let digits = takeNumber(&rest)
      key.append(UInt8(ascii: "0"))
      key.append(UInt8(clamping: digits.count))
      key += digits
    }
    return key
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  private static func rank(_ byte: UInt8) -> Int {
    switch byte {
    case .slash: -1
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte) + 32
    default: Int(byte)
    }
  }

  /// Takes a run of digits off the front, and returns it without its leading zeros.
  private static func takeNumber(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = rest.prefix(while: isDigit)
    rest = rest[digits.endIndex...]
    return digits.drop { $0 == UInt8(ascii: "0") }
  }

  private static func compareNumbers(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Int {
    first.count == second.count ? compareBytes(first, second) : first.count - second.count
  }

  private static func compareBytes(_ first: some Sequence<UInt8>, _ second: some Sequence<UInt8>) -> Int {
    if first.elementsEqual(second) { return 0 }
    return first.lexicographicallyPrecedes(second) ? -1 : 1
  }
}
