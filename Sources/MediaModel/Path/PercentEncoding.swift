// SPDX-License-Identifier: MIT

/// Bytes as the `%XX` escapes of a URI and back.
package enum PercentEncoding {
  /// The text in which every byte that `isPlain` refuses is an escape.
  package static func encode(_ bytes: some Sequence<UInt8>, keeping isPlain: (UInt8) -> Bool) -> String {
    var out: [UInt8] = []
    for byte in bytes {
      if isPlain(byte) {
        out.append(byte)
      } else {
        out += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// The bytes that the text stands for; nil where a `%` is not followed by two hexadecimal digits.
  package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
    var out: [UInt8] = []
    var rest = text.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        out.append(byte)
        continue
      }
      guard let high = rest.next().flatMap(value), let low = rest.next().flatMap(value) else { return nil }
      out.append(high << 4 | low)
    }
    return out
  }

  /// Letters, digits and `-._~`, which never need an escape.
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
