// SPDX-License-Identifier: MIT

/// Where a text stands among others, as bytes that only have to be compared: the database can then sort without knowing
/// any rule.
///
/// Case, accents, signs at the beginning and an English article at the beginning don't count. Numbers stand in the order
/// of their size: "2 b" before "10 a". A tagger's sort name goes through the same rule and takes the text's place.
package enum OrderKey {
  /// Bytes of the longest key. Two texts that are equal up to there keep the order in which they came.
  private static let longest = 120

  private static let articles = ["the ", "a ", "an "].map { Array($0.utf8) }

  /// The key of a text. Empty for a text of signs only.
  package static func bytes(_ text: String) -> [UInt8] { bytes(folded: TextFolding.bytes(text)) }

  /// The key of a text that is folded already.
  static func bytes(folded: [UInt8]) -> [UInt8] {
    var rest = folded[...].drop { !isLetterOrDigit($0) }
    for article in articles where rest.starts(with: article) {
      let behind = rest.dropFirst(article.count).drop { !isLetterOrDigit($0) }
      if !behind.isEmpty { rest = behind }
      break
    }
    var key: [UInt8] = []
    while let byte = rest.first, key.count < longest {
      if isDigit(byte) {
        let digits = rest.prefix(while: isDigit)
        rest = rest[digits.endIndex...]
        append(digits.drop { $0 == UInt8(ascii: "0") }, to: &key)
      } else {
        key.append(byte)
        rest.removeFirst()
      }
    }
    return Array(key.prefix(longest))
  }

  /// The heading below which a key stands in a list: a letter, or `#` for numbers and signs.
  package static func section(of key: [UInt8]) -> String {
    var decoder = UTF8()
    var bytes = key.makeIterator()
    guard case .scalarValue(let first) = decoder.decode(&bytes), first.properties.isAlphabetic else {
      return "#"
    }
    return first.properties.uppercaseMapping
  }

  /// A number: a digit, so that it stands where digits do; how many digits it has; and these.
  private static func append(_ digits: ArraySlice<UInt8>, to key: inout [UInt8]) {
    key.append(UInt8(ascii: "0"))
    key.append(UInt8(clamping: digits.count))
    key += digits
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Everything that is not ASCII counts as a letter.
  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    byte >= 0x80 || isDigit(byte) || (0x61...0x7a).contains(byte)
  }
}
