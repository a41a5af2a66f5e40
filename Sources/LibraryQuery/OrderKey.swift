// SPDX-License-Identifier: MIT
import MediaModel

/// The place of a text in an order, as bytes that only have to be compared. So the database can sort without knowing the rules.
///
/// Case, accents, signs at the beginning and an English article at the beginning don't count. Numbers are ordered by their value: "2 b" comes before
/// "10 a". If the tags have a separate text for sorting, the key is made from that.
package enum OrderKey {
  /// The length of the longest key in bytes. Texts that are equal up to there keep the order in which they came.
  private static let longest = 120

  private static let articles = ["the ", "a ", "an "].map { Array($0.utf8) }

  /// The bytes by which a text is sorted. Empty for a text with signs only.
  package static func bytes(_ text: String) -> [UInt8] { bytes(folded: TextFolding.bytes(text)) }

  /// The bytes by which a text is sorted that `TextFolding` has folded already.
  package static func bytes(folded: [UInt8]) -> [UInt8] {
    var rest = withoutBeginning(folded[...])
    var key: [UInt8] = []
    while let byte = rest.first, key.count < longest {
      if NaturalOrder.isDigit(byte) {
        NaturalOrder.takeNumber(off: &rest, to: &key)
      } else {
        key.append(byte)
        rest.removeFirst()
      }
    }
    return Array(key.prefix(longest))
  }

  /// The key of today for a key that was made when only ASCII signs at the beginning were left out.
  package static func renewed(_ former: [UInt8]) -> [UInt8] { Array(withoutBeginning(former[...])) }

  /// A folded text without the signs and the article at its beginning.
  private static func withoutBeginning(_ folded: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let rest = withoutSigns(folded)
    for article in articles where rest.starts(with: article) {
      let behind = withoutSigns(rest.dropFirst(article.count))
      return behind.isEmpty ? rest : behind
    }
    return rest
  }

  private static func withoutSigns(_ folded: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = folded
    while let first = rest.first, !isASCIILetterOrDigit(first) {
      guard first >= 0x80 else {
        rest.removeFirst()
        continue
      }
      var decoder = UTF8()
      var bytes = rest.makeIterator()
      guard case .scalarValue(let scalar) = decoder.decode(&bytes), isSign(scalar) else { break }
      rest.removeFirst(UTF8.width(scalar))
    }
    return rest
  }

  /// Whether a character is neither a letter nor a number nor a mark on one: "…", "¡" or "「".
  private static func isSign(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol,
      .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format:
      true
    default: false
    }
  }

  /// The letter under which a list shows the text with this key; `#` for numbers and signs.
  package static func section(of key: [UInt8]) -> String {
    var decoder = UTF8()
    var bytes = key.makeIterator()
    guard case .scalarValue(let first) = decoder.decode(&bytes), first.properties.isAlphabetic else {
      return "#"
    }
    return first.properties.uppercaseMapping
  }

  private static func isASCIILetterOrDigit(_ byte: UInt8) -> Bool {
    NaturalOrder.isDigit(byte) || (0x61...0x7a).contains(byte)
  }
}
