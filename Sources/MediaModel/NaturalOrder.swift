// SPDX-License-Identifier: MIT

/// The order in which people expect names: "2 b" before "10 a", a capital beside its small letter, an accented letter beside the plain one, and the
/// files in a folder right after the folder's own name. It is a total order: only equal bytes are equal.
package enum NaturalOrder {
  /// Whether the first name comes before the second.
  package static func precedes(_ first: some StringProtocol, _ second: some StringProtocol) -> Bool {
    Place(Array(first.utf8)) < Place(Array(second.utf8))
  }

  /// Whether the first path comes before the second.
  package static func precedes(_ first: FilePath, _ second: FilePath) -> Bool {
    Place(first.bytes) < Place(second.bytes)
  }

  /// The paths in order. Quicker than a sort with `precedes`, which looks at the letters of a path again each time it is compared.
  package static func sorted(_ paths: [FilePath]) -> [FilePath] {
    paths.map { (place: Place($0.bytes), path: $0) }.sorted { $0.place < $1.place }.map(\.path)
  }

  /// The place of a name in the order.
  private struct Place: Comparable {
    let key: [UInt8]
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { (key, self.bytes) = (NaturalOrder.key(bytes), bytes) }

    static func < (one: Self, other: Self) -> Bool {
      one.key == other.key
        ? one.bytes.lexicographicallyPrecedes(other.bytes) : one.key.lexicographicallyPrecedes(other.key)
    }
  }

  /// A name as bytes: comparing the bytes of two names gives the natural order, for sorts that compare bytes only. Names that differ only in
  /// capitals, in accents, or in zeros before a number, get equal keys.
  package static func key(_ name: [UInt8]) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(name.count + 8)
    var rest = folded(name)[...]
    while let byte = rest.first {
      if isDigit(byte) {
        takeNumber(off: &rest, to: &key)
      } else {
        // No name contains the byte 0, so using it for a slash places slashes before everything else.
        key.append(byte == .slash ? 0 : byte)
        rest.removeFirst()
      }
    }
    return key
  }

  /// The name in small letters without accents. A name that is no text has the capitals of ASCII made small.
  private static func folded(_ name: [UInt8]) -> [UInt8] {
    String(validating: name, as: UTF8.self).map(TextFolding.bytes) ?? name.map(TextFolding.small)
  }

  /// Takes a run of digits off the front of a text, and appends it to a key: a digit, so that numbers are placed among digits; then the count of its
  /// digits without leading zeros; then these digits. So "2" comes before "10". Keys in the library's tables have this form.
  package static func takeNumber(off rest: inout ArraySlice<UInt8>, to key: inout [UInt8]) {
    let number = rest.prefix(while: isDigit)
    rest = rest[number.endIndex...]
    let digits = number.drop { $0 == UInt8(ascii: "0") }
    key.append(UInt8(ascii: "0"))
    key.append(UInt8(clamping: digits.count))
    key += digits
  }

  package static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
